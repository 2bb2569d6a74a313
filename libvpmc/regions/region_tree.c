// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Keep a thread's tree of regions.
 *
 * Signal handlers also look for regions and add regions. So signals are blocked while the
 * tree changes, and the tree is consistent whenever a handler runs.
 */
#include "regions/region_tree.h"

#include <errno.h>
#include <string.h>

#include "regions/region_signals.h"
#include "regions/region_sums.h"
#include "regions/region_timeline_entry.h"

#define PLACES_FIRST 64

/* Returns the index of the list for a node. */
static size_t place_of(const struct region_thread *thread,
		       const struct region_node *parent, const char *address)
{
	const uintptr_t key = (uintptr_t)parent / 16 + (uintptr_t)address;

	return ((uint32_t)key * 2654435769U >> 8) & (thread->places - 1);
}

struct region_node *vpmcint_region_look_up(const struct region_thread *thread,
					   const struct region_node *parent,
					   const char *address)
{
	struct region_node *node;

	if (!thread->places)
		return NULL;
	/* Names in different places of memory may have the same text. */
	node = thread->index[place_of(thread, parent, address)];
	while (node && (vpmcint_region_match(node)->address != address ||
			node->fast.parent != &parent->fast))
		node = node->next;
	return node;
}

static void put_in_index(struct region_thread *thread, struct region_node *node)
{
	const struct region_node *parent =
		vpmcint_region_node(node->fast.parent);
	struct region_node **place = &thread->index[place_of(
		thread, parent, vpmcint_region_match(node)->address)];

	node->next = *place;
	*place = node;
}

/* Make room for one more node. The smaller index is freed later, with the whole pool. */
static int grow_index(struct region_thread *thread)
{
	const size_t before = thread->places;
	const size_t places = before ? 4 * before : PLACES_FIRST;
	struct region_node **old = thread->index, **index;
	struct region_node *node, *next;
	size_t i;

	if (thread->nodes < before)
		return 0;
	index = vpmcint_region_take(&thread->pool,
				    places * sizeof(struct region_node *));
	if (!index)
		return -1;
	thread->index = index;
	thread->places = places;
	for (i = 0; i < before; i++) {
		for (node = old[i]; node; node = next) {
			next = node->next;
			put_in_index(thread, node);
		}
	}
	return 0;
}

void vpmcint_region_set_site(const struct region_thread *thread,
			     struct region_node *node)
{
	const bool is_inline = thread->mode == REGION_INLINE;

	vpmcint_region_match(node)->fast.site =
		is_inline && !thread->timeline
			? vpmcint_region_match(node)->address
			: NULL;
	vpmcint_region_match(node)->fast.timed =
		is_inline && vpmcint_timeline_prepare_node(thread, node)
			? vpmcint_region_match(node)->address
			: NULL;
	vpmcint_region_match(node)->fast.two =
		thread->mode == REGION_TWO ? vpmcint_region_match(node)->address
					   : NULL;
}

/* If a process does not write its regions at exit, perfex sees only this part of longer names. */
#define NAME_MOST 1000

/* Returns the bytes that a region takes in each page. @size is the size of its name. */
static size_t size_of_place(size_t size)
{
	const size_t shared = sizeof(struct vpmc_sums_region) +
			      (size < NAME_MOST ? size : NAME_MOST + 1);

	return shared > sizeof(struct region_node) ? shared
						   : sizeof(struct region_node);
}

/* Write the parent and the name for perfex. Write the size last. */
static void describe_node(const struct region_thread *thread,
			  const struct region_node *node)
{
	struct vpmc_sums_region *region = vpmcint_region_shared(node);
	const struct region_node *parent =
		vpmcint_region_node(node->fast.parent);
	const size_t size = size_of_place(strlen(node->name) + 1);

	if (!vpmcint_region_place_in_file(node))
		return;
	if (parent != &thread->root)
		region->parent = vpmcint_region_place_in_file(parent);
	memcpy(region->name, node->name, strnlen(node->name, NAME_MOST));
	__atomic_store_n(&region->size,
			 (uint32_t)(size + VPMC_SUMS_UNIT - 1) /
				 VPMC_SUMS_UNIT * VPMC_SUMS_UNIT,
			 __ATOMIC_RELEASE);
}

static struct region_node *make_node(struct region_thread *thread,
				     const char *name)
{
	const size_t size = strlen(name) + 1;
	char *copy = vpmcint_region_take(&thread->pool, size);
	struct region_node *node =
		copy ? vpmcint_region_take_place(thread, size_of_place(size))
		     : NULL;

	if (!node)
		return NULL;
	vpmcint_region_match(node)->address = name;
	node->name = memcpy(copy, name, size);
	node->hash = vpmcint_region_hash(name);
	node->fast.recent = &thread->root.fast;
	vpmcint_region_set_site(thread, node);
	return node;
}

static struct region_node *add_node(struct region_thread *thread,
				    struct region_node *parent,
				    const char *name)
{
	struct region_node *node;

	if (grow_index(thread))
		return NULL;
	node = make_node(thread, name);
	if (!node)
		return NULL;
	node->fast.parent = &parent->fast;
	describe_node(thread, node);
	if (parent->last)
		parent->last->sibling = node;
	else
		parent->child = node;
	parent->last = node;
	put_in_index(thread, node);
	thread->nodes++;
	return node;
}

struct region_node *vpmcint_region_add(struct region_thread *thread,
				       struct region_node *parent,
				       const char *name)
{
	struct region_node *node;
	int saved = errno;
	sigset_t before;

	vpmcint_region_hold_signals(&before);
	/* A handler may just have added the node. */
	node = vpmcint_region_find(thread, parent, name);
	if (!node)
		node = add_node(thread, parent, name);
	vpmcint_region_release_signals(&before);
	errno = saved;
	return node;
}

void vpmcint_region_clear(struct region_thread *thread)
{
	vpmc_region_thread.region = &thread->root.fast;
	memset(&thread->root, 0, sizeof(thread->root));
	memset(vpmcint_region_match(&thread->root), 0,
	       sizeof(struct region_match));
	memset(vpmcint_region_sums(&thread->root), 0,
	       sizeof(struct vpmc_region_sums));
	thread->root.fast.recent = &thread->root.fast;
	thread->root.fast.parent = &thread->root.fast;
	thread->index = NULL;
	thread->places = 0;
	thread->nodes = 0;
	vpmcint_region_free_pages(&thread->pages);
	vpmcint_region_give_back(&thread->pool);
}
