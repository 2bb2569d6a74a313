// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Regions: what begin and end leave to a function, and a thread's life.
 */
#include <stdlib.h>
#include <string.h>

#define VPMC_REGION_NO_PROBE
#include "region.h"

__thread struct region_thread *vpmcint_regions;

static struct region_node *node_of(struct vpmc_region *region)
{
	_Static_assert(offsetof(struct region_node, fast) == 0, "");
	return (struct region_node *)(void *)region;
}

static struct region_node *current(void)
{
	return node_of(vpmc_region_thread.region);
}

/* The child of this name, a new one if there is none; NULL without memory. */
static struct region_node *child_of(const struct region_thread *thread,
				    struct region_node *parent,
				    const char *name)
{
	struct region_node **place = &parent->child;

	/* Names in different places of memory may have the same text. */
	while (*place && (*place)->name != name)
		place = &(*place)->sibling;
	if (*place)
		return *place;
	*place = calloc(1, sizeof(**place));
	if (!*place)
		return NULL;
	(*place)->name = name;
	(*place)->fast.parent = &parent->fast;
	(*place)->fast.recent = &vpmc_region_none;
	if (thread->mode == REGION_INLINE)
		(*place)->fast.site = name;
	return *place;
}

static void begin(const struct region_thread *thread, struct region_node *node)
{
	uint64_t count[VPMC_REGION_EVENTS];
	unsigned int i;

	vpmc_region_thread.region = &node->fast;
	node->fast.calls++;
	if (!vpmcint_region_counts(thread, count)) {
		node->broken = true;
		return;
	}
	for (i = 0; i < thread->events; i++)
		node->fast.sum[i] -= count[i];
}

static void end(const struct region_thread *thread, struct region_node *node)
{
	uint64_t count[VPMC_REGION_EVENTS];
	unsigned int i;

	if (vpmcint_region_counts(thread, count)) {
		for (i = 0; i < thread->events; i++)
			node->fast.sum[i] += count[i];
	} else {
		node->broken = true;
	}
	vpmc_region_thread.region = node->fast.parent;
}

/* From no region to the root of a tree. */
static int open_thread(struct vpmc_error *err)
{
	struct region_thread *thread;
	int ret = vpmcint_region_open_process(err);

	if (ret)
		return ret;
	thread = calloc(1, sizeof(*thread));
	if (!thread)
		return vpmcint_fail(err, VPMC_E_MEMORY,
				    "cannot count regions: out of memory");
	vpmcint_region_joined(thread);
	vpmcint_regions = thread;
	vpmcint_region_source(thread);
	vpmcint_region_calibrate(thread);
	return 0;
}

int vpmc_regions_open(struct vpmc_error *err)
{
	return vpmcint_regions ? 0 : open_thread(err);
}

int vpmc_region_enter(const char *name)
{
	struct region_thread *thread = vpmcint_regions;
	struct region_node *node;

	if (thread && thread->mode == REGION_TWO &&
	    vpmcint_region_begin_two(name))
		return 0;
	if (vpmc_regions_open(NULL))
		return 0;
	thread = vpmcint_regions;
	node = child_of(thread, current(), name);
	if (!node) {
		thread->lost++;
		thread->foreign++;
		return 0;
	}
	if (thread->mode == REGION_INLINE) {
		vpmc_region_thread.region->recent = &node->fast;
		return 1;
	}
	/* Always by the same way, so that it always costs the same. */
	if (thread->mode == REGION_TWO && current()->last != node) {
		current()->last = node;
		return 1;
	}
	begin(thread, node);
	return 0;
}

/* The region that an end means, or NULL if none of that name is open. */
static struct region_node *find_open(const struct region_thread *thread,
				     const char *name)
{
	struct region_node *node = current();

	/* Without a look at the text where that can be: it is in the cost. */
	while (node != &thread->root && node->name != name &&
	       strcmp(node->name, name) != 0)
		node = node_of(node->fast.parent);
	return node == &thread->root ? NULL : node;
}

void vpmc_region_leave(const char *name)
{
	struct region_thread *thread = vpmcint_regions;
	struct region_node *node, *last;

	if (!thread)
		return;
	if (thread->mode == REGION_TWO && vpmcint_region_end_two(name))
		return;
	node = find_open(thread, name);
	if (!node && thread->foreign) {
		thread->foreign--;
		return;
	}
	if (node != current())
		thread->mismatches++;
	if (!node)
		return;
	do {
		last = current();
		end(thread, last);
	} while (last != node);
}

void vpmcint_region_clear(struct region_thread *thread)
{
	struct region_node *node = &thread->root, *next;

	/* Down to a leaf, which is freed, and from its parent again. */
	while (node != &thread->root || node->child) {
		if (node->child) {
			node = node->child;
			continue;
		}
		next = node_of(node->fast.parent);
		next->child = node->sibling;
		free(node);
		node = next;
	}
	thread->root.last = NULL;
	thread->root.fast.recent = &vpmc_region_none;
	thread->root.fast.parent = &thread->root.fast;
	vpmc_region_thread.region = &thread->root.fast;
}

/* Forget the tree. What is open in it will end all the same. */
static void begin_anew(struct region_thread *thread)
{
	struct region_node *node;

	for (node = current(); node != &thread->root;
	     node = node_of(node->fast.parent))
		thread->foreign++;
	if (thread->root.child && thread->generation)
		thread->restarts++;
	vpmcint_region_clear(thread);
}

/*
 * The thread has started to count, or let its page show the present counts. If
 * these are the same as before, regions that are open may have begun without.
 */
void vpmcint_region_changed(void)
{
	struct region_thread *thread = vpmcint_regions;
	struct region_thread now = { .events = 0 };
	struct region_node *node;

	if (!thread)
		return;
	vpmcint_region_source(&now);
	if (now.generation == thread->generation) {
		for (node = current(); node != &thread->root;
		     node = node_of(node->fast.parent))
			node->broken = true;
		return;
	}
	begin_anew(thread);
	thread->mode = now.mode;
	thread->events = now.events;
	thread->generation = now.generation;
	vpmcint_region_calibrate(thread);
}

void vpmcint_region_close_thread(void)
{
	struct region_thread *thread = vpmcint_regions;

	if (!thread)
		return;
	vpmcint_region_left(thread);
	vpmcint_region_clear(thread);
	vpmc_region_thread.region = &vpmc_region_none;
	vpmcint_regions = NULL;
	free(thread);
}

void vpmcint_region_forked(void)
{
	struct region_thread *thread = vpmcint_regions;

	if (!thread)
		return;
	begin_anew(thread);
	thread->restarts = 0;
	thread->mismatches = 0;
	thread->lost = 0;
	vpmcint_region_source(thread);
	vpmcint_region_calibrate(thread);
}
