/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header declares the recording of when regions begin and end, for perfex --timeline.
 *
 * In a thread that has a timeline begins and ends note the time: with one event by
 * themselves, where there is room, else by calls. Threads without one do not take notice
 * of this file.
 */
#ifndef LIBVPMC_REGION_TIMELINE_H
#define LIBVPMC_REGION_TIMELINE_H

#include "regions/region_data.h"

/**
 * vpmcint_region_timeline_start() - note begins and ends from now on, if there is a file
 * @thread: the calling thread's regions, after vpmcint_region_source(); none is open
 */
void vpmcint_region_timeline_start(struct region_thread *thread);

/*
 * vpmcint_region_timeline_forget() - forget what was noted while the costs were measured,
 * note these, and measure what a new window costs
 */
void vpmcint_region_timeline_forget(struct region_thread *thread);

/**
 * vpmcint_region_timeline_here() - note which begins and ends are under way, for a jump
 * @thread: the calling thread's regions
 * @node: the region that it is in, to which it may come back by longjmp(3)
 */
void vpmcint_region_timeline_here(const struct region_thread *thread,
				  struct region_node *node);

/**
 * vpmcint_region_timeline_unwind() - forget the begins and ends that a jump has left
 * @thread: the calling thread's regions
 * @here: the region that it has come back to
 *
 * A signal handler may have left a begin or an end that it interrupted.
 */
void vpmcint_region_timeline_unwind(const struct region_thread *thread,
				    const struct region_node *here);

/* vpmcint_region_timeline_close() - a thread exits; what was noted stays */
void vpmcint_region_timeline_close(struct region_thread *thread);

#endif /* LIBVPMC_REGION_TIMELINE_H */
