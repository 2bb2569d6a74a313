/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* This header declares how a thread takes and writes an entry of its timeline. */
#ifndef LIBVPMC_REGION_TIMELINE_ENTRY_H
#define LIBVPMC_REGION_TIMELINE_ENTRY_H

#include "regions/region_data.h"
#include "regions/region_timeline_window.h"

/* vpmcint_timeline_finish() - note that @entries taken entries have been written */
static inline void vpmcint_timeline_finish(struct region_timeline *timeline,
					   uint32_t entries)
{
	__atomic_fetch_add(&timeline->fast.done,
			   (uintptr_t)entries * timeline->size,
			   __ATOMIC_RELAXED);
}

/**
 * vpmcint_timeline_put() - write an entry with the current time
 * @thread: the calling thread's regions, with a timeline
 * @node: the region, which has a name in the timeline
 * @kind: kind of the entry
 * @count: counts of the entry
 *
 * Return: false if there is no room.
 */
bool vpmcint_timeline_put(const struct region_thread *thread,
			  const struct region_node *node,
			  enum vpmc_timeline_kind kind, const uint64_t *count);

/**
 * vpmcint_timeline_prepare_node() - set the words that vpmc_region_begin() and
 *	vpmc_region_end() write for a region
 * @thread: the calling thread's regions
 * @node: the region
 *
 * Return: false if these functions cannot write entries, or if there is no timeline.
 */
bool vpmcint_timeline_prepare_node(const struct region_thread *thread,
				   struct region_node *node);

/**
 * vpmcint_timeline_suspend() - exclude the counts of a region from now on
 * @thread: the calling thread's regions, which need not have a timeline
 * @node: the region
 * @count: the current counts
 */
void vpmcint_timeline_suspend(const struct region_thread *thread,
			      struct region_node *node, const uint64_t *count);

/*
 * vpmcint_timeline_continue() - undo vpmcint_timeline_suspend(), and record the excluded
 * counts
 */
void vpmcint_timeline_continue(const struct region_thread *thread,
			       struct region_node *node, const uint64_t *count);

#endif /* LIBVPMC_REGION_TIMELINE_ENTRY_H */
