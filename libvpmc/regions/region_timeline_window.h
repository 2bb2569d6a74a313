/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A thread's timeline, and the windows of the file that it writes into one after the other.
 */
#ifndef LIBVPMC_REGION_TIMELINE_WINDOW_H
#define LIBVPMC_REGION_TIMELINE_WINDOW_H

#include <stdbool.h>
#include <stdint.h>
#include <vpmc_timeline.h>

#include "regions/region_data.h"

/**
 * struct region_timeline - a thread's
 * @window: where it writes, NULL without any
 * @thread: its number in the file, 0 before it has any
 * @regions: how many regions it has given numbers
 * @busy: how many begins and ends are under way, all but one of them interrupted by
 *	signal handlers: the window stays. Each one restores what it has found, because
 *	a handler may have left others by longjmp(3).
 * @turn: that of the present window, or else of the next one
 * @size: bytes of an entry
 * @room: how many a window has
 * @is_full: there is no room for another window
 * @inside: what make_ready() has counted last between its reads
 * @around: what it counts outside of them, whatever it does
 *
 * The kernel makes all of it 0 in a forked process: a child has nothing in its
 * parent's window.
 */
struct region_timeline {
	struct vpmc_timeline_window *window;
	uint32_t thread;
	uint32_t regions;
	unsigned int busy;
	uint32_t turn;
	uint32_t size;
	uint32_t room;
	bool is_full;
	uint64_t inside[VPMC_REGION_EVENTS];
	uint64_t around[VPMC_REGION_EVENTS];
};

/* vpmcint_timeline_has_room() - whether so many entries fit into the window */
static inline bool
vpmcint_timeline_has_room(const struct region_timeline *timeline,
			  uint32_t entries)
{
	struct vpmc_timeline_window *window = timeline->window;

	return window &&
	       __atomic_load_n(&window->used, __ATOMIC_RELAXED) + entries <=
		       timeline->room;
}

/* vpmcint_timeline_has_name() - whether the timeline has the name of a region */
static inline bool
vpmcint_timeline_has_name(const struct region_timeline *timeline,
			  const struct region_node *node)
{
	return node->timeline.thread == timeline->thread;
}

/* vpmcint_timeline_forget_entries() - make all entries of the window 0 */
void vpmcint_timeline_forget_entries(const struct region_timeline *timeline);

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
