/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the counters of a thread whose set of events is large. A set is large if it
 * has more than VPMC_SMALL_EVENTS events, if some events share a counter (rotate.h), if some events
 * have periods (sample.h), or if some events start others (cascade.h).
 */
#ifndef VPMC_LARGE_H
#define VPMC_LARGE_H

#include "cpu/events.h"
#include "pmu/extend.h"
#include "thread/point.h"
#include "thread/sum.h"

struct vpmc_thread;

/**
 * struct vpmc_rest - the remainders, less than a unit, of an event's sums of squares
 * @square: remainder of the squares of its counts
 * @product: remainder of the products of its counts and times
 */
struct vpmc_rest {
	u32 square;
	u32 product;
};

/**
 * struct vpmc_large - the counters of a thread that counts a large set
 * @next: next entry in the list vpmc_prealloc.threads
 * @load: the registers' values for a processor that runs the thread
 * @started: the events with VPMC_MODE_CASCADE that @load counts already, one bit each
 * @since: vpmc_thread.tsc at the last rotation
 * @counter: one entry per hardware counter, like vpmc_thread.counter. If events share
 *	counters, an entry has the events since the last rotation.
 * @select: the selects of @load
 * @rest: one entry per event, if events share counters
 * @present: the event that has the counter, by index of the counter. If events share
 *	counters, the number of turns left in each counter's round follows.
 * @samples: the samples if some events have periods, or NULL
 * @counts: counts of each event before the last rotation
 *
 * The structure is written like the counts of its thread, see count.h. The memory of
 * @counter, @select, @rest, @present and @samples follows @counts.
 */
struct vpmc_large {
	struct vpmc_large *next;
	struct vpmc_load load;
	u32 started;
	u64 since;
	struct vpmc_counter *counter;
	u64 *select;
	struct vpmc_rest *rest;
	u8 *present;
	struct vpmc_thread_samples *samples;
	struct vpmc_large_counts counts;
};

/*
 * Create the counters of a thread that counts @events, which are large. Returns NULL if
 * memory is short. May sleep.
 */
struct vpmc_large *vpmc_large_create(struct vpmc_events *events);

/* Give jitter to @t, which @parent creates, if @parent has it. Both count the same large set. */
void vpmc_large_inherit(struct vpmc_thread *t, const struct vpmc_thread *parent);

/*
 * Undo vpmc_large_inherit(), if it was called, because @parent could not create the thread of @t
 * after all. The lock of @parent's process is held.
 */
void vpmc_large_disinherit(const struct vpmc_thread *t, const struct vpmc_thread *parent);

/* Like vpmc_count_add(), for a thread whose events are large. */
void vpmc_large_add(struct vpmc_sum *sum, const struct vpmc_thread *t);

#endif /* VPMC_LARGE_H */
