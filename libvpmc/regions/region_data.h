/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header defines the data of the library's files that keep regions. Each file's
 * functions are in its own header. A file calls only the files that
 * docs/internals/design.md lists before it.
 *
 * A thread has a tree of regions. A region that is begun in several other regions has
 * a node in each of them. When the thread exits, or the program asks, the tree is
 * folded into a list of names.
 */
#ifndef LIBVPMC_REGION_DATA_H
#define LIBVPMC_REGION_DATA_H

#include <stdbool.h>

#include "base/internal.h"
#include <vpmc_region_list.h>
#include <vpmc_region_sums.h>

#include "regions/region_page.h"
#include "regions/region_pool.h"

struct region_thread;
struct region_timeline;

/* A thread reads its counts in one of these modes. */
enum region_mode {
	REGION_INLINE, /* one count, by RDPMC without a call */
	REGION_TWO,    /* two counts, by RDPMC */
	REGION_RDPMC,  /* more counts, by RDPMC */
	REGION_CALL,   /* by system calls */
};

/**
 * struct region_place - a region in one place, for the timeline
 * @thread: number of the thread in the timeline that has its name, or 0
 * @region: number of the region in that thread
 * @is_missing: true if it is open, and the entry of its beginning is missing
 * @before: the counts when it was suspended
 */
struct region_place {
	uint32_t thread;
	uint32_t region;
	bool is_missing;
	uint64_t before[VPMC_REGION_EVENTS];
};

/**
 * struct region_node - a node: a region in one place
 * @fast: the part that vpmc_region_begin() and vpmc_region_end() use; it comes first, so that a
 *	pointer to it is a pointer to the node
 * @name: a copy of its name
 * @hash: hash of @name
 * @child: the first region that was begun in it
 * @last: the last region that was begun in it
 * @next: the next node in the same list of the thread's index
 * @sibling: the next node with the same parent
 * @suspends: the region that is suspended until this region ends. A signal handler has begun this
 *	region while the suspended region was being begun or ended.
 * @suspended: true if it is suspended
 * @uncounted: true if it was begun without a count
 * @broken: true if there was no count at a beginning or an end
 * @open: for folding: true if it has not ended
 * @entry: for folding: index of its name in the list
 * @inside: for folding: sums over the nodes below it
 * @timeline: data of region_timeline.c
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
	struct region_inside inside;
	struct region_place timeline;
};

/**
 * struct region_match - the part of a region that becomes 0 in a forked process
 * @fast: the part that vpmc_region_begin() and vpmc_region_end() use; it comes first
 * @address: address of its name in the program; the string may have been freed
 */
struct region_match {
	struct vpmc_region_match fast;
	const char *address;
};

/* vpmcint_region_match() - get the struct region_match of a region or a root */
static inline struct region_match *
vpmcint_region_match(const struct region_node *node)
{
	return (struct region_match *)(void *)((char *)node +
					       VPMC_REGION_PAGE_SIZE);
}

/*
 * vpmcint_region_sums() - get the struct vpmc_region_sums of a region or a root, which perfex may
 * also map
 */
static inline struct vpmc_region_sums *
vpmcint_region_sums(const struct region_node *node)
{
	return (struct vpmc_region_sums *)(void *)((char *)node +
						   2 * VPMC_REGION_PAGE_SIZE);
}

/* vpmcint_region_shared() - get the part of a region that perfex reads; not for a root */
static inline struct vpmc_sums_region *
vpmcint_region_shared(const struct region_node *node)
{
	return (struct vpmc_sums_region *)(void *)vpmcint_region_sums(node);
}

/**
 * struct region_thread - a thread's regions
 * @mode: the mode in which it reads counts
 * @begin: vpmcint_region_begin(), or a function that does more
 * @end: vpmcint_region_end(), or a function that does more
 * @prepare: if not NULL, a function that lets a region work without the library. The region must
 *	not be open. The function returns false if the region works so already, or if this is not
 *	possible.
 * @events: number of counts
 * @set: the events that the thread counts; all 0 if it does not count
 * @pages: memory of all nodes except @root
 * @pool: memory of the names of all nodes
 * @index: @places lists of nodes, by parent and address; also in @pool
 * @places: size of @index, a power of two; 0 without an index
 * @nodes: number of nodes in the index
 * @stale: true if the next vpmc_region_begin() must find out events and costs
 * @measuring: true while the costs are measured
 * @foreign: number of open regions that have left the tree
 * @mismatches: as in struct vpmc_regions
 * @restarts: as in struct vpmc_regions
 * @lost: as in struct vpmc_regions
 * @gaps: number of gaps in the counts before the thread had regions
 * @timeline: data of region_timeline.c, or NULL
 * @own: the part of a region's cost that the region itself counts
 * @pair: the whole cost of a region, including @own, which the regions around it count
 * @root: the place outside of all regions. It is the last member, because its other parts follow
 *	it.
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

/* A struct region_thread with all parts of its root has this number of bytes. */
#define REGION_THREAD_SIZE \
	(sizeof(struct region_thread) + 3 * VPMC_REGION_PAGE_SIZE)

#endif /* LIBVPMC_REGION_DATA_H */
