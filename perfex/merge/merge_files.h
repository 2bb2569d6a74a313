/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which files perfex --merge is given.
 */
#ifndef PERFEX_MERGE_FILES_H
#define PERFEX_MERGE_FILES_H

#include "cli/options.h"

/**
 * check_merge_files() - see that no report is there twice, and that none is to be
 *	overwritten
 * @options: the command line
 *
 * Files that cannot be looked at are not complained about: they are opened later.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int check_merge_files(const struct options *options);

#endif /* PERFEX_MERGE_FILES_H */
