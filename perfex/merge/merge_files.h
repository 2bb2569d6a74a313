/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the check of the files that perfex --merge reads. */
#ifndef PERFEX_MERGE_FILES_H
#define PERFEX_MERGE_FILES_H

#include "stats/report_spec.h"

/**
 * check_merge_files() - check that each report occurs once, and that none would be
 *	overwritten
 * @request: the request of the command line
 *
 * A file that cannot be examined is not complained about, because opening it fails later.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int check_merge_files(const struct request *request);

#endif /* PERFEX_MERGE_FILES_H */
