/* SPDX-License-Identifier: GPL-2.0-only */
/* This file reads the rings of a handle (VPMC_SAMPLES). */
#ifndef RINGS_H
#define RINGS_H

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "follow.h"

#define MAX_RINGS 8

/**
 * struct rings - the rings of a handle that is to be started
 * @fd: the handle
 * @size: the bytes of records in each ring
 * @nr: the number of rings
 * @ring: the rings
 * @tsc: the time stamp of the last record of each ring @lost, @lost_changes,
 * @hidden: sums over all rings at their last read
 */
struct rings {
	int fd;
	uint32_t size;
	unsigned int nr;
	struct vpmc_ring *ring[MAX_RINGS];
	uint64_t tsc[MAX_RINGS];
	uint64_t lost, lost_changes, hidden;
};

static inline size_t rings_stride(uint32_t size)
{
	return sizeof(struct vpmc_ring) + size;
}

/* Map ring @i of a handle with any arguments. Returns MAP_FAILED with errno if that fails. */
static inline void *ring_map_with(int fd, uint32_t size, unsigned int i,
				  int prot, int flags)
{
	return mmap(NULL, rings_stride(size), prot, flags, fd,
		    (off_t)((i + 1) * rings_stride(size)));
}

/* Make rings for @arg. The function sets its size. */
static inline struct rings rings_new_with(struct vpmc_samples arg)
{
	const uint32_t size = arg.ring_size;
	struct rings r = { .fd = open(VPMC_DEVICE, O_RDWR | O_CLOEXEC),
			   .size = size };
	unsigned int i;
	int result;

	arg.size = sizeof(arg);
	result = request(r.fd, VPMC_SAMPLES, &arg);
	if (result || arg.nr_rings > MAX_RINGS)
		errx(2, "rings: %d, %u", result, arg.nr_rings);
	r.nr = arg.nr_rings;
	for (i = 0; i < r.nr; i++) {
		r.ring[i] = ring_map_with(r.fd, size, i, PROT_READ | PROT_WRITE,
					  MAP_SHARED);
		if (r.ring[i] == MAP_FAILED)
			err(2, "ring %u", i);
	}
	return r;
}

/* These are the flags of the following rings. */
static uint32_t rings_flags;

static inline struct rings rings_new(uint32_t size)
{
	return rings_new_with((struct vpmc_samples){ .flags = rings_flags,
						     .ring_size = size });
}

static inline void rings_free(struct rings *r)
{
	unsigned int i;

	for (i = 0; i < r->nr; i++)
		munmap(r->ring[i], rings_stride(r->size));
	close(r->fd);
}

/* This is a function that takes a record of @size bytes. */
typedef void rings_reader(const uint64_t *record, uint32_t size);

static inline uint64_t ring_word_at(const struct rings *r, unsigned int i,
				    uint32_t at)
{
	const uint64_t *data = (const uint64_t *)(r->ring[i] + 1);

	return data[at % r->size / sizeof(uint64_t)];
}

static inline void ring_read(struct rings *r, unsigned int i,
			     rings_reader *reader)
{
	static uint64_t record[8192 / sizeof(uint64_t)];
	uint32_t head = __atomic_load_n(&r->ring[i]->head, __ATOMIC_ACQUIRE);
	uint32_t tail = r->ring[i]->tail, size, k;

	for (; tail != head; tail += size) {
		uint64_t where = ring_word_at(r, i, tail);

		size = where & VPMC_WHERE_OTHER
			       ? (uint32_t)(where & VPMC_CHANGE_SIZE)
			       : (uint32_t)sizeof(struct vpmc_sample);
		if (!size || size % sizeof(uint64_t) || size > head - tail ||
		    size > sizeof(record))
			errx(2, "ring %u: a record of %u bytes at %u, head %u",
			     i, size, tail, head);
		for (k = 0; k < size / sizeof(uint64_t); k++)
			record[k] = ring_word_at(
				r, i, tail + k * (uint32_t)sizeof(uint64_t));
		if (record[1] < r->tsc[i])
			check(false, "ring %u is in the order of time", i);
		r->tsc[i] = record[1];
		reader(record, size);
	}
	__atomic_store_n(&r->ring[i]->tail, tail, __ATOMIC_RELEASE);
}

static inline void rings_read(struct rings *r, rings_reader *reader)
{
	unsigned int i;

	r->lost = 0;
	r->lost_changes = 0;
	r->hidden = 0;
	for (i = 0; i < r->nr; i++) {
		ring_read(r, i, reader);
		r->lost += r->ring[i]->lost;
		r->lost_changes += r->ring[i]->lost_changes;
		r->hidden += r->ring[i]->hidden;
	}
}

/* Wait until all processes that the handle collects have exited. */
static inline void until_gone(const struct rings *r)
{
	struct pollfd fd = { .fd = r->fd };

	while (poll(&fd, 1, -1) != 1 || !(fd.revents & POLLHUP))
		;
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
}

static inline unsigned int sample_event(const struct vpmc_sample *s)
{
	return s->where >> VPMC_WHERE_EVENT_SHIFT & VPMC_WHERE_EVENT_MASK;
}

static inline uint64_t sample_address(const struct vpmc_sample *s)
{
	return s->where & VPMC_WHERE_ADDRESS;
}

static inline enum vpmc_change_type change_type(const struct vpmc_change *c)
{
	return c->where >> VPMC_CHANGE_TYPE_SHIFT & VPMC_CHANGE_TYPE_MASK;
}

/*
 * Return the sample of a record, which may have callers and registers. If the record is not a
 * sample, return a sample with the pid 0.
 */
static inline struct vpmc_sample sample_of(const uint64_t *record)
{
	const struct vpmc_long_sample *s = (const void *)record;

	if (!(*record & VPMC_WHERE_OTHER))
		return *(const struct vpmc_sample *)record;
	if (change_type((const struct vpmc_change *)record) !=
	    VPMC_CHANGE_SAMPLE)
		return (struct vpmc_sample){ .pid = 0 };
	return (struct vpmc_sample){ s->at, s->tsc, s->pid, s->tid };
}

#endif /* RINGS_H */
