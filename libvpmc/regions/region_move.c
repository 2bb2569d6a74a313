// SPDX-License-Identifier: LGPL-2.1-or-later
/* Move a thread from one region to another if this needs the library. */
#include "regions/region_move.h"

/* Begin a region by a call. It becomes the last region that was begun within its parent. */
static void begin_by_call(const struct region_thread *thread,
			  struct region_node *node)
{
	while (!thread->begin(thread, node)) {
		vpmcint_region_restore(node);
		node->fast.parent->recent = &node->fast;
	}
}

/* Begin a region whose end needs a call, too. */
static void begin_without_site(const struct region_thread *thread,
			       struct region_node *node)
{
	vpmcint_region_match(node)->fast.site = NULL;
	vpmcint_region_match(node)->fast.two = NULL;
	vpmcint_region_match(node)->fast.timed = NULL;
	begin_by_call(thread, node);
}

void vpmcint_region_go_in_aside(const struct region_thread *thread,
				struct region_node *node,
				struct region_node *last)
{
	vpmcint_region_suspend(thread, last, node);
	begin_without_site(thread, node);
}

void vpmcint_region_go_in_by_call(const struct region_thread *thread,
				  struct region_node *node)
{
	/*
	 * If the region could have begun without the library, the library was called because there
	 * was no count.
	 */
	if (thread->mode <= REGION_TWO)
		begin_without_site(thread, node);
	else
		begin_by_call(thread, node);
}

static void end(const struct region_thread *thread, struct region_node *node)
{
	while (!thread->end(thread, node)) {
		if (!vpmcint_region_restore(node))
			vpmcint_region_lose(node);
	}
	if (node->suspends)
		vpmcint_region_continue(thread, node);
	if (thread->mode <= REGION_TWO)
		vpmcint_region_set_site(thread, node);
}

void vpmcint_region_go_out(const struct region_thread *thread,
			   const struct region_node *node)
{
	struct region_node *last;

	do {
		last = vpmcint_region_here();
		/* In the child of a signal handler that has forked, nothing is open. */
		if (last == &thread->root)
			return;
		end(thread, last);
	} while (last != node);
}
