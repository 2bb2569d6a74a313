/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Regions: the pages that a thread's regions are in, which are all freed at once.
 *
 * vpmc_region.h tells why each region is in three pages.
 */
#ifndef LIBVPMC_REGION_PAGE_H
#define LIBVPMC_REGION_PAGE_H

#include <stddef.h>
#include <stdint.h>

struct region_page;
struct region_thread;

/**
 * struct region_pages - pages of a thread; all 0 without any
 * @last: the first of the three that were got last
 * @first: the number in perfex's file of the third one of those that were got first, or 0
 */
struct region_pages {
	struct region_page *last;
	uint32_t first;
};

/**
 * vpmcint_region_take_place() - get a place for a region
 * @thread: the calling thread's regions
 * @size: bytes in each page
 *
 * Makes system calls alone. Changes errno.
 *
 * Return: the place in the first page, all of which is 0; or NULL without memory.
 */
void *vpmcint_region_take_place(struct region_thread *thread, size_t size);

/* vpmcint_region_place_in_file() - where perfex finds a place, or 0 if it does not */
uint64_t vpmcint_region_place_in_file(const void *place);

/*
 * vpmcint_region_keep_pages() - vpmcint_region_free_pages() leaves to perfex what is in its
 * file. The pages may be those of the parent of this process.
 */
void vpmcint_region_keep_pages(struct region_pages *pages);

/* vpmcint_region_free_pages() - free all places; perfex does not get what was there */
void vpmcint_region_free_pages(struct region_pages *pages);

#endif /* LIBVPMC_REGION_PAGE_H */
