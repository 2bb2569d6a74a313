/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the replacement of a whole file: a reader finds either the old file
 * or the new one.
 */
#ifndef PERFEX_ATOMIC_FILE_H
#define PERFEX_ATOMIC_FILE_H

#include <stdbool.h>
#include <sys/types.h>

/**
 * struct replacement - a file that will replace an older file
 * @path: path of the old file, or NULL before the first open_replacement()
 * @beside: path of the new file until it replaces the old one, in the same directory; NULL
 *	while there is no new file
 * @mode: permissions of the new file: those of the old file if there is one, else the default
 */
struct replacement {
	char *path;
	char *beside;
	mode_t mode;
};

/* can_be_replaced() - tell whether a name belongs to a regular file, or to no file */
bool can_be_replaced(const char *file);

/**
 * open_replacement() - create a new file in the directory of the old one
 * @replacement: zeroed before the first call
 * @file: the old file. can_be_replaced() must have returned true for it. If it is a symbolic
 *	link, the file that it names is replaced, not the link.
 *
 * Return: a descriptor to write to, or -1 with errno.
 */
int open_replacement(struct replacement *replacement, const char *file);

/**
 * put_in_place() - replace the old file
 * @replacement: from open_replacement()
 * @fd: descriptor from open_replacement(), after the last write; the function closes it
 *
 * Return: 0, or -1 with errno, and the old file does not change.
 */
int put_in_place(struct replacement *replacement, int fd);

/*
 * drop_replacement() - remove a new file that has not replaced the old one, and free
 * @replacement
 */
void drop_replacement(struct replacement *replacement);

#endif /* PERFEX_ATOMIC_FILE_H */
