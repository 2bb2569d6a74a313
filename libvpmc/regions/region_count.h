/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* This header declares the source of a thread's counts for regions. */
#ifndef LIBVPMC_REGION_COUNT_H
#define LIBVPMC_REGION_COUNT_H

#include "regions/region_data.h"

/*
 * If perfex asks for resources, these counts follow the counts of events: page faults without and
 * with input, and voluntary and involuntary switches. Each count packs two numbers of 32 bits, the
 * first one in its lower half. A sum or difference of whole counts is right for both halves, as
 * long as no half of a result overflows.
 */
#define REGION_RESOURCES 2

/*
 * vpmcint_region_has_resources says whether perfex asks for resources. It is set before threads
 * have regions.
 */
extern bool vpmcint_region_has_resources;

/**
 * vpmcint_region_counts() - read the calling thread's counts
 * @thread: the thread's regions
 * @count: receives the counts
 *
 * Return: false if there are no counts, or if they do not belong to the start of the
 * thread's regions.
 */
bool vpmcint_region_counts(const struct region_thread *thread,
			   uint64_t count[VPMC_REGION_EVENTS]);

/**
 * vpmcint_region_gaps() - get the number of gaps in the calling thread's counts
 * @thread: the thread's regions
 *
 * The function makes one system call. Return: the number; 0 if the counts do not belong
 * to the start of the thread's regions.
 */
unsigned int vpmcint_region_gaps(const struct region_thread *thread);

/**
 * vpmcint_region_begin() - begin a region, in any mode of the thread
 * @thread: the thread's regions
 * @node: the region
 *
 * Return: false if a signal handler had a region at the same time. Then nothing has
 * changed, and the caller tries again after vpmcint_region_restore().
 */
bool vpmcint_region_begin(const struct region_thread *thread,
			  struct region_node *node);

/*
 * vpmcint_region_end() - end the current region; the result is the same as for
 * vpmcint_region_begin()
 */
bool vpmcint_region_end(const struct region_thread *thread,
			struct region_node *node);

/**
 * vpmcint_region_begin_seen() - like vpmcint_region_begin(), and return the counts
 * @thread: the thread's regions
 * @node: the region
 * @count: receives the counts, if counts exist
 */
bool vpmcint_region_begin_seen(const struct region_thread *thread,
			       struct region_node *node,
			       uint64_t count[VPMC_REGION_EVENTS]);

/* vpmcint_region_end_seen() - like vpmcint_region_end(), and return the counts */
bool vpmcint_region_end_seen(const struct region_thread *thread,
			     struct region_node *node,
			     uint64_t count[VPMC_REGION_EVENTS]);

/* vpmcint_region_break() - mark a region that had no count at its beginning or its end */
static inline void vpmcint_region_break(struct region_node *node)
{
	node->broken = true;
	vpmcint_region_shared(node)->is_broken = true;
	/* The end of the region also marks it in the timeline. */
	vpmcint_region_match(node)->fast.timed = NULL;
}

/* vpmcint_region_lose() - forget the counts of a region that has not begun */
void vpmcint_region_lose(struct region_node *node);

/*
 * vpmcint_region_runs() - return whether a region has been begun, so that its sums
 * contain counts
 */
static inline bool vpmcint_region_runs(const struct region_node *node)
{
	return (int64_t)vpmcint_region_sums(node)->sum[0] < 0;
}

/*
 * This bit of a sum differs from its sign if the region is interrupted. Otherwise it is
 * equal to the sign, because no count reaches this bit.
 */
#define REGION_INTERRUPTED (UINT64_C(1) << 62)

/* vpmcint_region_is_interrupted() - return whether vpmcint_region_interrupt() was called */
static inline bool vpmcint_region_is_interrupted(const struct region_node *node)
{
	const uint32_t upper =
		(uint32_t)(vpmcint_region_sums(node)->sum[0] >> 32);

	return (int32_t)(upper ^ upper << 1) < 0;
}

/*
 * Change the bit by one instruction, because vpmc_region_begin() or vpmc_region_end() may be
 * interrupted in the middle of the sum.
 */
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
 * vpmcint_region_interrupt() - make vpmc_region_begin() or vpmc_region_end() of a region start
 * again, if the caller has interrupted this function; see vpmc_region.h
 */
static inline void vpmcint_region_interrupt(struct region_node *node)
{
	if (!vpmcint_region_is_interrupted(node))
		vpmcint_region_toggle(node);
}

/*
 * vpmcint_region_restore() - undo vpmcint_region_interrupt(); returns false if that
 * function was not called
 */
static inline bool vpmcint_region_restore(struct region_node *node)
{
	if (!vpmcint_region_is_interrupted(node))
		return false;
	vpmcint_region_toggle(node);
	return true;
}

/**
 * vpmcint_region_suspend() - from now on, exclude counts from a region
 * @thread: the thread's regions
 * @node: the region; it runs, but the code that is executed does not belong to it
 * @by: the region that is begun
 */
void vpmcint_region_suspend(const struct region_thread *thread,
			    struct region_node *node, struct region_node *by);

/* vpmcint_region_continue() - undo vpmcint_region_suspend() at the end of @by */
void vpmcint_region_continue(const struct region_thread *thread,
			     struct region_node *by);

/**
 * vpmcint_region_begin_two() - begin a region in a thread that reads two counts
 * @region: the region that was last begun within the current region
 *
 * Return: false if there are no counts, or if a signal handler had a region at the same
 * time. Then nothing has changed.
 */
bool vpmcint_region_begin_two(struct vpmc_region *region);

/*
 * vpmcint_region_end_two() - end the current region; the result is the same as for
 * vpmcint_region_begin_two()
 */
bool vpmcint_region_end_two(struct vpmc_region *region);

/* vpmcint_region_same_start() - return whether two sets belong to the same start */
bool vpmcint_region_same_start(const struct vpmc_event_set *a,
			       const struct vpmc_event_set *b);

/**
 * vpmcint_region_events() - get the events of the calling thread
 * @set: receives the events, all 0 if the thread does not count
 */
void vpmcint_region_events(struct vpmc_event_set *set);

/*
 * vpmcint_region_is_current() - return whether the calling thread's counts still belong to the
 * start of its regions, as far as this can be found out
 */
bool vpmcint_region_is_current(const struct region_thread *thread);

/**
 * vpmcint_region_source() - find out how the calling thread can read its counts
 * @thread: the thread's regions; receives mode, begin, end, prepare, events and set
 */
void vpmcint_region_source(struct region_thread *thread);

#endif /* LIBVPMC_REGION_COUNT_H */
