/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares files that perfex needs while it runs. They are in the directory
 * that TMPDIR names, or in /tmp.
 */
#ifndef PERFEX_TEMPORARY_H
#define PERFEX_TEMPORARY_H

#include <stdint.h>
#include <sys/types.h>

/**
 * create_temporary() - create a new temporary file
 * @path: receives its absolute path, which the caller frees; NULL if that fails
 * @name: the purpose of the file, which becomes part of its name
 * @flags: flags for open(2), in addition to O_RDWR and O_CLOEXEC
 *
 * Return: a descriptor, or -1 with errno.
 */
int create_temporary(char **path, const char *name, int flags);

/*
 * complain_temporary() - print, with the reason in errno, that a file for @what cannot be
 * created. Returns PERFEX_OUTPUT.
 */
int complain_temporary(const char *what);

/**
 * find_data() - find the next part of a file that is not a hole
 * @fd: the file
 * @from: position to search from
 *
 * A program can give a file that it shares with perfex any size, but only data that it has
 * written takes space. So a loop over the data ends. On a file system without holes, the whole
 * file is data.
 *
 * Return: the position of the data, which is not before @from; or -1 if there is none.
 */
off_t find_data(int fd, off_t from);

/*
 * find_block() - find the first block of @size bytes that has data, from block number @nr on.
 * Returns its number, or @end if no block before @end has data.
 */
uint32_t find_block(int fd, size_t size, uint32_t nr, uint32_t end);

/* remove_temporary() - remove a file, close it and free its path, without changing errno */
void remove_temporary(char *path, int fd);

#endif /* PERFEX_TEMPORARY_H */
