/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares how perfex reads the regions of processes that ended without exit(3).
 * vpmc_region_sums.h describes the file.
 */
#ifndef PERFEX_REGIONS_SUMS_H
#define PERFEX_REGIONS_SUMS_H

#include "regions/regions_parse.h"

/**
 * add_sums() - print the remaining processes
 * @left: the regions, after parse_regions()
 * @fd: the file, to which any process of the command may have written anything
 *
 * A region that was open at the end has no counts.
 *
 * Return: 0, or PERFEX_SYSTEM if the file could not be read.
 */
int add_sums(struct regions_left *left, int fd);

#endif /* PERFEX_REGIONS_SUMS_H */
