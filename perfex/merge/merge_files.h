/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the check of the files that perfex --merge reads. */
#ifndef PERFEX_MERGE_FILES_H
#define PERFEX_MERGE_FILES_H

#include "stats/report_spec.h"

/**
 * check_merge_files() - check that each report occurs once, and that the merge does not overwrite
 * a report
 * @request: the request of the command line
 *
 * The function does not complain about a file that it cannot examine, because opening the file
 * fails later.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int check_merge_files(const struct request *request);

#endif /* PERFEX_MERGE_FILES_H */
