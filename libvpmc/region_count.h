/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Regions: where a thread's counts come from. */
#ifndef LIBVPMC_REGION_COUNT_H
#define LIBVPMC_REGION_COUNT_H

#include "region_data.h"

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

#endif /* LIBVPMC_REGION_COUNT_H */
