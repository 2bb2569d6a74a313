/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the regions of processes have counted that have not left them by exit(3).
 * vpmc_region_sums.h describes the file.
 */
#ifndef PERFEX_REGIONS_SUMS_H
#define PERFEX_REGIONS_SUMS_H

#include "regions/regions_parse.h"

/**
 * add_sums() - have the other processes printed, too
 * @left: after parse_regions()
 * @fd: the file, which any process of the command may have written anything to
 *
 * A region that was open at the end has no counts.
 *
 * Return: 0, or PERFEX_SYSTEM if the file could not be read.
 */
int add_sums(struct regions_left *left, int fd);

#endif /* PERFEX_REGIONS_SUMS_H */
