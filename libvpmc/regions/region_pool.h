/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* This header declares the memory of a thread's regions. All of it is freed at the same time. */
#ifndef LIBVPMC_REGION_POOL_H
#define LIBVPMC_REGION_POOL_H

#include <stddef.h>

struct region_chunk;

/**
 * struct region_pool - memory; all 0 if there is none
 * @last: the chunk that was allocated last
 */
struct region_pool {
	struct region_chunk *last;
};

/**
 * vpmcint_region_take() - allocate memory
 * @pool: the pool
 * @size: number of bytes
 *
 * Makes only system calls, so that signal handlers may call it while signals are blocked.
 * Changes errno if it fails.
 *
 * Return: zeroed memory, aligned for any type; or NULL.
 */
void *vpmcint_region_take(struct region_pool *pool, size_t size);

/* vpmcint_region_forget_pool() - forget all memory of a pool, without freeing it */
void vpmcint_region_forget_pool(struct region_pool *pool);

/* vpmcint_region_give_back() - free all memory of a pool */
void vpmcint_region_give_back(struct region_pool *pool);

#endif /* LIBVPMC_REGION_POOL_H */
