/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the regions of one execution of the command. */
#ifndef P5MON_REGIONS_H
#define P5MON_REGIONS_H

#include <stdint.h>

#include "events.h"

/**
 * struct region_counts - the counts of a region
 * @entered: number of entries into the region
 * @exited: number of exits from the region
 * @count: count of each event
 */
struct region_counts {
	uint64_t entered;
	uint64_t exited;
	uint64_t count[2];
};

/**
 * struct regions - the regions of an execution
 * @region: counts of each region, indexed by its number
 * @fd: a file in memory, to which the command appends its regions
 */
struct regions {
	struct region_counts region[P5MON_REGIONS];
	int fd;
};

/**
 * open_regions() - create a file for the command
 * @regions: receives an empty set of regions, for close_regions()
 *
 * Return: 0, or PERFEX_SYSTEM after a complaint.
 */
int open_regions(struct regions *regions);

/* close_regions() - delete the file */
void close_regions(struct regions *regions);

/**
 * offer_regions() - pass the file to the command; call it in the child that executes the command
 * @regions: from open_regions()
 *
 * Return: 0, or -1 if there is no memory.
 */
int offer_regions(const struct regions *regions);

/**
 * read_regions() - read the regions that the command has appended, and empty the file
 * @regions: from open_regions(); receives the regions of this execution
 * @nr: number of counted events of each region
 *
 * The counts of several processes are added up.
 *
 * Return: 0, or PERFEX_INVALID after a complaint.
 */
int read_regions(struct regions *regions, unsigned int nr);

/**
 * numbers_in() - read the numbers of a line
 * @line: line of a file of regions
 * @numbers: receives the numbers
 * @most: size of @numbers
 *
 * Return: how many numbers the line has, or 0 if it has other content or more than @most numbers.
 */
unsigned int numbers_in(const char *line, uint64_t *numbers, unsigned int most);

#endif /* P5MON_REGIONS_H */
