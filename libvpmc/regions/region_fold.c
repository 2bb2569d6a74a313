// SPDX-License-Identifier: LGPL-2.1-or-later
/* Fold a thread's tree of regions into a list with one entry for each name. */
#include <string.h>

#include "regions/region_count.h"
#include "regions/region_fold.h"
#include "regions/region_tree.h"

static struct region_node *parent_of(const struct region_node *node)
{
	return vpmcint_region_node(node->fast.parent);
}

static struct region_node *deepest(struct region_node *node)
{
	while (node->child)
		node = node->child;
	return node;
}

/*
 * Returns the next node of a walk that visits children before their parents, or NULL after the
 * root.
 */
static struct region_node *next_upward(const struct region_thread *thread,
				       struct region_node *node)
{
	if (node == &thread->root)
		return NULL;
	return node->sibling ? deepest(node->sibling) : parent_of(node);
}

/* Returns the next node of a walk that visits parents before their children, without the root. */
static struct region_node *next_downward(const struct region_thread *thread,
					 struct region_node *node,
					 struct region_list *list)
{
	if (node->child)
		return node->child;
	for (; node != &thread->root; node = parent_of(node)) {
		if (list)
			list->entry[node->entry].nesting--;
		if (node->sibling)
			return node->sibling;
	}
	return NULL;
}

/* Compute the counts of a node. An open region has counts up to @now, the current counts. */
static void count_node(const struct region_thread *thread,
		       const struct region_node *node, const uint64_t *now,
		       struct region_counts *counts)
{
	const struct vpmc_region_sums *sums = vpmcint_region_sums(node);
	unsigned int i;

	counts->flags = (node->broken ? VPMC_REGION_NO_INCLUSIVE : 0) |
			(node->open ? VPMC_REGION_OPEN : 0);
	counts->calls = sums->calls;
	for (i = 0; i < thread->events; i++)
		counts->inclusive[0][i] =
			sums->sum[i] + (node->open ? now[i] : 0);
	vpmcint_region_subtract_cost(counts, &node->inside, thread->own,
				     thread->pair, thread->events);
}

/* Clear the last fold, and find out which regions are open. */
static void prepare_fold(struct region_thread *thread)
{
	struct region_node *node;

	for (node = &thread->root; node;
	     node = next_downward(thread, node, NULL)) {
		vpmcint_region_restore(node);
		node->open = false;
		memset(&node->inside, 0, sizeof(node->inside));
	}
	for (node = vpmcint_region_node(vpmc_region_thread.region);
	     node != &thread->root; node = parent_of(node))
		node->open = true;
}

/* For each node, add up the counts of the nodes below it. */
static void add_up(struct region_thread *thread, const uint64_t *now)
{
	struct region_counts counts;
	struct region_node *node;

	for (node = deepest(&thread->root); node != &thread->root;
	     node = next_upward(thread, node)) {
		count_node(thread, node, now, &counts);
		vpmcint_region_add_inside(&parent_of(node)->inside, &counts,
					  &node->inside, thread->events);
	}
}

/*
 * Count the gaps since the thread had regions. A gap that began before and ended after
 * the first region is included.
 */
static unsigned int new_gaps(const struct region_thread *thread)
{
	const unsigned int gaps = vpmcint_region_gaps(thread);

	return gaps > thread->gaps ? gaps - thread->gaps : 0;
}

static void fold_about(const struct region_thread *thread,
		       struct vpmc_regions *about)
{
	about->threads++;
	about->mismatches += thread->mismatches;
	about->restarts += thread->restarts;
	about->lost += thread->lost;
	about->stopped += new_gaps(thread);
}

/*
 * Mark regions whose counts are invalid. If a region has ended, but its sums still run
 * (vpmcint_region_runs()), a jump out of a signal handler has left the region.
 */
static void mark_broken(struct region_thread *thread, bool all, bool open)
{
	struct region_node *node;

	for (node = &thread->root; node;
	     node = next_downward(thread, node, NULL))
		node->broken |=
			all || (node->open ? open : vpmcint_region_runs(node));
}

/* Return whether counts can be added. Threads that start by themselves may count other events. */
static bool can_add(const struct vpmc_event_set *sum,
		    const struct vpmc_event_set *more)
{
	unsigned int i;

	if (sum->generation != more->generation || sum->nr != more->nr)
		return false;
	for (i = 0; i < sum->nr; i++) {
		if (sum->sel[i].code != more->sel[i].code ||
		    sum->sel[i].counter != more->sel[i].counter ||
		    sum->sel[i].modes != more->sel[i].modes)
			return false;
	}
	return true;
}

static int fold_nodes(struct region_thread *thread, const uint64_t *now,
		      struct region_list *list)
{
	struct region_counts counts;
	struct region_node *node;
	long entry;

	for (node = thread->root.child; node;
	     node = next_downward(thread, node, list)) {
		entry = vpmcint_region_entry(list, node->name, node->hash);
		if (entry < 0)
			return VPMC_E_MEMORY;
		node->entry = (size_t)entry;
		count_node(thread, node, now, &counts);
		vpmcint_region_add_place(&list->entry[entry], &counts,
					 &node->inside, thread->events);
	}
	return 0;
}

int vpmcint_region_fold(struct region_thread *thread, struct region_list *list)
{
	uint64_t now[VPMC_REGION_EVENTS] = { 0 };
	bool counted;

	if (list->about.threads && !can_add(&list->set, &thread->set)) {
		list->about.other_events++;
		return 0;
	}
	fold_about(thread, &list->about);
	list->set = thread->set;
	list->about.generation = thread->set.generation;
	list->about.events = thread->events;

	counted = vpmcint_region_counts(thread, now);
	prepare_fold(thread);
	/*
	 * If the counts are not current, all regions are invalid, because the region in which they
	 * changed is unknown.
	 */
	mark_broken(thread, !vpmcint_region_is_current(thread), !counted);
	add_up(thread, now);
	return fold_nodes(thread, now, list);
}
