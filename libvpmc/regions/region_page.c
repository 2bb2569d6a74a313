// SPDX-License-Identifier: LGPL-2.1-or-later
/* Allocate the pages of a thread's regions. */
#include "regions/region_page.h"

#include <string.h>
#include <sys/mman.h>
#include <vpmc_region_sums.h>

#include "regions/region_data.h"
#include "regions/region_sums.h"

#define SIZE VPMC_REGION_PAGE_SIZE

/**
 * struct region_page - the head of the first of three pages
 * @before: the three pages that were allocated before
 * @used: number of bytes used, including this structure
 * @number: number of the third page in perfex's file, or 0
 */
struct region_page {
	struct region_page *before;
	size_t used;
	uint32_t number;
};

_Static_assert(sizeof(struct region_page) <= VPMC_SUMS_FIRST, "");

/*
 * Map the third page from perfex's file, with the data that perfex needs before the page
 * has regions.
 */
static void share(struct region_thread *thread, struct region_page *page,
		  char *memory)
{
	struct region_pages *pages = &thread->pages;

	page->number = vpmcint_sums_map(memory);
	if (!page->number)
		return;
	if (!pages->first)
		pages->first = page->number;
	vpmcint_sums_describe(thread, (struct vpmc_sums_page *)(void *)memory,
			      pages->first);
}

static struct region_page *add_page(struct region_thread *thread)
{
	struct region_page *page;
	char *memory = mmap(NULL, 3 * SIZE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return NULL;
	if (madvise(memory + SIZE, SIZE, MADV_WIPEONFORK)) {
		munmap(memory, 3 * SIZE);
		return NULL;
	}
	page = (struct region_page *)(void *)memory;
	page->before = thread->pages.last;
	page->used = VPMC_SUMS_FIRST;
	if (!thread->measuring)
		share(thread, page, memory + 2 * SIZE);
	thread->pages.last = page;
	return page;
}

void *vpmcint_region_take_place(struct region_thread *thread, size_t size)
{
	struct region_page *page = thread->pages.last;
	void *place;

	size = (size + VPMC_SUMS_UNIT - 1) / VPMC_SUMS_UNIT * VPMC_SUMS_UNIT;
	if (!page || SIZE - page->used < size)
		page = add_page(thread);
	if (!page)
		return NULL;
	place = (char *)page + page->used;
	page->used += size;
	return place;
}

uint64_t vpmcint_region_place_in_file(const void *place)
{
	const uintptr_t offset = (uintptr_t)place % SIZE;
	const struct region_page *page =
		(const struct region_page *)(const void *)((const char *)place -
							   offset);

	return page->number ? (uint64_t)page->number * SIZE + offset : 0;
}

void vpmcint_region_keep_pages(struct region_pages *pages)
{
	struct region_page *page;

	for (page = pages->last; page; page = page->before)
		page->number = 0;
}

bool vpmcint_region_part(void *memory, size_t size)
{
	return mmap(memory, size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
		    0) != MAP_FAILED;
}

void vpmcint_region_part_pages(struct region_pages *pages)
{
	struct region_page *page;

	for (page = pages->last; page; page = page->before) {
		if (page->number)
			vpmcint_region_part((char *)page + 2 * SIZE, SIZE);
		page->number = 0;
	}
	memset(pages, 0, sizeof(*pages));
}

void vpmcint_region_free_pages(struct region_pages *pages)
{
	struct region_page *page;

	while (pages->last) {
		page = pages->last;
		pages->last = page->before;
		if (page->number)
			vpmcint_sums_drop((void *)((char *)page + 2 * SIZE));
		munmap(page, 3 * SIZE);
	}
	memset(pages, 0, sizeof(*pages));
}
