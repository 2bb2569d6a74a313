/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the search for the files of groups. */
#ifndef PERFEX_GROUP_FILE_H
#define PERFEX_GROUP_FILE_H

#include "events/group.h"

/**
 * load_group() - find a group of a processor, and parse it
 * @metrics: receives the group, after groups that it already has
 * @pmu: the processor's counters
 * @group: name of the group, or of a file, which contains a slash
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int load_group(struct metrics *metrics, const struct vpmc_pmu *pmu,
	       const char *group);

/**
 * load_group_file() - parse the file of a group
 * @metrics: receives the group, after groups that it already has; has room for one more file
 * @path: path of the file
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int load_group_file(struct metrics *metrics, const char *path);

/**
 * visit_groups() - visit all groups of a processor
 * @pmu: the processor's counters
 * @use: function that is called with the path of each group, its name and @arg; a return
 *	value other than 0 ends the visit
 * @arg: last argument of @use
 *
 * Return: the last return value of @use, 0 if there are no groups.
 */
int visit_groups(const struct vpmc_pmu *pmu,
		 int (*use)(const char *path, const char *name, void *arg),
		 void *arg);

/* free_groups() - free the files that load_group() and load_group_file() have read */
void free_groups(struct metrics *metrics);

/**
 * list_groups() - list the groups of a processor, with the first line of each
 * @out: stream to write to
 * @pmu: the processor's counters
 *
 * If there are no groups, the function prints a line that begins with "#".
 */
void list_groups(FILE *out, const struct vpmc_pmu *pmu);

#endif /* PERFEX_GROUP_FILE_H */
