/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the regions of one execution of the command. */
#ifndef P5MON_REGIONS_H
#define P5MON_REGIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "events.h"

/**
 * struct region_counts - of a region
 * @entered: how often
 * @exited: how often
 * @count: of each event
 */
struct region_counts {
	uint64_t entered;
	uint64_t exited;
	uint64_t count[2];
};

/**
 * struct regions - of an execution
 * @region: by their numbers
 * @fd: a file in memory, to which the command adds them
 */
struct regions {
	struct region_counts region[P5MON_REGIONS];
	int fd;
};

/**
 * open_regions() - create a file for the command
 * @regions: empty; for close_regions()
 *
 * Return: 0, or PERFEX_SYSTEM after a complaint.
 */
int open_regions(struct regions *regions);

/* close_regions() - delete the file */
void close_regions(struct regions *regions);

/**
 * offer_regions() - tell the command of the file, in the child that becomes it
 * @regions: from open_regions()
 *
 * Return: 0, or -1 without memory.
 */
int offer_regions(const struct regions *regions);

/**
 * read_regions() - read what the command has added, and empty the file
 * @regions: from open_regions(); its regions are those of this execution
 * @nr: how many events each has counted
 *
 * Those of several processes are added up.
 *
 * Return: 0, or PERFEX_INVALID after a complaint.
 */
int read_regions(struct regions *regions, unsigned int nr);

/**
 * numbers_in() - read the numbers of a line
 * @line: of a file of regions
 * @numbers: receives them
 * @most: room for so many
 *
 * Return: how many there were, or 0 if there is anything else or more of them.
 */
unsigned int numbers_in(const char *line, uint64_t *numbers, unsigned int most);

#endif /* P5MON_REGIONS_H */
