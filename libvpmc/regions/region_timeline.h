/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header declares the recording of the times at which regions begin and end, for
 * perfex --timeline.
 *
 * In a thread that has a timeline, vpmc_region_begin() and vpmc_region_end() record the time. With
 * one event and enough room, they do not call the library. Threads without a timeline do not use
 * these functions.
 */
#ifndef LIBVPMC_REGION_TIMELINE_H
#define LIBVPMC_REGION_TIMELINE_H

#include "regions/region_data.h"

/**
 * vpmcint_region_timeline_start() - record regions from now on, if there is a file
 * @thread: the calling thread's regions, after vpmcint_region_source(); none is open
 */
void vpmcint_region_timeline_start(struct region_thread *thread);

/*
 * vpmcint_region_timeline_forget() - forget the entries that were recorded while the costs
 * were measured, record the costs, and measure the cost of a new window
 */
void vpmcint_region_timeline_forget(struct region_thread *thread);

/* vpmcint_region_timeline_here() returns at most this number. */
#define TIMELINE_HERE_MOST 15U

/**
 * vpmcint_region_timeline_here() - count the entries of calls that signal handlers have
 *	interrupted, and to which the handlers return
 * @thread: the calling thread's regions
 *
 * Return: the number, or TIMELINE_HERE_MOST if there are more.
 */
unsigned int vpmcint_region_timeline_here(const struct region_thread *thread);

/**
 * vpmcint_region_timeline_unwind() - forget the interrupted calls that a jump has left
 * @thread: the calling thread's regions
 * @here: vpmcint_region_timeline_here() in the code to which the jump has returned
 *
 * A signal handler may have left a call of vpmc_region_begin() or vpmc_region_end() that it
 * interrupted. Forget such calls. An interrupted call that continues when the caller has returned
 * is not forgotten, because it still needs the window.
 */
void vpmcint_region_timeline_unwind(const struct region_thread *thread,
				    unsigned int here);

/*
 * vpmcint_region_timeline_part() - replace the parent's window in a forked process, so
 * that the child can still finish an entry that a signal handler has interrupted
 */
void vpmcint_region_timeline_part(const struct region_thread *thread);

/*
 * vpmcint_region_timeline_close() - close a thread's timeline when it exits; its entries
 * remain
 */
void vpmcint_region_timeline_close(struct region_thread *thread);

#endif /* LIBVPMC_REGION_TIMELINE_H */
