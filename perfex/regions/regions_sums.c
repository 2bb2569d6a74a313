// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compute the counts of regions from sums, like libvpmc's region_fold.c in a process that
 * exits.
 */
#include "regions/regions_sums.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vpmc_region_list.h>
#include <vpmc_region_sums.h>

#include "util/stream.h"
#include "util/temporary.h"

/* A node that does not exist has this index. */
#define NONE SIZE_MAX

/**
 * struct node - a region in one place of a thread's calls
 * @place: its position in the file
 * @page: the head of its page
 * @parent: index of the node from which it was begun, or NONE
 * @child: index of a node that was begun within this node, or NONE
 * @sibling: index of the next node with the same @parent, or NONE
 * @entry: index of its name in the list
 * @counts: its counts
 * @inside: sums over the nodes within this node
 */
struct node {
	uint64_t place;
	const struct vpmc_sums_page *page;
	size_t parent;
	size_t child;
	size_t sibling;
	size_t entry;
	struct region_counts counts;
	struct region_inside inside;
};

/**
 * struct page - a page of the file
 * @head: copy of the whole page, which begins with this structure
 * @number: number of the page
 */
struct page {
	struct vpmc_sums_page *head;
	uint32_t number;
};

/**
 * struct sums - the file
 * @page: pages that belong to processes, in the order of their numbers
 * @nr: number of pages
 * @node: the regions of one process
 * @nodes: number of @node
 * @list: the regions of @node by name
 * @no_memory: true if memory was lacking
 */
struct sums {
	struct page *page;
	size_t nr;
	struct node *node;
	size_t nodes;
	struct region_list list;
	bool no_memory;
};

/*
 * Return the array with room for one more element, which is zeroed, or NULL. The size doubles
 * each time.
 */
static void *grow(void *array, size_t nr, size_t size)
{
	char *grown = array;

	if (!(nr & (nr - 1)))
		grown = reallocarray(array, nr ? 2 * nr : 1, size);
	if (grown)
		memset(grown + nr * size, 0, size);
	return grown;
}

/* Check the numbers of a page, because other functions rely on them. */
static bool is_page(const struct vpmc_sums_page *page)
{
	return page->process && page->counts <= VPMC_SUMS_EVENTS &&
	       page->events <= page->counts;
}

static void add_page(struct sums *sums, uint32_t number,
		     const struct vpmc_sums_page *head)
{
	struct vpmc_sums_page *copy = malloc(VPMC_SUMS_PAGE);
	struct page *page = grow(sums->page, sums->nr, sizeof(*page));

	if (page)
		sums->page = page;
	if (!copy || !page) {
		sums->no_memory = true;
		free(copy);
		return;
	}
	memcpy(copy, head, VPMC_SUMS_PAGE);
	page[sums->nr++] = (struct page){ copy, number };
}

/* Read the pages. Returns false if the file cannot be read. */
static bool read_pages(struct sums *sums, const struct regions_left *left,
		       int fd)
{
	union {
		struct vpmc_sums_page page;
		char bytes[VPMC_SUMS_PAGE];
	} read;
	struct stat status;
	uint32_t number;
	off_t at;

	if (fstat(fd, &status))
		return false;
	for (number = 1; number < VPMC_SUMS_PAGES; number++) {
		number =
			find_block(fd, VPMC_SUMS_PAGE, number, VPMC_SUMS_PAGES);
		at = (off_t)number * VPMC_SUMS_PAGE;
		if (at + (off_t)VPMC_SUMS_PAGE > status.st_size)
			break;
		if (pread(fd, &read, sizeof(read), at) != sizeof(read))
			return false;
		if (is_page(&read.page) && !was_left(left, read.page.process))
			add_page(sums, number, &read.page);
	}
	return true;
}

/* Return the region at this place of a page, or NULL if there is none. */
static const struct vpmc_sums_region *
region_at(const struct vpmc_sums_page *page, size_t at)
{
	const size_t head = sizeof(struct vpmc_sums_region);
	const struct vpmc_sums_region *region;

	if (at > VPMC_SUMS_PAGE - head)
		return NULL;
	region = (const void *)((const char *)page + at);
	if (region->size <= head || region->size > VPMC_SUMS_PAGE - at ||
	    region->size % VPMC_SUMS_UNIT)
		return NULL;
	return region;
}

