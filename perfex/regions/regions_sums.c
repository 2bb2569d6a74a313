// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compute the counts of regions from sums. libvpmc's region_fold.c does the same in a
 * process that exits.
 */
#include "regions/regions_sums.h"

#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vpmc_region_sums.h>

#include "util/stream.h"
#include "util/temporary.h"

/* This is the index of a missing node. */
#define NONE SIZE_MAX

/**
 * struct node - a region in one place of a thread's calls
 * @place: its position in the file
 * @page: the head of its page
 * @parent: index of the node from which it was begun, or NONE
 * @child: index of a node that was begun in it, or NONE
 * @sibling: index of the next node that was begun in the same one, or NONE
 * @total: the total of its name
 * @calls: number of calls
 * @below: number of calls in all nodes below
 * @raw: its counts
 * @net: its counts without the cost of regions
 * @inside: counts of the nodes that were begun in it; [1] without the cost of regions
 * @is_open: true if it had not ended
 * @is_broken: true if its counts are invalid
 * @has_broken: true if the counts of a node that was begun in it are invalid
 */
struct node {
	uint64_t place;
	const struct vpmc_sums_page *page;
	size_t parent;
	size_t child;
	size_t sibling;
	struct total *total;
	uint64_t calls;
	uint64_t below;
	uint64_t raw[VPMC_SUMS_EVENTS];
	uint64_t net[VPMC_SUMS_EVENTS];
	uint64_t inside[2][VPMC_SUMS_EVENTS];
	bool is_open;
	bool is_broken;
	bool has_broken;
};

/**
 * struct total - a region of a process in all its places
 * @name: its name
 * @nesting: for folding: number of places around the current one, including it, that have
 *	this name
 * @calls: number of calls
 * @inclusive: its inclusive counts; [1] without the cost of regions
 * @exclusive: its exclusive counts; [1] without the cost of regions
 * @is_open: true if it had not ended
 * @no_inclusive: true if its inclusive counts are invalid
 * @no_exclusive: true if its exclusive counts are invalid
 * @next: the region whose name the process used next for the first time, or NULL
 */
struct total {
	char *name;
	size_t nesting;
	uint64_t calls;
	uint64_t inclusive[2][VPMC_SUMS_EVENTS];
	uint64_t exclusive[2][VPMC_SUMS_EVENTS];
	bool is_open;
	bool no_inclusive;
	bool no_exclusive;
	struct total *next;
};

/**
 * struct page - a page of the file
 * @head: copy of the whole page, which begins with this
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
 * @tree: a tree, of tsearch(3), with the totals of the process by their names
 * @first: the first of these totals
 * @last: where the next new total is linked
 * @totals: number of these totals
 * @no_memory: true if memory was lacking
 */
struct sums {
	struct page *page;
	size_t nr;
	struct node *node;
	size_t nodes;
	void *tree;
	struct total *first;
	struct total **last;
	size_t totals;
	bool no_memory;
};

static uint64_t less(uint64_t count, uint64_t cost)
{
	return count > cost ? count - cost : 0;
}

/*
 * Returns the array with memory for one more element, which is zeroed; or NULL. The size
 * doubles each time.
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

/* Check the numbers that other code relies on. */
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

/* Returns the region at this place of a page, or NULL if there is none. */
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
	uint64_t sum;
	unsigned int i;

	node->is_broken = region->is_broken;
	for (i = 0; i < node->page->counts; i++) {
		sum = region->sum[i];
		if (!i && ((sum >> 63) ^ (sum >> 62 & 1)))
			sum ^= VPMC_SUMS_INTERRUPTED;
		/* Without the count at its end, the count of the region is unknown. */
		if (sum >> 63)
			node->is_open = true;
		node->raw[i] = sum;
	}
	node->is_broken |= node->is_open || !node->page->counts;
}

/* Compare two totals, which begin with pointers to their names. */
static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/*
 * Copy a name without control characters, so that it stays on one line. Returns NULL if
 * there is no memory.
 */
static char *copy_name(const struct vpmc_sums_region *region)
{
	char *name = strndup(region->name, region->size - sizeof(*region));
	char *c;

	for (c = name; c && *c; c++) {
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	}
	return name;
}

/* Find the total of a name, which the function takes over. Returns NULL if there is no memory. */
static struct total *find_total(struct sums *sums, char *name)
{
	struct total *total = calloc(1, sizeof(*total)), **found = NULL;

	if (total && name) {
		total->name = name;
		found = tsearch(total, &sums->tree, compare_names);
	}
	if (found && *found == total) {
		*sums->last = total;
		sums->last = &total->next;
		sums->totals++;
		return total;
	}
	free(name);
	free(total);
	return found ? *found : NULL;
}

