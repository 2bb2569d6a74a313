/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* This header declares how a thread takes and writes an entry of its timeline. */
#ifndef LIBVPMC_REGION_TIMELINE_ENTRY_H
#define LIBVPMC_REGION_TIMELINE_ENTRY_H

#include "regions/region_data.h"
#include "regions/region_timeline_window.h"

/* vpmcint_timeline_finish() - an entry that was taken is written, or so many are */
static inline void vpmcint_timeline_finish(struct region_timeline *timeline,
					   uint32_t entries)
{
	__atomic_fetch_add(&timeline->fast.done,
			   (uintptr_t)entries * timeline->size,
			   __ATOMIC_RELAXED);
}

/**
 * vpmcint_timeline_put() - write an entry, with the present time
 * @thread: the calling thread's regions, with a timeline
 * @node: the region, which has a name in the timeline
 * @kind: what the entry is
 * @count: its counts
 *
 * Return: false without room.
 */
bool vpmcint_timeline_put(const struct region_thread *thread,
			  const struct region_node *node,
			  enum vpmc_timeline_kind kind, const uint64_t *count);

/**
 * vpmcint_timeline_prepare_node() - give a region what its begin and end write themselves
 * @thread: the calling thread's regions
 * @node: the region
 *
 * Return: false if they cannot, or without a timeline.
 */
bool vpmcint_timeline_prepare_node(const struct region_thread *thread,
				   struct region_node *node);

/**
 * vpmcint_timeline_suspend() - what a region counts from now on is not its own
 * @thread: the calling thread's regions, which need not have a timeline
 * @node: the region
 * @count: the present counts
 */
void vpmcint_timeline_suspend(const struct region_thread *thread,
			      struct region_node *node, const uint64_t *count);

/* vpmcint_timeline_continue() - the contrary; note how much it was */
void vpmcint_timeline_continue(const struct region_thread *thread,
			       struct region_node *node, const uint64_t *count);

#endif /* LIBVPMC_REGION_TIMELINE_ENTRY_H */
