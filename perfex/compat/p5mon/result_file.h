/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the result file, which programs read. */
#ifndef P5MON_RESULT_FILE_H
#define P5MON_RESULT_FILE_H

#include <stdio.h>

#include "results.h"

/**
 * open_result_file() - open the file before the measurement, which may take long
 * @file: receives the file, for write_result_file()
 * @path: name of the file, which is created. Its content remains until write_result_file().
 *
 * Return: 0, or PERFEX_OUTPUT after a complaint.
 */
int open_result_file(FILE **file, const char *path);

/**
 * write_result_file() - replace the content of a file by the results, and close it
 * @results: the results
 * @file: from open_result_file()
 * @path: name of the file
 *
 * Return: 0, or PERFEX_OUTPUT after a complaint.
 */
int write_result_file(const struct results *results, FILE *file,
		      const char *path);

#endif /* P5MON_RESULT_FILE_H */