static void add_node(struct sums *sums, const struct vpmc_sums_page *page,
		     uint64_t place, const struct vpmc_sums_region *region)
{
	const size_t parent = find_parent(sums, region->parent);
	struct total *const total = find_total(sums, copy_name(region));
	struct node *node = grow(sums->node, sums->nodes, sizeof(*node));

	if (node)
		sums->node = node;
	if (!node || !total) {
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
	node->total = total;
	node->calls = region->calls;
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

/* Add the counts of lower nodes, which follow, to each node. */
static void add_up(struct sums *sums)
{
	struct node *node, *parent;
	size_t at = sums->nodes;
	unsigned int i;

	while (at--) {
		node = &sums->node[at];
		for (i = 0; i < node->page->counts; i++)
			node->net[i] =
				less(node->raw[i],
				     node->calls * node->page->own[i] +
					     node->below * node->page->pair[i]);
		if (node->parent == NONE)
			continue;
		parent = &sums->node[node->parent];
		parent->below += node->calls + node->below;
		parent->has_broken |= node->is_broken;
		for (i = 0; i < node->page->counts; i++) {
			parent->inside[0][i] += node->raw[i];
			parent->inside[1][i] += node->net[i];
		}
	}
}

static void fold_node(const struct node *node)
{
	struct total *total = node->total;
	const bool outermost = !total->nesting++;
	unsigned int i;

	total->calls += node->calls;
	total->is_open |= node->is_open;
	total->no_inclusive |= node->is_broken;
	total->no_exclusive |= node->is_broken || node->has_broken;
	for (i = 0; i < node->page->counts; i++) {
		total->exclusive[0][i] +=
			less(node->raw[i], node->inside[0][i]);
		total->exclusive[1][i] +=
			less(node->net[i], node->inside[1][i]);
		if (outermost) {
			total->inclusive[0][i] += node->raw[i];
			total->inclusive[1][i] += node->net[i];
		}
	}
}

/* Fold a node that was not begun in another one, and all nodes below it. */
static void fold_tree(const struct node *node, size_t root)
{
	size_t at = root;

	for (;;) {
		fold_node(&node[at]);
		if (node[at].child != NONE) {
			at = node[at].child;
			continue;
		}
		node[at].total->nesting--;
		while (at != root && node[at].sibling == NONE) {
			at = node[at].parent;
			node[at].total->nesting--;
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

static void print_total(FILE *out, const struct total *total,
			unsigned int counts)
{
	unsigned int i;

	fprintf(out, "region -%s%s%s %" PRIu64, total->no_inclusive ? "i" : "",
		total->no_exclusive ? "e" : "", total->is_open ? "u" : "",
		total->calls);
	for (i = 0; i < counts; i++)
		fprintf(out, " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64,
			total->inclusive[0][i], total->exclusive[0][i],
			total->inclusive[1][i], total->exclusive[1][i]);
	fprintf(out, " %s\n", total->name);
}

/* Print the lines that libvpmc's region_file.c would print. */
static void print_lines(FILE *out, const struct sums *sums,
			const struct vpmc_sums_page *page, uint64_t others,
			uint64_t lost)
{
	const struct total *total;
	unsigned int i;

	fprintf(out,
		"process %" PRId32 " %" PRIu32 " 0 %" PRIu64 " 0 0 %" PRIu64
		" 0 \n",
		page->pid, page->counts, others, lost);
	for (i = 0; i < page->events; i++)
		fprintf(out, "event %" PRIu64 " %" PRId32 " %" PRIu32 "\n",
			page->event[i].code, page->event[i].counter,
			page->event[i].modes);
	for (total = sums->first; total; total = total->next)
		print_total(out, total, page->counts);
	fprintf(out, "end %" PRId32 " %zu\n", page->pid, sums->totals);
}

static void parse_lines(struct regions_left *left, char *text)
{
	char *line;

	while ((line = strsep(&text, "\n")))
		parse_line(left, line);
}

static void print_process(struct sums *sums, struct regions_left *left,
			  const struct vpmc_sums_page *page, uint64_t others,
			  uint64_t lost)
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
			fold_tree(sums->node, at);
	}
	print_lines(out, sums, page, others, lost);
	if (close_stream(out))
		parse_lines(left, text);
	else
		sums->no_memory = true;
	free(text);
}

static void free_total(void *total)
{
	free(((struct total *)total)->name);
	free(total);
}

static void free_process(struct sums *sums)
{
	tdestroy(sums->tree, free_total);
	free(sums->node);
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
 * Add all pages of the process that the page @first belongs to. Returns the index of the
 * first page of the next process.
 */
static size_t add_process(struct sums *sums, struct regions_left *left,
			  size_t first)
{
	const uint32_t process = sums->page[first].head->process;
	const struct vpmc_sums_page *one = NULL;
	uint64_t others = 0, lost = 0;
	struct vpmc_sums_page *head;
	size_t at;

	sums->tree = NULL;
	sums->first = NULL;
	sums->last = &sums->first;
	sums->totals = 0;
	sums->node = NULL;
	sums->nodes = 0;
	for (at = first; at < sums->nr; at++) {
		head = sums->page[at].head;
		if (head->process != process)
			break;
		lost += head->lost;
		if (!head->tree)
			continue;
		if (!one)
			one = head;
		if (has_same_events(one, head))
			add_nodes(sums, at);
		else
			others += head->tree == sums->page[at].number;
	}
	if (one && !sums->no_memory)
		print_process(sums, left, one, others, lost);
	free_process(sums);
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
		at = add_process(&sums, left, at);
	for (at = 0; at < sums.nr; at++)
		free(sums.page[at].head);
	free(sums.page);
	left->no_memory |= sums.no_memory;
	return is_read ? 0 : PERFEX_SYSTEM;
}
