/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the list of the counts of a program's regions. */
#ifndef PERFEX_REGIONS_H
#define PERFEX_REGIONS_H

#include "util/perfex.h"

struct regions_files;

/**
 * print_regions() - print the collected regions
 * @out: stream to write to
 * @files: the files, from collect_regions()
 * @events: the events that were counted
 * @raw: true to include the cost of the regions themselves
 * @faults: true if regions have page faults and switches
 *
 * The format is documented in perfex(1) and stable.
 *
 * Return: 0; PERFEX_INVALID if the regions of some processes are missing or incomplete; or
 * PERFEX_SYSTEM if there is no memory, or a file cannot be read. After a failure, all complete
 * processes have been printed, and incomplete processes are named.
 */
int print_regions(FILE *out, const struct regions_files *files,
		  const struct events *events, bool raw, bool faults);

/* complain_of_regions() - print on stderr the reason why print_regions() has returned @failure */
void complain_of_regions(int failure);

#endif /* PERFEX_REGIONS_H */
