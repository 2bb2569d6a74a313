/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The data of the files of the library that keep regions. Each of these has its
 * functions in a header of its own, and calls only what docs/design.md names
 * before it.
 *
 * A thread has a tree of regions: a node for each name in each place, that is,
 * in each node from which it is begun. When the thread exits, or the program
 * asks, the tree is folded into a list of names.
 */
#ifndef LIBVPMC_REGION_DATA_H
#define LIBVPMC_REGION_DATA_H

#include <stdbool.h>

#include "internal.h"
#include "vpmc_region.h"

/* How a thread reads its counts. */
enum region_mode {
	REGION_INLINE, /* one, by RDPMC in begin and end themselves */
	REGION_TWO,    /* two, by RDPMC */
	REGION_RDPMC,  /* more */
	REGION_CALL,   /* by system calls */
};

/**
 * struct region_node - a region in one place
 * @fast: the part that begin and end use; first, so that a pointer to it is
 *	one to the node
 * @name: of the region
 * @child: the first of the regions that are begun in it
 * @last: in REGION_TWO: the one of these that was begun last, or NULL
 * @sibling: the next one with the same parent
 * @broken: there was no count at a begin or an end
 * @below: for folding: calls in all nodes below
 * @raw: for folding: counts of the children
 * @net: the same, without the cost of regions
 * @broken_child: for folding: a child is broken
 */
struct region_node {
	struct vpmc_region fast;
	const char *name;
	struct region_node *child;
	struct region_node *last;
	struct region_node *sibling;
	bool broken;
	uint64_t below;
	uint64_t raw[VPMC_REGION_EVENTS];
	uint64_t net[VPMC_REGION_EVENTS];
	bool broken_child;
};

/**
 * struct region_thread - a thread's regions
 * @mode: how it reads
 * @events: how many counts
 * @set: what the thread counts; all 0 if it does not
 * @root: the place outside of all regions
 * @foreign: regions that are open, but have left the tree
 * @mismatches: as in struct vpmc_regions; likewise the next two
 * @restarts: see there
 * @lost: see there
 * @own: the cost of begin and end that is in the region's own counts
 * @pair: the whole cost, @own included, which is in the counts of the regions
 *	around it
 */
struct region_thread {
	enum region_mode mode;
	unsigned int events;
	struct vpmc_event_set set;
	struct region_node root;
	unsigned int foreign;
	unsigned int mismatches;
	unsigned int restarts;
	unsigned int lost;
	uint64_t own[VPMC_REGION_EVENTS];
	uint64_t pair[VPMC_REGION_EVENTS];
};

/**
 * struct region_entry - a region, in all its places
 * @name: of it
 * @flags: enum vpmc_region_flags bits
 * @calls: as in struct vpmc_region_counts
 * @inclusive: see there; [1] is without the cost of regions
 * @exclusive: see there, likewise
 */
struct region_entry {
	const char *name;
	unsigned int flags;
	uint64_t calls;
	uint64_t inclusive[2][VPMC_REGION_EVENTS];
	uint64_t exclusive[2][VPMC_REGION_EVENTS];
};

/**
 * struct region_list - regions by name
 * @entry: these
 * @nr: how many
 * @set: what was counted in all threads
 * @about: what else to report; its nr and region are not used
 */
struct region_list {
	struct region_entry *entry;
	size_t nr;
	struct vpmc_event_set set;
	struct vpmc_regions about;
};

#endif /* LIBVPMC_REGION_DATA_H */
