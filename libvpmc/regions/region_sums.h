/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header declares the file for sums that perfex --regions has created: its head, and
 * pages for regions.
 *
 * vpmc_region_sums.h describes the file. All functions make only system calls, so that
 * signal handlers may call them, and change errno.
 */
#ifndef LIBVPMC_REGION_SUMS_H
#define LIBVPMC_REGION_SUMS_H

#include <stdint.h>
#include <vpmc_region_sums.h>

struct region_thread;

/*
 * vpmcint_sums_open() - open perfex's file, if it exists, before the process changes its rights to
 * open files
 */
void vpmcint_sums_open(void);

/* vpmcint_sums_process() - get the number of this process in the file, or 0 */
uint32_t vpmcint_sums_process(void);

/*
 * vpmcint_sums_miss() - note in the head of the file that this process has regions but no
 * pages, because perfex cannot learn this otherwise
 */
void vpmcint_sums_miss(void);

/*
 * vpmcint_sums_give_back() - free the pages of this process in the file, after its
 * regions were written elsewhere and no thread has regions any more
 */
void vpmcint_sums_give_back(void);

/* vpmcint_sums_forget() - prepare a new process, which has nothing in the file */
void vpmcint_sums_forget(void);

/**
 * vpmcint_sums_map() - map a new page of the file
 * @memory: address at which to map the page: a zeroed page of private memory, which does not change
 *	if the function fails
 *
 * Return: the page's number, or 0.
 */
uint32_t vpmcint_sums_map(void *memory);

/**
 * vpmcint_sums_describe() - describe a page
 * @thread: the thread for whose regions the page is; these regions are prepared
 * @page: the page
 * @tree: the number of the thread's first page
 */
void vpmcint_sums_describe(const struct region_thread *thread,
			   struct vpmc_sums_page *page, uint32_t tree);

/* vpmcint_sums_drop() - make the contents of a page invalid */
void vpmcint_sums_drop(struct vpmc_sums_page *page);

#endif /* LIBVPMC_REGION_SUMS_H */
