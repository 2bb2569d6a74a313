/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Regions: when each begins and ends, for perfex --timeline.
 *
 * A thread that has a timeline begins and ends all its regions by calls, which note the
 * time. Threads without one do not take notice of this file.
 */
#ifndef LIBVPMC_REGION_TIMELINE_H
#define LIBVPMC_REGION_TIMELINE_H

#include "region_data.h"

/*
 * vpmcint_region_timeline_open() - open the file that perfex made, if it made one,
 * before the process changes what it may open
 */
void vpmcint_region_timeline_open(void);

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

/* vpmcint_region_timeline_close() - a thread exits; what was noted stays */
void vpmcint_region_timeline_close(struct region_thread *thread);

#endif /* LIBVPMC_REGION_TIMELINE_H */
