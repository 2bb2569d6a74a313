/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header declares the recording of the times at which regions begin and end, for
 * perfex --timeline.
 *
 * In a thread that has a timeline begins and ends record the time: with one event without
 * the library, if there is room, else by calls. Threads without a timeline do not use these
 * functions.
 */
#ifndef LIBVPMC_REGION_TIMELINE_H
#define LIBVPMC_REGION_TIMELINE_H

#include "regions/region_data.h"

/**
 * vpmcint_region_timeline_start() - record begins and ends from now on, if there is a file
 * @thread: the calling thread's regions, after vpmcint_region_source(); none is open
 */
void vpmcint_region_timeline_start(struct region_thread *thread);

/*
 * vpmcint_region_timeline_forget() - forget the entries that were recorded while the costs
 * were measured, record the costs, and measure the cost of a new window
 */
void vpmcint_region_timeline_forget(struct region_thread *thread);

/**
 * vpmcint_region_timeline_here() - remember which begins and ends are in progress, for a
 * jump
 * @thread: the calling thread's regions
 * @node: the region that it is in, to which longjmp(3) may return
 */
void vpmcint_region_timeline_here(const struct region_thread *thread,
				  struct region_node *node);

/**
 * vpmcint_region_timeline_unwind() - forget the begins and ends that a jump has left
 * @thread: the calling thread's regions
 * @here: the region to which it has returned
 *
 * A signal handler may have left a begin or an end that it interrupted.
 */
void vpmcint_region_timeline_unwind(const struct region_thread *thread,
				    const struct region_node *here);

/*
 * vpmcint_region_timeline_close() - close a thread's timeline when it exits; its entries
 * remain
 */
void vpmcint_region_timeline_close(struct region_thread *thread);

#endif /* LIBVPMC_REGION_TIMELINE_H */
