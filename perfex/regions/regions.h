/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the list of what the regions of a program have counted. */
#ifndef PERFEX_REGIONS_H
#define PERFEX_REGIONS_H

#include "util/perfex.h"

struct regions_files;

/**
 * print_regions() - print what has been collected
 * @out: where to
 * @files: from collect_regions()
 * @events: what was counted
 * @raw: whether with what the regions themselves cost
 * @faults: whether they have page faults and switches
 *
 * The format is documented in perfex(1) and stable.
 *
 * Return: 0; PERFEX_INVALID if processes have left no regions, or not all of them;
 * or PERFEX_SYSTEM if there is no memory, or a file cannot be read. All others have been
 * printed then, and the former are named.
 */
int print_regions(FILE *out, const struct regions_files *files,
		  const struct events *events, bool raw, bool faults);

/* complain_of_regions() - say on stderr why print_regions() has returned @failure */
void complain_of_regions(int failure);

#endif /* PERFEX_REGIONS_H */
