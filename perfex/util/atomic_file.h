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
 * struct replacement - a file that is to take the place of another one
 * @path: of the other one, or NULL before the first open_replacement()
 * @beside: its own until then, in the same directory; NULL while there is none
 * @mode: the permissions that it gets: those of the other one, or of any new file
 */
struct replacement {
	char *path;
	char *beside;
	mode_t mode;
};

/* can_be_replaced() - whether there is a regular file that has a name, or nothing */
bool can_be_replaced(const char *file);

/**
 * open_replacement() - make a file beside another one
 * @replacement: zeroed before the first call
 * @file: the other one, for which can_be_replaced() is true. What a symbolic link
 *	names is replaced, not the link.
 *
 * Return: a descriptor to write to, or -1 with errno.
 */
int open_replacement(struct replacement *replacement, const char *file);

/**
 * put_in_place() - let it take the place
 * @replacement: from open_replacement()
 * @fd: likewise, with all written; is closed
 *
 * Return: 0, or -1 with errno, and the other one is left as it is.
 */
int put_in_place(struct replacement *replacement, int fd);

/* drop_replacement() - remove it if it has taken no place, and free what belongs to it */
void drop_replacement(struct replacement *replacement);

#endif /* PERFEX_ATOMIC_FILE_H */
