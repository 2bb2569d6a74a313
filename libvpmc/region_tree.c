// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Regions: a thread's tree.
 */
#include <stdlib.h>

#define VPMC_REGION_NO_PROBE
#include "region_tree.h"

struct region_node *vpmcint_region_child(const struct region_thread *thread,
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

void vpmcint_region_clear(struct region_thread *thread)
{
	struct region_node *node = &thread->root, *next;

	/* Go down to a leaf, free it, and continue from its parent. */
	while (node != &thread->root || node->child) {
		if (node->child) {
			node = node->child;
			continue;
		}
		next = vpmcint_region_node(node->fast.parent);
		next->child = node->sibling;
		free(node);
		node = next;
	}
	thread->root.last = NULL;
	thread->root.fast.recent = &vpmc_region_none;
	thread->root.fast.parent = &thread->root.fast;
	vpmc_region_thread.region = &thread->root.fast;
}
