/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* This header declares the source of a thread's counts for regions. */
#ifndef LIBVPMC_REGION_COUNT_H
#define LIBVPMC_REGION_COUNT_H

#include "regions/region_data.h"

/*
 * The counts behind those of events, if perfex wants them: page faults without and with
 * input, and switches that the thread waited for and that took its processor away. Each
 * count has two of these, of 32 bits, the first one in its lower half. Sums and differences
 * of whole counts are those of both halves, as long as no half of a result overflows.
 */
#define REGION_RESOURCES 2

/* Whether perfex wants them. It is set before there are threads with regions. */
extern bool vpmcint_region_has_resources;

/**
 * vpmcint_region_counts() - read the calling thread's counts
 * @thread: its regions
 * @count: receives them
 *
 * Return: false if there are none, or if they are not those of its regions.
 */
bool vpmcint_region_counts(const struct region_thread *thread,
			   uint64_t count[VPMC_REGION_EVENTS]);

/**
 * vpmcint_region_gaps() - how many gaps the calling thread's counts have
 * @thread: its regions
 *
 * One system call. Return: 0, too, if the counts are not those of its regions.
 */
unsigned int vpmcint_region_gaps(const struct region_thread *thread);

/**
 * vpmcint_region_begin() - begin a region, in any mode of the thread
 * @thread: its regions
 * @node: the region
 *
 * Return: false if a signal handler had a region at the same time: then nothing has
 * changed, and the caller tries again after vpmcint_region_restore().
 */
bool vpmcint_region_begin(const struct region_thread *thread,
			  struct region_node *node);

/* vpmcint_region_end() - end the present region, likewise */
bool vpmcint_region_end(const struct region_thread *thread,
			struct region_node *node);

/**
 * vpmcint_region_begin_seen() - vpmcint_region_begin() that also returns the counts
 * @thread: its regions
 * @node: the region
 * @count: receives the counts, if there are some
 */
bool vpmcint_region_begin_seen(const struct region_thread *thread,
			       struct region_node *node,
			       uint64_t count[VPMC_REGION_EVENTS]);

/* vpmcint_region_end_seen() - vpmcint_region_end() that also returns the counts */
bool vpmcint_region_end_seen(const struct region_thread *thread,
			     struct region_node *node,
			     uint64_t count[VPMC_REGION_EVENTS]);

/* vpmcint_region_break() - there was no count at a begin or an end of a region */
static inline void vpmcint_region_break(struct region_node *node)
{
	node->broken = true;
	vpmcint_region_shared(node)->is_broken = true;
	/* The timeline says so at its end. */
	vpmcint_region_match(node)->fast.timed = NULL;
}

/* vpmcint_region_lose() - forget the counts of a region, which has not begun */
void vpmcint_region_lose(struct region_node *node);

/* vpmcint_region_runs() - whether a region has been begun, so that counts are in it */
static inline bool vpmcint_region_runs(const struct region_node *node)
{
	return (int64_t)vpmcint_region_sums(node)->sum[0] < 0;
}

/*
 * The bit of an interrupted sum that differs from its sign, and that is equal to it
 * else: no count is so large.
 */
#define REGION_INTERRUPTED (UINT64_C(1) << 62)

/* vpmcint_region_is_interrupted() - whether vpmcint_region_interrupt() was called */
static inline bool vpmcint_region_is_interrupted(const struct region_node *node)
{
	const uint32_t upper =
		(uint32_t)(vpmcint_region_sums(node)->sum[0] >> 32);

	return (int32_t)(upper ^ upper << 1) < 0;
}

/* In one instruction, for begin or end may be interrupted in the middle of the sum. */
static inline void vpmcint_region_toggle(struct region_node *node)
{
#if defined(__i386__) || defined(__x86_64__)
	__asm__ __volatile__("{xorl %1, 4+%0|xor DWORD PTR 4+%0, %1}"
			     : "+o"(vpmcint_region_sums(node)->sum[0])
			     : "i"((uint32_t)(REGION_INTERRUPTED >> 32))
			     : "cc");
#else
	vpmcint_region_sums(node)->sum[0] ^= REGION_INTERRUPTED;
#endif
}

/*
 * vpmcint_region_interrupt() - make the begin or end of a region, that may have been
 * interrupted by the caller, start over; see vpmc_region.h
 */
static inline void vpmcint_region_interrupt(struct region_node *node)
{
	if (!vpmcint_region_is_interrupted(node))
		vpmcint_region_toggle(node);
}

/* vpmcint_region_restore() - the contrary; false if there is nothing to restore */
static inline bool vpmcint_region_restore(struct region_node *node)
{
	if (!vpmcint_region_is_interrupted(node))
		return false;
	vpmcint_region_toggle(node);
	return true;
}

/**
 * vpmcint_region_suspend() - take what is counted from now on out of a region
 * @thread: its regions
 * @node: the region; it runs, but another one is around what is executed
 * @by: the region that is begun
 */
void vpmcint_region_suspend(const struct region_thread *thread,
			    struct region_node *node, struct region_node *by);

/* vpmcint_region_continue() - the contrary, at the end of @by */
void vpmcint_region_continue(const struct region_thread *thread,
			     struct region_node *by);

/**
 * vpmcint_region_begin_two() - begin a region in a thread that reads two counts
 * @region: the last one of the present one
 *
 * Return: false if there are no counts, or if a signal handler had a region at the same
 * time: then nothing has changed.
 */
bool vpmcint_region_begin_two(struct vpmc_region *region);

/* vpmcint_region_end_two() - end the present region, likewise */
bool vpmcint_region_end_two(struct vpmc_region *region);

/* vpmcint_region_same_start() - whether both sets are of the same start */
bool vpmcint_region_same_start(const struct vpmc_event_set *a,
			       const struct vpmc_event_set *b);

/**
 * vpmcint_region_events() - what the calling thread counts at present
 * @set: receives it, all 0 if the thread does not count
 */
void vpmcint_region_events(struct vpmc_event_set *set);

/*
 * vpmcint_region_is_current() - whether the calling thread's counts are still those of
 * its regions, as far as can be found out
 */
bool vpmcint_region_is_current(const struct region_thread *thread);

/**
 * vpmcint_region_source() - find out how the calling thread can read
 * @thread: its regions; mode, begin, end, prepare, events and set are set
 */
void vpmcint_region_source(struct region_thread *thread);

#endif /* LIBVPMC_REGION_COUNT_H */
