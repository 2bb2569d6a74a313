// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Regions: from a thread's tree to a list of names.
 */
#include <stdlib.h>
#include <string.h>

#define VPMC_REGION_NO_PROBE
#include "region_count.h"
#include "region_fold.h"
#include "region_tree.h"

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

/* The next node, children before parents; after the root NULL. */
static struct region_node *next_upward(const struct region_thread *thread,
				       struct region_node *node)
{
	if (node == &thread->root)
		return NULL;
	return node->sibling ? deepest(node->sibling) : parent_of(node);
}

/* The next node, parents before children; without the root. */
static struct region_node *next_downward(const struct region_thread *thread,
					 struct region_node *node)
{
	if (node->child)
		return node->child;
	while (node != &thread->root && !node->sibling)
		node = parent_of(node);
	return node == &thread->root ? NULL : node->sibling;
}

static uint64_t less(uint64_t count, uint64_t cost)
{
	return count > cost ? count - cost : 0;
}

static bool is_open(const struct region_thread *thread,
		    const struct region_node *node)
{
	const struct vpmc_region *at = vpmc_region_thread.region;

	while (at != &thread->root.fast && at != &node->fast)
		at = at->parent;
	return at == &node->fast && node != &thread->root;
}

/**
 * struct numbers - inclusive counts of a node
 * @raw: the counts
 * @net: without the cost of regions
 */
struct numbers {
	uint64_t raw[VPMC_REGION_EVENTS];
	uint64_t net[VPMC_REGION_EVENTS];
};

/* @now: the present counts, for a region that is open */
static void inclusive(const struct region_thread *thread,
		      const struct region_node *node, const uint64_t *now,
		      struct numbers *numbers)
{
	const bool open = is_open(thread, node);
	unsigned int i;

	for (i = 0; i < thread->events; i++) {
		numbers->raw[i] = node->fast.sum[i] + (open ? now[i] : 0);
		numbers->net[i] = less(numbers->raw[i],
				       node->fast.calls * thread->own[i] +
					       node->below * thread->pair[i]);
	}
}

/* Add up for each node what is in the nodes below. */
static void add_up(struct region_thread *thread, const uint64_t *now)
{
	struct region_node *node, *parent;
	struct numbers numbers;
	unsigned int i;

	for (node = &thread->root; node; node = next_downward(thread, node)) {
		node->below = 0;
		memset(node->raw, 0, sizeof(node->raw));
		memset(node->net, 0, sizeof(node->net));
		node->broken_child = false;
	}
	for (node = deepest(&thread->root); node != &thread->root;
	     node = next_upward(thread, node)) {
		inclusive(thread, node, now, &numbers);
		parent = parent_of(node);
		parent->below += node->fast.calls + node->below;
		for (i = 0; i < thread->events; i++) {
			parent->raw[i] += numbers.raw[i];
			parent->net[i] += numbers.net[i];
		}
		parent->broken_child |= node->broken;
	}
}

static struct region_entry *entry_of(struct region_list *list, const char *name)
{
	struct region_entry *entry;
	size_t i;

	for (i = 0; i < list->nr; i++) {
		if (!strcmp(list->entry[i].name, name))
			return &list->entry[i];
	}
	entry = reallocarray(list->entry, list->nr + 1, sizeof(*entry));
	if (!entry)
		return NULL;
	list->entry = entry;
	entry += list->nr++;
	memset(entry, 0, sizeof(*entry));
	entry->name = name;
	return entry;
}

static bool is_outermost(const struct region_thread *thread,
			 struct region_node *node)
{
	const char *name = node->name;

	do {
		node = parent_of(node);
		if (node == &thread->root)
			return true;
	} while (strcmp(node->name, name) != 0);
	return false;
}

static void fold_node(const struct region_thread *thread,
		      struct region_node *node, const uint64_t *now,
		      struct region_entry *entry)
{
	const bool outermost = is_outermost(thread, node);
	struct numbers numbers;
	unsigned int i;

	inclusive(thread, node, now, &numbers);
	entry->calls += node->fast.calls;
	for (i = 0; i < thread->events; i++) {
		if (outermost) {
			entry->inclusive[0][i] += numbers.raw[i];
			entry->inclusive[1][i] += numbers.net[i];
		}
		entry->exclusive[0][i] += numbers.raw[i] - node->raw[i];
		entry->exclusive[1][i] += less(numbers.net[i], node->net[i]);
	}
	if (node->broken)
		entry->flags |= VPMC_REGION_NO_INCLUSIVE;
	if (node->broken || node->broken_child)
		entry->flags |= VPMC_REGION_NO_EXCLUSIVE;
	if (is_open(thread, node))
		entry->flags |= VPMC_REGION_OPEN;
}

static void fold_about(const struct region_thread *thread,
		       struct vpmc_regions *about)
{
	about->threads++;
	about->mismatches += thread->mismatches;
	about->restarts += thread->restarts;
	about->lost += thread->lost;
}

/*
 * There are no counts, or not those of the regions any more. Nobody knows in
 * which region that happened.
 */
static bool is_intact(const struct region_thread *thread)
{
	struct vpmc_event_set now;

	vpmcint_region_events(&now);
	return thread->set.generation &&
	       vpmcint_region_same_start(&now, &thread->set);
}

static void break_all(struct region_thread *thread)
{
	struct region_node *node;

	for (node = &thread->root; node; node = next_downward(thread, node))
		node->broken = true;
}

static void break_open(struct region_thread *thread)
{
	struct region_node *node;

	for (node = &thread->root; node; node = next_downward(thread, node))
		node->broken |= is_open(thread, node);
}

/* Threads that start by themselves may count other events. */
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

int vpmcint_region_fold(struct region_thread *thread, struct region_list *list)
{
	uint64_t now[VPMC_REGION_EVENTS] = { 0 };
	struct region_entry *entry;
	struct region_node *node;

	if (list->about.threads && !can_add(&list->set, &thread->set)) {
		list->about.other_events++;
		return 0;
	}
	fold_about(thread, &list->about);
	list->set = thread->set;
	list->about.generation = thread->set.generation;
	list->about.events = thread->events;

	if (!vpmcint_region_counts(thread, now))
		break_open(thread);
	if (!is_intact(thread))
		break_all(thread);
	add_up(thread, now);
	for (node = thread->root.child; node;
	     node = next_downward(thread, node)) {
		entry = entry_of(list, node->name);
		if (!entry)
			return VPMC_E_MEMORY;
		fold_node(thread, node, now, entry);
	}
	return 0;
}
