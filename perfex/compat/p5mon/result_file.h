/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The result file, for programs.
 */
#ifndef P5MON_RESULT_FILE_H
#define P5MON_RESULT_FILE_H

#include "results.h"

/**
 * write_result_file() - write the results to a file
 * @results: all of them
 * @path: of the file, which is created or replaced
 *
 * Return: 0, or PERFEX_OUTPUT after a complaint.
 */
int write_result_file(const struct results *results, const char *path);

#endif /* P5MON_RESULT_FILE_H */
