// SPDX-License-Identifier: LGPL-2.1-or-later
/* Allocate a thread's regions from memory that is freed as a whole. */
#include "regions/region_pool.h"

#include <stdalign.h>
#include <sys/mman.h>

/* This is the minimum size of one mmap(). */
#define CHUNK ((size_t)64 * 1024)

/**
 * struct region_chunk - memory from the kernel
 * @before: the chunk that was allocated before
 * @size: number of bytes, including this structure
 * @used: number of bytes used, including this structure
 */
struct region_chunk {
	struct region_chunk *before;
	size_t size;
	size_t used;
};

static size_t round_up(size_t size)
{
	const size_t unit = alignof(max_align_t);

	return (size + unit - 1) / unit * unit;
}

static struct region_chunk *add_chunk(struct region_pool *pool, size_t size)
{
	struct region_chunk *chunk;

	if (size < CHUNK)
		size = CHUNK;
	chunk = mmap(NULL, size, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (chunk == MAP_FAILED)
		return NULL;
	chunk->before = pool->last;
	chunk->size = size;
	chunk->used = round_up(sizeof(*chunk));
	pool->last = chunk;
	return chunk;
}

void *vpmcint_region_take(struct region_pool *pool, size_t size)
{
	struct region_chunk *chunk = pool->last;
	void *memory;

	size = round_up(size);
	if (!chunk || chunk->size - chunk->used < size)
		chunk = add_chunk(pool, round_up(sizeof(*chunk)) + size);
	if (!chunk)
		return NULL;
	memory = (char *)chunk + chunk->used;
	chunk->used += size;
	return memory;
}

void vpmcint_region_forget_pool(struct region_pool *pool)
{
	pool->last = NULL;
}

void vpmcint_region_give_back(struct region_pool *pool)
{
	struct region_chunk *chunk;

	while (pool->last) {
		chunk = pool->last;
		pool->last = chunk->before;
		munmap(chunk, chunk->size);
	}
}
