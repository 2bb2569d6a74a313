/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares files that perfex needs while it runs. They are in the directory
 * that TMPDIR names, or in /tmp.
 */
#ifndef PERFEX_TEMPORARY_H
#define PERFEX_TEMPORARY_H

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

/* remove_temporary() - remove a file, close it and free its path, without changing errno */
void remove_temporary(char *path, int fd);

#endif /* PERFEX_TEMPORARY_H */