static int compare_places(const void *a, const void *b)
{
	const struct node *one = a, *other = b;

	return (one->place > other->place) - (one->place < other->place);
}

/* Find a parent. Nodes are in the order of their places, and a parent precedes its children. */
static size_t find_parent(const struct sums *sums, uint64_t place)
{
	const struct node key = { .place = place };
	const struct node *found;

	if (!place || !sums->nodes)
		return NONE;
	found = bsearch(&key, sums->node, sums->nodes, sizeof(key),
			compare_places);
	return found ? (size_t)(found - sums->node) : NONE;
}

static void compute_counts(struct node *node,
			   const struct vpmc_sums_region *region)
{
	struct region_counts *const counts = &node->counts;
	uint64_t sum;
	unsigned int i;

	counts->calls = region->calls;
	for (i = 0; i < node->page->counts; i++) {
		sum = region->sum[i];
		if (!i && ((sum >> 63) ^ (sum >> 62 & 1)))
			sum ^= VPMC_SUMS_INTERRUPTED;
		/*
		 * The count at the end of the region is missing, so the region's count is
		 * unknown.
		 */
		if (sum >> 63)
			counts->flags = REGION_UNREAD;
		counts->inclusive[0][i] = sum;
	}
	if (region->is_broken || counts->flags || !node->page->counts)
		counts->flags |= VPMC_REGION_NO_INCLUSIVE;
}

/* Find the entry of a region's name. Returns its index, or -1 if there is no memory. */
static long find_entry(struct sums *sums, const struct vpmc_sums_region *region)
{
	char *name = strndup(region->name, region->size - sizeof(*region));
	long entry = -1;

	if (name)
		entry = vpmcint_region_entry(&sums->list, name,
					     vpmcint_region_hash(name));
	free(name);
	return entry;
}

static void add_node(struct sums *sums, const struct vpmc_sums_page *page,
		     uint64_t place, const struct vpmc_sums_region *region)
{
	const size_t parent = find_parent(sums, region->parent);
	const long entry = find_entry(sums, region);
	struct node *node = grow(sums->node, sums->nodes, sizeof(*node));

	if (node)
		sums->node = node;
	if (!node || entry < 0) {
		sums->no_memory = true;
		return;
	}
	node += sums->nodes;
	node->child = NONE;
	node->sibling = NONE;
	if (parent != NONE) {
		node->sibling = sums->node[parent].child;
		sums->node[parent].child = sums->nodes;
	}
	sums->nodes++;
	node->place = place;
	node->page = page;
	node->parent = parent;
	node->entry = (size_t)entry;
	compute_counts(node, region);
}

static void add_nodes(struct sums *sums, size_t page)
{
	const uint64_t start =
		(uint64_t)sums->page[page].number * VPMC_SUMS_PAGE;
	const struct vpmc_sums_region *region;
	size_t at = VPMC_SUMS_FIRST;

	while ((region = region_at(sums->page[page].head, at))) {
		add_node(sums, sums->page[page].head, start + at, region);
		at += region->size;
	}
}

/* Add the counts of each node to its parent, which precedes the node. */
static void add_up(struct sums *sums)
{
	struct node *node;
	size_t at = sums->nodes;

	while (at--) {
		node = &sums->node[at];
		vpmcint_region_subtract_cost(&node->counts, &node->inside,
					     node->page->own, node->page->pair,
					     node->page->counts);
		if (node->parent != NONE)
			vpmcint_region_add_inside(
				&sums->node[node->parent].inside, &node->counts,
				&node->inside, node->page->counts);
	}
}

static void fold_node(const struct sums *sums, const struct node *node)
{
	vpmcint_region_add_place(&sums->list.entry[node->entry], &node->counts,
				 &node->inside, node->page->counts);
}

static void leave_node(const struct sums *sums, const struct node *node)
{
	sums->list.entry[node->entry].nesting--;
}

