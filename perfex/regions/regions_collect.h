/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the files that collect regions. libvpmc appends the regions of a process
 * to one file when the process exits. Until then, libvpmc keeps the counts in a second file,
 * because the process may end without exit(3).
 */
#ifndef PERFEX_REGIONS_COLLECT_H
#define PERFEX_REGIONS_COLLECT_H

#include <stdbool.h>

/**
 * struct regions_files - descriptors of the files that collect regions
 * @lines: the file to which processes append their regions when they exit
 * @sums: the file that vpmc_region_sums.h describes
 */
struct regions_files {
	int lines;
	int sums;
};

/**
 * collect_regions() - make processes that are created later write their regions
 * @files: receives the files
 * @faults: true to include page faults and switches
 *
 * The environment has the files' names until discard_regions().
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int collect_regions(struct regions_files *files, bool faults);

/* discard_regions() - remove the files */
void discard_regions(const struct regions_files *files);

#endif /* PERFEX_REGIONS_COLLECT_H */
