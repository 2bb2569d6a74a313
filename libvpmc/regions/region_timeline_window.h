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
 * struct region_timeline - a thread's
 * @fast: where the window goes on; first, as begin and end find it
 * @window: where it writes, NULL without any
 * @thread: its number in the file, 0 before it has any
 * @regions: how many regions it has given numbers
 * @turn: that of the present window, or else of the next one
 * @size: bytes of an entry
 * @is_full: there is no room for another window
 * @inside: what make_ready() has counted last between its reads
 * @around: what it counts outside of them, whatever it does
 *
 * The kernel makes all of it 0 in a forked process: a child has nothing in its
 * parent's window.
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

/* vpmcint_timeline_at() - the entry at an address, in which a window goes on */
static inline char *vpmcint_timeline_at(uintptr_t address)
{
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): one instruction adds to it */
	return (char *)address;
}

/* Entries that a begin leaves to the ends of the regions around, and to handlers. */
#define TIMELINE_SPARE 256U

/* vpmcint_timeline_has_room() - whether so many entries fit into the window */
static inline bool
vpmcint_timeline_has_room(const struct region_timeline *timeline,
			  uint32_t entries)
{
	const uintptr_t next =
		__atomic_load_n(&timeline->fast.next, __ATOMIC_RELAXED);

	/* Begins and ends may look at what is after the window, and go back. */
	return next + (uintptr_t)entries * timeline->size <=
		       timeline->fast.ends &&
	       timeline->window;
}

/*
 * vpmcint_timeline_busy() - bytes of all entries that are being written, by begins and
 * ends that signal handlers have interrupted: the window stays
 */
static inline uintptr_t
vpmcint_timeline_busy(const struct region_timeline *timeline)
{
	const uintptr_t next =
		__atomic_load_n(&timeline->fast.next, __ATOMIC_RELAXED);
	const uintptr_t done =
		__atomic_load_n(&timeline->fast.done, __ATOMIC_RELAXED);

	/* A child of a fork may finish an entry of its parent. */
	return next > done ? next - done : 0;
}

/* vpmcint_timeline_has_name() - whether the timeline has the name of a region */
static inline bool
vpmcint_timeline_has_name(const struct region_timeline *timeline,
			  const struct region_node *node)
{
	return node->timeline.thread == timeline->thread;
}

/* vpmcint_timeline_forget_entries() - make all entries of the window 0 */
void vpmcint_timeline_forget_entries(struct region_timeline *timeline);

/* vpmcint_timeline_describe_events() - write into the window what the thread counts */
void vpmcint_timeline_describe_events(const struct region_thread *thread);

/**
 * vpmcint_timeline_change_window() - go on in a window without entries, if there is one
 * @thread: the calling thread's regions, with a timeline
 * @anew: it has started to count other events
 */
void vpmcint_timeline_change_window(const struct region_thread *thread,
				    bool anew);

#endif /* LIBVPMC_REGION_TIMELINE_WINDOW_H */