/* Fold a node without a parent, and all nodes below it. */
static void fold_tree(const struct sums *sums, size_t root)
{
	const struct node *node = sums->node;
	size_t at = root;

	for (;;) {
		fold_node(sums, &node[at]);
		if (node[at].child != NONE) {
			at = node[at].child;
			continue;
		}
		leave_node(sums, &node[at]);
		while (at != root && node[at].sibling == NONE) {
			at = node[at].parent;
			leave_node(sums, &node[at]);
		}
		if (at == root)
			return;
		at = node[at].sibling;
	}
}

static bool has_same_events(const struct vpmc_sums_page *a,
			    const struct vpmc_sums_page *b)
{
	return a->counts == b->counts && a->events == b->events &&
	       !memcmp(a->event, b->event, a->events * sizeof(*a->event));
}

/* Describe the events of a process by one of its pages. */
static void describe(struct region_list *list,
		     const struct vpmc_sums_page *page)
{
	unsigned int i;

	list->about.events = page->counts;
	list->set.nr = page->events;
	for (i = 0; i < page->events; i++) {
		list->set.sel[i].code = page->event[i].code;
		list->set.sel[i].counter = page->event[i].counter;
		list->set.sel[i].modes = page->event[i].modes;
	}
}

static void parse_lines(struct regions_left *left, char *text)
{
	char *line;

	while ((line = strsep(&text, "\n")))
		parse_line(left, line);
}

static void print_process(struct sums *sums, struct regions_left *left,
			  const struct vpmc_sums_page *page)
{
	char *text = NULL;
	size_t at, size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out) {
		sums->no_memory = true;
		return;
	}
	add_up(sums);
	for (at = 0; at < sums->nodes; at++) {
		if (sums->node[at].parent == NONE)
			fold_tree(sums, at);
	}
	describe(&sums->list, page);
	vpmcint_region_print_list(out, &sums->list, page->pid, "", 0);
	if (close_stream(out))
		parse_lines(left, text);
	else
		sums->no_memory = true;
	free(text);
}

/* Compare pages by process, and then by number. */
static int compare_pages(const void *a, const void *b)
{
	const struct page *one = a, *other = b;
	const uint32_t process = one->head->process;

	if (process != other->head->process)
		return process < other->head->process ? -1 : 1;
	return (one->number > other->number) - (one->number < other->number);
}

/*
 * Add all pages of the process that owns page @first. Returns the index of the next process's
 * first page.
 */
static size_t sum_process(struct sums *sums, struct regions_left *left,
			  size_t first)
{
	const uint32_t process = sums->page[first].head->process;
	const struct vpmc_sums_page *one = NULL;
	struct vpmc_sums_page *head;
	size_t at;

	memset(&sums->list, 0, sizeof(sums->list));
	sums->node = NULL;
	sums->nodes = 0;
	for (at = first; at < sums->nr; at++) {
		head = sums->page[at].head;
		if (head->process != process)
			break;
		sums->list.about.lost += head->lost;
		if (!head->tree)
			continue;
		if (!one)
			one = head;
		if (has_same_events(one, head))
			add_nodes(sums, at);
		else
			sums->list.about.other_events +=
				head->tree == sums->page[at].number;
	}
	if (one && !sums->no_memory)
		print_process(sums, left, one);
	vpmcint_region_free_list(&sums->list);
	free(sums->node);
	return at;
}

int add_sums(struct regions_left *left, int fd)
{
	struct sums sums = { .nr = 0 };
	const bool is_read = read_pages(&sums, left, fd);
	struct vpmc_sums_file head;
	size_t at;

	if (pread(fd, &head, sizeof(head), 0) == sizeof(head) &&
	    head.magic == VPMC_SUMS_MAGIC)
		left->missing = head.missing;
	if (sums.nr)
		qsort(sums.page, sums.nr, sizeof(*sums.page), compare_pages);
	for (at = 0; at < sums.nr;)
		at = sum_process(&sums, left, at);
	for (at = 0; at < sums.nr; at++)
		free(sums.page[at].head);
	free(sums.page);
	left->no_memory |= sums.no_memory;
	return is_read ? 0 : PERFEX_SYSTEM;
}
