/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header declares the pages of a thread's regions, which are all freed at once.
 *
 * vpmc_region.h explains why each region is in three pages.
 */
#ifndef LIBVPMC_REGION_PAGE_H
#define LIBVPMC_REGION_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct region_page;
struct region_thread;

/**
 * struct region_pages - the pages of a thread; all 0 if there are none
 * @last: the first of the three pages that were allocated last
 * @first: for the three pages that were allocated first, the number of the third page in perfex's
 *	file, or 0
 */
struct region_pages {
	struct region_page *last;
	uint32_t first;
};

/**
 * vpmcint_region_take_place() - allocate a place for a region
 * @thread: the calling thread's regions
 * @size: number of bytes in each page
 *
 * Makes only system calls. Changes errno.
 *
 * Return: the place in the first page, with zeros in all three; or NULL if there is no
 * memory.
 */
void *vpmcint_region_take_place(struct region_thread *thread, size_t size);

/* vpmcint_region_place_in_file() - find the position of a place in perfex's file, or 0 */
uint64_t vpmcint_region_place_in_file(const void *place);

/*
 * vpmcint_region_keep_pages() - let vpmcint_region_free_pages() leave the pages in perfex's
 * file to perfex
 */
void vpmcint_region_keep_pages(struct region_pages *pages);

/*
 * vpmcint_region_part() - replace memory that a forked process shares with its parent by
 * private memory; returns false if memory is short
 */
bool vpmcint_region_part(void *memory, size_t size);

/**
 * vpmcint_region_part_pages() - forget the pages of the parent, in a forked process
 * @pages: the pages
 *
 * The pages stay mapped, because a signal handler may have forked while it interrupted
 * vpmc_region_begin() or vpmc_region_end(). The child then continues this call in its own copy of
 * the pages.
 */
void vpmcint_region_part_pages(struct region_pages *pages);

/* vpmcint_region_free_pages() - free all places; perfex does not read them any more */
void vpmcint_region_free_pages(struct region_pages *pages);

#endif /* LIBVPMC_REGION_PAGE_H */
