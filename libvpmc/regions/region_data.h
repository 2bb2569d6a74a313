/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header defines the data of the library's files that keep regions. The functions of
 * each file are in their own header, and a file calls only those that
 * docs/internals/design.md lists before it.
 *
 * A thread has a tree of regions: a node for each name in each place, that is,
 * in each node from which it is begun. When the thread exits, or the program
 * asks, the tree is folded into a list of names.
 */
#ifndef LIBVPMC_REGION_DATA_H
#define LIBVPMC_REGION_DATA_H

#include <stdbool.h>

#include "base/internal.h"
#include <vpmc_region_sums.h>

#include "regions/region_page.h"
#include "regions/region_pool.h"

/* Only region_thread.c defines what begin and end use. */
#define VPMC_REGION_LIBRARY
#include "vpmc_region.h"

struct region_thread;
struct region_timeline;

/* How a thread reads its counts. */
enum region_mode {
	REGION_INLINE, /* one, by RDPMC in begin and end themselves */
	REGION_TWO,    /* two, by RDPMC */
	REGION_RDPMC,  /* more */
	REGION_CALL,   /* by system calls */
};

/**
 * struct region_place - a region in one place, for the timeline
 * @thread: the thread of the timeline that has its name, 0 before any has
 * @region: its number there
 * @is_missing: it is open, and its begin is not there
 * @busy: vpmcint_timeline_busy() at the last vpmc_region_here() in this region
 * @before: counts at which it was suspended
 */
struct region_place {
	uint32_t thread;
	uint32_t region;
	bool is_missing;
	uintptr_t busy;
	uint64_t before[VPMC_REGION_EVENTS];
};

/**
 * struct region_node - a region in one place
 * @fast: the part that begin and end use; first, so that a pointer to it is
 *	one to the node
 * @name: a copy of its name
 * @hash: of the copy
 * @child: the first of the regions that are begun in it
 * @last: the last one of these
 * @next: the next one of the thread with the same place in its index
 * @sibling: the next one with the same parent
 * @suspends: the region that waits for the end of this one: it is being begun or
 *	ended in code that a signal handler has interrupted, which has begun this one
 * @suspended: it waits
 * @uncounted: it was begun without a count
 * @broken: there was no count at a begin or an end
 * @open: for folding: it has not ended
 * @entry: for folding: where its name is in the list
 * @below: for folding: calls in all nodes below
 * @raw: for folding: counts of the children
 * @net: the same, without the cost of regions
 * @broken_child: for folding: a child is broken
 * @timeline: what region_timeline.c knows of it
 */
struct region_node {
	struct vpmc_region fast;
	const char *name;
	uint32_t hash;
	struct region_node *child;
	struct region_node *last;
	struct region_node *next;
	struct region_node *sibling;
	struct region_node *suspends;
	bool suspended;
	bool uncounted;
	bool broken;
	bool open;
	size_t entry;
	uint64_t below;
	uint64_t raw[VPMC_REGION_EVENTS];
	uint64_t net[VPMC_REGION_EVENTS];
	bool broken_child;
	struct region_place timeline;
};

/**
 * struct region_match - the part of a region that is all 0 in a forked process
 * @fast: what begin and end use; first
 * @address: its name, as the program gave it; the string may be gone
 */
struct region_match {
	struct vpmc_region_match fast;
	const char *address;
};

/* vpmcint_region_match() - that part of a region, or of a root */
static inline struct region_match *
vpmcint_region_match(const struct region_node *node)
{
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): it is not const there */
	return (struct region_match *)((uintptr_t)node + VPMC_REGION_PAGE_SIZE);
}

/* vpmcint_region_sums() - the part of a region, or of a root, that perfex may have, too */
static inline struct vpmc_region_sums *
vpmcint_region_sums(const struct region_node *node)
{
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): it is not const there */
	return (struct vpmc_region_sums *)((uintptr_t)node +
					   2 * VPMC_REGION_PAGE_SIZE);
}

/* vpmcint_region_shared() - the same as perfex sees it; not of a root */
static inline struct vpmc_sums_region *
vpmcint_region_shared(const struct region_node *node)
{
	return (struct vpmc_sums_region *)(void *)vpmcint_region_sums(node);
}

/**
 * struct region_thread - a thread's regions
 * @mode: how it reads
 * @begin: vpmcint_region_begin(), or what does more
 * @end: vpmcint_region_end(), likewise
 * @prepare: if not NULL, makes begin and end of a region that is not open work
 *	without the library; false if they did before, or cannot
 * @events: how many counts
 * @set: what the thread counts; all 0 if it does not
 * @pages: where all nodes are, but @root
 * @pool: where their names are
 * @index: they in @places lists, by parent and address; in the pool, too
 * @places: a power of two; 0 without an index
 * @nodes: how many are in the index
 * @stale: what is counted, and the costs, are to be found out at the next begin
 * @measuring: the costs are being measured
 * @foreign: regions that are open, but have left the tree
 * @mismatches: as in struct vpmc_regions; likewise the next two
 * @restarts: see there
 * @lost: see there
 * @gaps: those that the counts had before the thread had regions
 * @timeline: of region_timeline.c, or NULL
 * @own: the cost of begin and end that is in the region's own counts
 * @pair: the whole cost, @own included, which is in the counts of the regions
 *	around it
 * @root: the place outside of all regions; the last one, for its other parts are behind it
 */
struct region_thread {
	enum region_mode mode;
	bool (*begin)(const struct region_thread *thread,
		      struct region_node *node);
	bool (*end)(const struct region_thread *thread,
		    struct region_node *node);
	bool (*prepare)(const struct region_thread *thread,
			struct region_node *node);
	unsigned int events;
	struct vpmc_event_set set;
	struct region_pages pages;
	struct region_pool pool;
	struct region_node **index;
	size_t places;
	size_t nodes;
	bool stale;
	bool measuring;
	unsigned int foreign;
	unsigned int mismatches;
	unsigned int restarts;
	unsigned int lost;
	unsigned int gaps;
	struct region_timeline *timeline;
	uint64_t own[VPMC_REGION_EVENTS];
	uint64_t pair[VPMC_REGION_EVENTS];
	struct region_node root;
};

/* Bytes of a struct region_thread with all parts of its root. */
#define REGION_THREAD_SIZE \
	(sizeof(struct region_thread) + 3 * VPMC_REGION_PAGE_SIZE)

/**
 * struct region_entry - a region, in all its places
 * @name: of it; in memory of its own
 * @hash: of the name
 * @nesting: for folding: how many of the present node and those around it have it
 * @flags: enum vpmc_region_flags bits
 * @calls: as in struct vpmc_region_counts
 * @inclusive: see there; [1] is without the cost of regions
 * @exclusive: see there, likewise
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
 * @entry: these, in the order in which they came
 * @nr: how many
 * @index: 1 + where each is in @entry, or 0; by hash, at the first free place
 * @places: of the index, a power of two and more than @nr; 0 without any
 * @set: what was counted in all threads
 * @about: what else to report; its nr and region are not used
 */
struct region_list {
	struct region_entry *entry;
	size_t nr;
	size_t *index;
	size_t places;
	struct vpmc_event_set set;
	struct vpmc_regions about;
};

#endif /* LIBVPMC_REGION_DATA_H */
