/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* This header declares moves from one region to another that need the library. */
#ifndef LIBVPMC_REGION_MOVE_H
#define LIBVPMC_REGION_MOVE_H

#include "regions/region_count.h"
#include "regions/region_tree.h"

/* vpmcint_region_here() - get the region that the calling thread is in, or its root */
static inline struct region_node *vpmcint_region_here(void)
{
	return vpmcint_region_node(vpmc_region_thread.region);
}

/*
 * vpmcint_region_go_in_aside() - begin a region in a signal handler, while another region
 * is being begun or ended; the other region is suspended, because it is not around this
 * region
 */
void vpmcint_region_go_in_aside(const struct region_thread *thread,
				struct region_node *node,
				struct region_node *last);

/* vpmcint_region_go_in_by_call() - begin a region whose end needs a call, too */
void vpmcint_region_go_in_by_call(const struct region_thread *thread,
				  struct region_node *node);

/**
 * vpmcint_region_go_in() - begin a region
 * @thread: the calling thread's regions
 * @node: the region, within the current region
 * @last: vpmcint_region_last() of the current region
 *
 * Return: 1 if vpmc_region_begin() must try again, because it can do the rest; or 0.
 */
static inline int vpmcint_region_go_in(const struct region_thread *thread,
				       struct region_node *node,
				       struct region_node *last)
{
	if (last != node) {
		vpmcint_region_interrupt(last);
		if (vpmcint_region_runs(last)) {
			vpmcint_region_go_in_aside(thread, node, last);
			return 0;
		}
		node->fast.parent->recent = &node->fast;
	}
	if (thread->mode <= REGION_TWO) {
		/* Take the same path each time, so that the cost is always the same. */
		if (vpmcint_region_restore(node) || last != node ||
		    (thread->prepare && thread->prepare(thread, node)))
			return 1;
	} else {
		if (last != node)
			vpmcint_region_restore(node);
		if (thread->begin(thread, node))
			return 0;
	}
	vpmcint_region_go_in_by_call(thread, node);
	return 0;
}

/**
 * vpmcint_region_go_out() - end regions
 * @thread: the calling thread's regions
 * @node: the last region to end: the current region, or a region around it
 */
void vpmcint_region_go_out(const struct region_thread *thread,
			   const struct region_node *node);

#endif /* LIBVPMC_REGION_MOVE_H */
