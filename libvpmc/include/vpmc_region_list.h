/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header declares lists of regions by name for libvpmc and perfex, and sums over the places of
 * a region. It is not installed.
 */
#ifndef VPMC_REGION_LIST_H
#define VPMC_REGION_LIST_H

#include <stdbool.h>
#include <stdio.h>

/* Only region_thread.c defines the objects that vpmc_region_begin() and vpmc_region_end() use. */
#define VPMC_REGION_LIBRARY
#include "vpmc_region.h"

/*
 * This further bit of enum vpmc_region_flags means that the region had not ended, and
 * that its counts were not read at the end.
 */
#define REGION_UNREAD 0x8U

/**
 * struct region_counts - the counts of a region in one place
 * @flags: enum vpmc_region_flags bits, without VPMC_REGION_NO_EXCLUSIVE
 * @calls: number of calls
 * @inclusive: as in struct vpmc_region_counts; [1] is without the cost of regions
 */
struct region_counts {
	unsigned int flags;
	uint64_t calls;
	uint64_t inclusive[2][VPMC_REGION_EVENTS];
};

/**
 * struct region_inside - sums over the places within a region
 * @calls: number of calls in all places within it
 * @counts: inclusive counts of the regions that were begun directly in it; [1] is without
 *	the cost of regions
 * @broken: true if the counts of one of these regions are invalid
 */
struct region_inside {
	uint64_t calls;
	uint64_t counts[2][VPMC_REGION_EVENTS];
	bool broken;
};

/**
 * struct region_entry - a region in all its places
 * @name: its name, allocated separately
 * @hash: hash of the name
 * @nesting: for folding: number of nodes with this name among the current node and the
 *	nodes around it
 * @flags: enum vpmc_region_flags bits
 * @calls: as in struct vpmc_region_counts
 * @inclusive: as in struct vpmc_region_counts; [1] is without the cost of regions
 * @exclusive: as in struct vpmc_region_counts; [1] is without the cost of regions
 */
struct region_entry {
	char *name;
	uint32_t hash;
	unsigned int nesting;
	unsigned int flags;
	uint64_t calls;
	uint64_t inclusive[2][VPMC_REGION_EVENTS];
	uint64_t exclusive[2][VPMC_REGION_EVENTS];
};

/**
 * struct region_list - regions by name
 * @entry: the regions, in the order in which they were added
 * @nr: number of regions
 * @index: index of each region in @entry plus 1, or 0; by hash, at the first free place
 * @places: size of @index, a power of two larger than @nr; 0 without an index
 * @set: the events that all threads counted
 * @about: further data to report; the fields nr and region are not used
 */
struct region_list {
	struct region_entry *entry;
	size_t nr;
	size_t *index;
	size_t places;
	struct vpmc_event_set set;
	struct vpmc_regions about;
};

/* vpmcint_region_hash() - compute the hash of a text */
uint32_t vpmcint_region_hash(const char *text);

/**
 * vpmcint_region_entry() - find a region, or add it to a list
 * @list: the list
 * @name: name of the region, which the list copies
 * @hash: hash of @name
 *
 * Return: its index in list->entry, or -1 if there is no memory.
 */
long vpmcint_region_entry(struct region_list *list, const char *name,
			  uint32_t hash);

/**
 * vpmcint_region_copy_list() - copy a list
 * @to: receives the copy
 * @from: the list
 *
 * Return: 0 or VPMC_E_MEMORY; in both cases the copy must be freed.
 */
int vpmcint_region_copy_list(struct region_list *to,
			     const struct region_list *from);

/* vpmcint_region_free_list() - free the contents of a list, and set the list to all 0 */
void vpmcint_region_free_list(struct region_list *list);

/**
 * vpmcint_region_subtract_cost() - compute the counts of a place without the cost of regions
 * @counts: the counts; receives inclusive[1]
 * @inside: the sums over the places in the region
 * @own: for each count, the part of a region's cost that the region itself counts
 * @pair: for each count, the whole cost of a region, including @own
 * @events: number of counts
 */
void vpmcint_region_subtract_cost(struct region_counts *counts,
				  const struct region_inside *inside,
				  const uint64_t *own, const uint64_t *pair,
				  unsigned int events);

/**
 * vpmcint_region_add_inside() - add a place to the sums of the place in which it was begun
 * @around: the sums of the outer place
 * @counts: counts of the place
 * @inside: the sums over the places in the region
 * @events: number of counts
 */
void vpmcint_region_add_inside(struct region_inside *around,
			       const struct region_counts *counts,
			       const struct region_inside *inside,
			       unsigned int events);

/**
 * vpmcint_region_add_place() - add a place to its region, and enter it
 * @entry: the region; its nesting is increased by this place
 * @counts: counts of the place
 * @inside: the sums over the places in the region
 * @events: number of counts
 */
void vpmcint_region_add_place(struct region_entry *entry,
			      const struct region_counts *counts,
			      const struct region_inside *inside,
			      unsigned int events);

/* vpmcint_region_printable() - replace a control character, so that a name stays on one line */
char vpmcint_region_printable(char c);

/**
 * vpmcint_region_print_list() - print the regions of a process in the form of region_file.c
 * @out: stream to print to
 * @list: the regions
 * @pid: number of the process
 * @command: name of the process's command
 * @number: number of the process in the file of vpmc_region_sums.h, or 0
 */
void vpmcint_region_print_list(FILE *out, const struct region_list *list,
			       long pid, const char *command, uint32_t number);

#endif /* VPMC_REGION_LIST_H */
