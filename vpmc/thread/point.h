/* SPDX-License-Identifier: GPL-2.0-only */
/* This file declares when the counters of a thread leave their next samples (sample.h). */
#ifndef VPMC_POINT_H
#define VPMC_POINT_H

#include "cpu/cpu.h"
#include "pmu/extend.h"

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

#endif /* VPMC_POINT_H */
