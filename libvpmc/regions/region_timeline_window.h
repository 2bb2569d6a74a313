/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header declares a thread's timeline, and the windows of the file, which the thread
 * fills one after the other.
 */
#ifndef LIBVPMC_REGION_TIMELINE_WINDOW_H
#define LIBVPMC_REGION_TIMELINE_WINDOW_H

#include <stdbool.h>
#include <stdint.h>
#include <vpmc_timeline.h>

#include "regions/region_data.h"

/**
 * struct region_timeline - the timeline of a thread
 * @fast: position in the window; it comes first, because the functions of <vpmc_region.h>
 *	find it there
 * @window: the current window, or NULL
 * @thread: number of the thread in the file, or 0
 * @regions: number of regions that have numbers
 * @turn: turn of the current window, or of the next window if there is no current window
 * @size: size of an entry
 * @is_full: true if there is no room for another window
 * @inside: counts of the last make_ready() between its two reads
 * @around: counts of make_ready() before its first and after its second read. They are the
 *	same in each call.
 *
 * The kernel zeroes the structure in a forked process, because a child must not write to
 * its parent's window.
 */
struct region_timeline {
	struct vpmc_region_timeline fast;
	struct vpmc_timeline_window *window;
	uint32_t thread;
	uint32_t regions;
	uint32_t turn;
	uint32_t size;
	bool is_full;
	uint64_t inside[VPMC_REGION_EVENTS];
	uint64_t around[VPMC_REGION_EVENTS];
};

/*
 * The pointer to the window is also in the next page, which the kernel does not zero, so that a
 * forked process knows its parent's window. A timeline takes two pages.
 */
#define TIMELINE_SIZE (2 * VPMC_REGION_PAGE_SIZE)

static inline struct vpmc_timeline_window **
vpmcint_timeline_mapped(struct region_timeline *timeline)
{
	return (struct vpmc_timeline_window **)(void *)((char *)timeline +
							VPMC_REGION_PAGE_SIZE);
}

/* vpmcint_timeline_at() - get the entry at an address in a window */
static inline char *vpmcint_timeline_at(uintptr_t address)
{
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): one instruction adds to it */
	return (char *)address;
}

/*
 * vpmc_region_begin() leaves this number of entries to the ends of the regions around it, and to
 * handlers.
 */
#define TIMELINE_SPARE 256U

/* vpmcint_timeline_has_room() - return whether @entries entries fit into the window */
static inline bool
vpmcint_timeline_has_room(const struct region_timeline *timeline,
			  uint32_t entries)
{
	const uintptr_t next =
		__atomic_load_n(&timeline->fast.next, __ATOMIC_RELAXED);

	/* The functions of <vpmc_region.h> may advance beyond the window for a moment. */
	return next + (uintptr_t)entries * timeline->size <=
		       timeline->fast.ends &&
	       timeline->window;
}

/*
 * vpmcint_timeline_busy() - compute the bytes of all entries that are being written,
 * because signal handlers have interrupted their functions. The window must not change
 * unless this is 0.
 */
static inline uintptr_t
vpmcint_timeline_busy(const struct region_timeline *timeline)
{
	const uintptr_t next =
		__atomic_load_n(&timeline->fast.next, __ATOMIC_RELAXED);
	const uintptr_t done =
		__atomic_load_n(&timeline->fast.done, __ATOMIC_RELAXED);

	/* The child of a fork may finish an entry of its parent. */
	return next > done ? next - done : 0;
}

/* vpmcint_timeline_has_name() - return whether the timeline has the name of a region */
static inline bool
vpmcint_timeline_has_name(const struct region_timeline *timeline,
			  const struct region_node *node)
{
	return node->timeline.thread == timeline->thread;
}

/* vpmcint_timeline_forget_entries() - zero all entries of the window */
void vpmcint_timeline_forget_entries(struct region_timeline *timeline);

/* vpmcint_timeline_describe_events() - write the thread's events into the window */
void vpmcint_timeline_describe_events(const struct region_thread *thread);

/**
 * vpmcint_timeline_change_window() - continue in an empty window, if there is room for a window
 * @thread: the calling thread's regions, with a timeline
 * @anew: true if the thread has started to count other events
 */
void vpmcint_timeline_change_window(const struct region_thread *thread,
				    bool anew);

#endif /* LIBVPMC_REGION_TIMELINE_WINDOW_H */
