/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the list of the files that perfex --merge is given. */
#ifndef PERFEX_MERGE_FILES_H
#define PERFEX_MERGE_FILES_H

#include "stats/report_spec.h"

/**
 * check_merge_files() - see that no report is there twice, and that none is to be
 *	overwritten
 * @request: what to count, and how to report it
 *
 * Files that cannot be looked at are not complained about: they are opened later.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int check_merge_files(const struct request *request);

#endif /* PERFEX_MERGE_FILES_H */
