/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* This header declares a thread's tree of regions. */
#ifndef LIBVPMC_REGION_TREE_H
#define LIBVPMC_REGION_TREE_H

#include <stddef.h>

#include "regions/region_data.h"

/* vpmcint_region_node() - get the node of a struct vpmc_region */
static inline struct region_node *
vpmcint_region_node(struct vpmc_region *region)
{
	_Static_assert(offsetof(struct region_node, fast) == 0, "");
	return (struct region_node *)(void *)region;
}

/*
 * vpmcint_region_last() - get the region that was begun last within another region; or
 * the root, whose changes have no effect
 */
static inline struct region_node *
vpmcint_region_last(const struct region_node *parent)
{
	return vpmcint_region_node(parent->fast.recent);
}

/* vpmcint_region_look_up() - find a region by the index, for vpmcint_region_find() */
struct region_node *vpmcint_region_look_up(const struct region_thread *thread,
					   const struct region_node *parent,
					   const char *address);

/**
 * vpmcint_region_find() - find a region within another region
 * @thread: the thread's regions
 * @parent: the outer region, or the root
 * @address: address of the name in the program
 *
 * Return: the region, or NULL if it was never begun within @parent.
 */
static inline struct region_node *
vpmcint_region_find(const struct region_thread *thread,
		    const struct region_node *parent, const char *address)
{
	struct region_node *node = parent->child;

	/* Most searches end before the index. */
	if (!node || vpmcint_region_match(node)->address == address)
		return node;
	node = node->sibling;
	if (!node || vpmcint_region_match(node)->address == address)
		return node;
	return vpmcint_region_look_up(thread, parent, address);
}

/**
 * vpmcint_region_add() - add a region to another region, unless it exists already
 * @thread: the thread's regions
 * @parent: the outer region, or the root
 * @name: name of the region, which is copied
 *
 * Return: the region, or NULL if there is no memory.
 */
struct region_node *vpmcint_region_add(struct region_thread *thread,
				       struct region_node *parent,
				       const char *name);

/* vpmcint_region_set_site() - let a region use the shortest path that the mode allows */
void vpmcint_region_set_site(const struct region_thread *thread,
			     struct region_node *node);

/* vpmcint_region_clear() - free all nodes, but not the root */
void vpmcint_region_clear(struct region_thread *thread);

#endif /* LIBVPMC_REGION_TREE_H */
