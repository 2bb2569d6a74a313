/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the files that perfex.irix writes. */
#ifndef IRIX_FILE_H
#define IRIX_FILE_H

#include <stdio.h>

/**
 * irix_open_file() - open a file for a report
 * @file: receives the file, for irix_close_file()
 * @path: name of the file. Its content remains until irix_empty_file().
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int irix_open_file(FILE **file, const char *path);

/* irix_flush_file() - write buffered output; irix_close_file() complains if this fails */
void irix_flush_file(FILE *file);

/* irix_empty_file() - remove the content of a file */
void irix_empty_file(FILE *file);

/**
 * irix_close_file() - write buffered output, and close a file
 * @file: from irix_open_file(), or standard output or error, which stay open
 * @path: name of the file, NULL for standard error
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int irix_close_file(FILE *file, const char *path);

#endif /* IRIX_FILE_H */
