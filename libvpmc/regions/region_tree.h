/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* This header declares a thread's tree of regions. */
#ifndef LIBVPMC_REGION_TREE_H
#define LIBVPMC_REGION_TREE_H

#include <stddef.h>

#include "regions/region_data.h"

/* vpmcint_region_node() - the node of the part that begin and end use */
static inline struct region_node *
vpmcint_region_node(struct vpmc_region *region)
{
	_Static_assert(offsetof(struct region_node, fast) == 0, "");
	return (struct region_node *)(void *)region;
}

/*
 * vpmcint_region_last() - the region that was begun last within another one, or the
 * root if none was: nothing comes of what is done to that
 */
static inline struct region_node *
vpmcint_region_last(const struct region_node *parent)
{
	return vpmcint_region_node(parent->fast.recent);
}

/* vpmcint_region_look_up() - vpmcint_region_find() in the index */
struct region_node *vpmcint_region_look_up(const struct region_thread *thread,
					   const struct region_node *parent,
					   const char *address);

/**
 * vpmcint_region_find() - find a region within another one
 * @thread: whose regions these are
 * @parent: the other one, or the root
 * @address: where the program has the name
 *
 * Return: the region, or NULL if it was not begun there.
 */
static inline struct region_node *
vpmcint_region_find(const struct region_thread *thread,
		    const struct region_node *parent, const char *address)
{
	struct region_node *node = parent->child;

	/* Few are found without the index. */
	if (!node || vpmcint_region_match(node)->address == address)
		return node;
	node = node->sibling;
	if (!node || vpmcint_region_match(node)->address == address)
		return node;
	return vpmcint_region_look_up(thread, parent, address);
}

/**
 * vpmcint_region_add() - add a region to another one, unless it is there
 * @thread: whose regions these are
 * @parent: the other one, or the root
 * @name: of the region, which is copied
 *
 * Return: the region, or NULL without memory.
 */
struct region_node *vpmcint_region_add(struct region_thread *thread,
				       struct region_node *parent,
				       const char *name);

/* vpmcint_region_set_site() - let begin and end be as short as the mode allows */
void vpmcint_region_set_site(const struct region_thread *thread,
			     struct region_node *node);

/* vpmcint_region_clear() - free all nodes, but not the root */
void vpmcint_region_clear(struct region_thread *thread);

#endif /* LIBVPMC_REGION_TREE_H */
