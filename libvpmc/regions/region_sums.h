/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The file that perfex --regions made for sums: its head, and pages for regions.
 *
 * vpmc_region_sums.h describes it. All of this makes system calls alone, as a signal
 * handler may, and changes errno.
 */
#ifndef LIBVPMC_REGION_SUMS_H
#define LIBVPMC_REGION_SUMS_H

#include <stdint.h>
#include <vpmc_region_sums.h>

struct region_thread;

/*
 * vpmcint_sums_open() - open the file that perfex made, if it made one, before the process
 * changes what it may open
 */
void vpmcint_sums_open(void);

/* vpmcint_sums_process() - the number of this process in the file, or 0 */
uint32_t vpmcint_sums_process(void);

/*
 * vpmcint_sums_give_back() - perfex has all of this process from elsewhere, and no thread has
 * regions: let others have the space
 */
void vpmcint_sums_give_back(void);

/* vpmcint_sums_forget() - this is another process, which has nothing in the file */
void vpmcint_sums_forget(void);

/**
 * vpmcint_sums_map() - map a new page of the file
 * @memory: where; a page of private memory that is all 0, and stays if this fails
 *
 * Return: the page's number, or 0.
 */
uint32_t vpmcint_sums_map(void *memory);

/**
 * vpmcint_sums_describe() - begin a page
 * @thread: whose regions will be there; they are prepared
 * @page: the page
 * @tree: the number of the thread's first page
 */
void vpmcint_sums_describe(const struct region_thread *thread,
			   struct vpmc_sums_page *page, uint32_t tree);

/* vpmcint_sums_drop() - what is in a page means nothing from now on */
void vpmcint_sums_drop(struct vpmc_sums_page *page);

#endif /* LIBVPMC_REGION_SUMS_H */
