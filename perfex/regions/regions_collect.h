/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where processes leave their regions: libvpmc appends them to a file when a process
 * exits.
 */
#ifndef PERFEX_REGIONS_COLLECT_H
#define PERFEX_REGIONS_COLLECT_H

#include <stdbool.h>

/**
 * collect_regions() - make processes that are created from now on leave regions
 * @fd: receives a descriptor of the file
 * @faults: with page faults and switches
 *
 * The environment has the file's name from then on, until discard_regions().
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int collect_regions(int *fd, bool faults);

/* discard_regions() - remove the file */
void discard_regions(int fd);

#endif /* PERFEX_REGIONS_COLLECT_H */
