/* SPDX-License-Identifier: GPL-2.0-only */
/* This file uses io_uring by its system calls, on kernels that have it. */
#ifndef RING_H
#define RING_H

#include <err.h>
#include <errno.h>
#include <linux/io_uring.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RING_ENTRIES 4

/**
 * struct ring - an io_uring
 * @fd: its file
 * @polled: whether a thread of the kernel looks for submitted requests
 * @shared: the memory that it shares with the kernel
 * @at: offsets of the parts of that memory
 * @sqes: the requests that are submitted
 */
struct ring {
	int fd;
	bool polled;
	char *shared;
	struct io_uring_params at;
	struct io_uring_sqe *sqes;
};

static inline void *ring_map(int fd, size_t size, off_t offset)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_POPULATE, fd, offset);

	if (p == MAP_FAILED)
		err(2, "mmap of a ring");
	return p;
}

static inline struct ring ring_new(uint32_t flags)
{
	struct ring r = {
		.polled = flags & IORING_SETUP_SQPOLL,
		.at = { .flags = flags, .sq_thread_idle = 10 },
	};
	size_t size;

	r.fd = (int)syscall(SYS_io_uring_setup, RING_ENTRIES, &r.at);
	if (r.fd < 0 || !(r.at.features & IORING_FEAT_SINGLE_MMAP))
		err(2, "io_uring_setup");
	size = r.at.sq_off.array + r.at.sq_entries * sizeof(uint32_t);
	if (size <
	    r.at.cq_off.cqes + r.at.cq_entries * sizeof(struct io_uring_cqe))
		size = r.at.cq_off.cqes +
		       r.at.cq_entries * sizeof(struct io_uring_cqe);
	r.shared = ring_map(r.fd, size, IORING_OFF_SQ_RING);
	r.sqes = ring_map(r.fd, r.at.sq_entries * sizeof(*r.sqes),
			  IORING_OFF_SQES);
	return r;
}

static inline uint32_t *ring_word(const struct ring *r, uint32_t offset)
{
	return (uint32_t *)(void *)(r->shared + offset);
}

/* Submit @nr requests, and wait until at least @least requests have been completed. */
static inline int ring_enter(const struct ring *r, unsigned int nr,
			     unsigned int least)
{
	unsigned int flags = least ? IORING_ENTER_GETEVENTS : 0;

	if (r->polled)
		flags |= IORING_ENTER_SQ_WAKEUP;
	return (int)syscall(SYS_io_uring_enter, r->fd, nr, least, flags, NULL,
			    0);
}

/* Put the next request into the ring. */
static inline void ring_put(struct ring *r, const struct io_uring_sqe *sqe)
{
	uint32_t *tail = ring_word(r, r->at.sq_off.tail);
	uint32_t i = *tail & *ring_word(r, r->at.sq_off.ring_mask);

	r->sqes[i] = *sqe;
	ring_word(r, r->at.sq_off.array)[i] = i;
	__atomic_store_n(tail, *tail + 1, __ATOMIC_SEQ_CST);
}

/*
 * Submit one operation, and wait until it has been completed. Returns the result of the operation's
 * system call.
 */
static inline int ring_do(struct ring *r, const struct io_uring_sqe *sqe)
{
	uint32_t *head = ring_word(r, r->at.cq_off.head);
	const uint32_t *done = ring_word(r, r->at.cq_off.tail);
	const struct io_uring_cqe *cqes =
		(void *)(r->shared + r->at.cq_off.cqes);
	int result;

	ring_put(r, sqe);
	while (__atomic_load_n(done, __ATOMIC_ACQUIRE) == *head) {
		if (ring_enter(r, 1, 1) < 0 && errno != EINTR)
			err(2, "io_uring_enter");
	}
	result = cqes[*head & *ring_word(r, r->at.cq_off.ring_mask)].res;
	__atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
	return result;
}

#endif
