/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where processes leave their regions: libvpmc appends them to a file when a process
 * exits, and counts in another one until then, so that they are there if it ends otherwise.
 */
#ifndef PERFEX_REGIONS_COLLECT_H
#define PERFEX_REGIONS_COLLECT_H

#include <stdbool.h>

/**
 * struct regions_files - descriptors of both
 * @lines: what processes write when they exit
 * @sums: what vpmc_region_sums.h describes
 */
struct regions_files {
	int lines;
	int sums;
};

/**
 * collect_regions() - make processes that are created from now on leave regions
 * @files: receives the files
 * @faults: with page faults and switches
 *
 * The environment has their names from then on, until discard_regions().
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int collect_regions(struct regions_files *files, bool faults);

/* discard_regions() - remove the files */
void discard_regions(const struct regions_files *files);

#endif /* PERFEX_REGIONS_COLLECT_H */
