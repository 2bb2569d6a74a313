/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the counters of a thread whose set of events is large. A set is large if it
 * has more than VPMC_SMALL_EVENTS events, if some events share a counter (rotate.h), or if some
 * events have periods (sample.h).
 */
#ifndef VPMC_LARGE_H
#define VPMC_LARGE_H

#include "cpu/cpu.h"
#include "cpu/events.h"
#include "pmu/extend.h"
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
 * struct vpmc_point - the next sample of a counter
 * @next: the count at which the sample is left; U64_MAX if the event has no period
 * @where: vpmc_sample.where of each sample, without the address and the mode
 * @period: the event's period, or 0
 * @msr: the address of the register of the hardware counter
 * @high: the upper half of each value that is written to this register. A sample is at most 2^31
 *	events away, so all bits of this half are 1.
 * @rdpmc: the number by which RDPMC reads the counter
 * @counter: the hardware counter
 * @armed: whether this counter interrupts at the next sample
 * @kernel: whether the event is also counted in kernel mode
 * @precise: whether the processor records the address of each sample
 * @jitter: the number of events by which the distance of two samples may differ from the period
 * @random: the state of the generator of pseudo-random numbers (jitter.h)
 */
struct vpmc_point {
	u64 next;
	u64 where;
	u32 period;
	u32 msr;
	u32 high;
	u32 rdpmc;
	u8 counter;
	bool armed;
	bool kernel;
	bool precise;
	u32 jitter;
	u32 random;
};

/* Let @c begin with minus the number of events until the next sample at @point. */
static __always_inline void vpmc_point_set_start(const struct vpmc_point *point,
						 struct vpmc_counter *c)
{
	c->start = (c->sum - point->next) & vpmc_pmu->counter_mask;
}

/* Return the index of the event of @point in VPMC_START's list. */
static inline u32 vpmc_point_event(const struct vpmc_point *point)
{
	return point->where >> VPMC_WHERE_EVENT_SHIFT;
}

/**
 * struct vpmc_thread_samples - the samples of a thread (sample.h)
 * @born: the number of its process until a record has named the process, see VPMC_CHANGE_BORN; then
 *	0
 * @hidden: whether samples may not be shown, because the observer may not watch the program
 * @nameless: whether @ids is unknown
 * @is_long: whether samples have callers or registers
 * @special: whether a point has jitter or is precise
 * @extras: the previous four fields as one word, which is 0 if all four are false
 * @seed: the seed of the thread's jitter
 * @created: the number of threads and processes that it has created and given jitter
 * @privileged: whether the observer may watch all processes
 * @ids: vpmc_sample.pid and, in the high half, vpmc_sample.tid
 * @point: the next samples, by index of the counter
 */
struct vpmc_thread_samples {
	u64 born;
	union {
		struct {
			bool hidden;
			bool nameless;
			bool is_long;
			bool special;
		};
		u32 extras;
	};
	u32 seed;
	u32 created;
	bool privileged;
	u64 ids;
	struct vpmc_point point[];
};

/**
 * struct vpmc_large - the counters of a thread that counts a large set
 * @next: next entry in the list vpmc_prealloc.threads
 * @load: the registers' values for a processor that runs the thread
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

/* Like vpmc_count_add(), for a thread whose events are large. */
void vpmc_large_add(struct vpmc_sum *sum, const struct vpmc_thread *t);

#endif /* VPMC_LARGE_H */
