/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Regions: a thread's tree of regions. */
#ifndef LIBVPMC_REGION_TREE_H
#define LIBVPMC_REGION_TREE_H

#include <stddef.h>

#include "region_data.h"

/* vpmcint_region_node() - the node of the part that begin and end use */
static inline struct region_node *
vpmcint_region_node(struct vpmc_region *region)
{
	_Static_assert(offsetof(struct region_node, fast) == 0, "");
	return (struct region_node *)(void *)region;
}

/**
 * vpmcint_region_child() - find a region within another one
 * @thread: whose regions these are
 * @parent: the other one, or the root
 * @name: of the region; a new one if there is none of this name
 *
 * Return: the region, or NULL without memory.
 */
struct region_node *vpmcint_region_child(const struct region_thread *thread,
					 struct region_node *parent,
					 const char *name);

/* vpmcint_region_clear() - free all nodes, but not the root */
void vpmcint_region_clear(struct region_thread *thread);

#endif /* LIBVPMC_REGION_TREE_H */
