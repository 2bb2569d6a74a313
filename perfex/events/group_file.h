/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the search for the files of groups. */
#ifndef PERFEX_GROUP_FILE_H
#define PERFEX_GROUP_FILE_H

#include "events/group.h"

/**
 * load_group() - find a group of a processor, and understand it
 * @metrics: receives it, behind others
 * @pmu: the processor's counters
 * @group: its name, or that of a file, which has a slash
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int load_group(struct metrics *metrics, const struct vpmc_pmu *pmu,
	       const char *group);

/**
 * load_group_file() - understand the file of a group
 * @metrics: receives it, behind others; has room for one more file
 * @path: of the file
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int load_group_file(struct metrics *metrics, const char *path);

/**
 * visit_groups() - look at all groups of a processor
 * @pmu: the processor's counters
 * @use: is given the path of each, its name and @arg; anything but 0 ends the visit
 * @arg: for it
 *
 * Return: what @use has returned last, 0 if there are no groups.
 */
int visit_groups(const struct vpmc_pmu *pmu,
		 int (*use)(const char *path, const char *name, void *arg),
		 void *arg);

/* free_groups() - free what load_group() and load_group_file() have read */
void free_groups(struct metrics *metrics);

/**
 * list_groups() - list the groups of a processor, with the first line of each
 * @out: where to
 * @pmu: the processor's counters
 *
 * A line with "#" says so if there are none.
 */
void list_groups(FILE *out, const struct vpmc_pmu *pmu);

#endif /* PERFEX_GROUP_FILE_H */
