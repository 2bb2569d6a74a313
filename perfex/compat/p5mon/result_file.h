/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the result file, which programs read. */
#ifndef P5MON_RESULT_FILE_H
#define P5MON_RESULT_FILE_H

#include <stdio.h>

#include "results.h"

/**
 * open_result_file() - open it before anything is counted, which may take long
 * @file: receives it, for write_result_file()
 * @path: its name. It is created; what it has stays until then.
 *
 * Return: 0, or PERFEX_OUTPUT after a complaint.
 */
int open_result_file(FILE **file, const char *path);

/**
 * write_result_file() - write the results to a file in place of what it has, and close it
 * @results: all of them
 * @file: from open_result_file()
 * @path: its name
 *
 * Return: 0, or PERFEX_OUTPUT after a complaint.
 */
int write_result_file(const struct results *results, FILE *file,
		      const char *path);

#endif /* P5MON_RESULT_FILE_H */
