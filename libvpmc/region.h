/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Shared by the files of the library that keep regions.
 *
 * A thread has a tree of regions: a node for each name in each place, that is,
 * in each node from which it is begun. When the thread exits, or the program
 * asks, the tree is folded into a list of names.
 */
#ifndef LIBVPMC_REGION_H
#define LIBVPMC_REGION_H

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

/*
 * The files, from the bottom up: each calls only those before it.
 *
 * region_tree.c: a thread's tree.
 */

/* vpmcint_region_node() - the node of the part that begin and end use */
static inline struct region_node *
vpmcint_region_node(struct vpmc_region *region)
{
	_Static_assert(offsetof(struct region_node, fast) == 0, "");
	return (struct region_node *)(void *)region;
}

/**
 * vpmcint_region_child() - find a region within another one
 * @thread: whose regions these are
 * @parent: the other one, or the root
 * @name: of the region; a new one if there is none of this name
 *
 * Return: the region, or NULL without memory.
 */
struct region_node *vpmcint_region_child(const struct region_thread *thread,
					 struct region_node *parent,
					 const char *name);

/* vpmcint_region_clear() - free all nodes, but not the root */
void vpmcint_region_clear(struct region_thread *thread);

/*
 * region_handle.c: the handle with which all threads of the process read.
 */

/* The lock of the handle and of all else that the process's threads share. */
void vpmcint_region_lock(void);
void vpmcint_region_unlock(void);

/**
 * vpmcint_region_open_handle() - open the handle, once
 * @err: receives the error, or NULL
 *
 * Return: 0 or the errors of vpmc_open().
 */
int vpmcint_region_open_handle(struct vpmc_error *err);

/* vpmcint_region_handle() - the handle, for reads alone, which need no lock */
struct vpmc *vpmcint_region_handle(void);

/* vpmcint_region_map() - vpmcint_map() on the handle; 0 or an error */
int vpmcint_region_map(void);

/*
 * region_count.c: where a thread's counts come from.
 */

/**
 * vpmcint_region_counts() - read the calling thread's counts
 * @thread: its regions
 * @count: receives them
 *
 * Return: false if there are none, or if they are not those of its regions.
 */
bool vpmcint_region_counts(const struct region_thread *thread,
			   uint64_t count[VPMC_REGION_EVENTS]);

/* vpmcint_region_begin() - begin a region, in any mode of the thread */
void vpmcint_region_begin(const struct region_thread *thread,
			  struct region_node *node);

/* vpmcint_region_end() - end the present region, likewise */
void vpmcint_region_end(const struct region_thread *thread,
			struct region_node *node);

/**
 * vpmcint_region_begin_two() - begin a region in a thread that reads two counts
 * @name: of it
 *
 * Return: false if another one was begun last in the present region, or there are
 * no counts: then nothing has changed.
 */
bool vpmcint_region_begin_two(const char *name);

/**
 * vpmcint_region_end_two() - end the present region, likewise
 * @name: of it
 *
 * Return: false if it has another one, or there are no counts: then nothing has
 * changed.
 */
bool vpmcint_region_end_two(const char *name);

/* vpmcint_region_same_start() - whether both sets are of the same start */
bool vpmcint_region_same_start(const struct vpmc_event_set *a,
			       const struct vpmc_event_set *b);

/**
 * vpmcint_region_events() - what the calling thread counts at present
 * @set: receives it, all 0 if the thread does not count
 */
void vpmcint_region_events(struct vpmc_event_set *set);

/**
 * vpmcint_region_source() - find out how the calling thread can read
 * @thread: its regions; mode, events and set are set
 */
void vpmcint_region_source(struct region_thread *thread);

/*
 * region_fold.c: from a thread's tree to a list of names.
 */

/**
 * vpmcint_region_fold() - add a thread's tree to a list
 * @thread: the thread's regions, of the calling thread
 * @list: the list. If threads of other counts or events are in it already, it
 *	only notes that this thread is missing.
 *
 * Return: 0 or VPMC_E_MEMORY; some of the regions are missing then.
 */
int vpmcint_region_fold(struct region_thread *thread, struct region_list *list);

/*
 * region_file.c: what a process leaves for perfex.
 */

/* vpmcint_region_write() - append a list to the file that perfex made */
void vpmcint_region_write(const char *path, const struct region_list *list);

/*
 * region_process.c: what the threads of a process have counted together.
 */

/* vpmcint_region_joined() - a thread has regions from now on */
void vpmcint_region_joined(void);

/* vpmcint_region_left() - a thread exits: keep what its regions have counted */
void vpmcint_region_left(struct region_thread *thread);

/*
 * vpmcint_region_alone() - after a fork: the calling thread is the only one of
 * the child; under the lock. @has_regions: whether it has regions
 */
void vpmcint_region_alone(bool has_regions);

/* vpmcint_region_leave_file() - write what the exited threads have counted */
void vpmcint_region_leave_file(const char *path);

/**
 * vpmcint_region_collected() - what a process has collected so far
 * @list: receives a copy of the list of the threads that have exited
 * @has_regions: whether the calling thread has regions: it is not counted in
 *	running
 *
 * Return: 0 or VPMC_E_MEMORY.
 */
int vpmcint_region_collected(struct region_list *list, bool has_regions);

/*
 * region.c: the slow paths of begin and end, and start and exit of a thread.
 * Above it is region_read.c: tables for the program.
 */

/* The calling thread's regions, or NULL if it has none. */
extern __thread struct region_thread *vpmcint_regions
	__attribute__((tls_model("initial-exec")));

#endif /* LIBVPMC_REGION_H */
