/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * More events than counters: the events of one counter share it, and rotate.
 *
 * They rotate at each clock tick while the thread runs. vpmc_large.counter adds
 * up what a hardware counter counts, as for any thread. A rotation moves this
 * sum, and the clocks since the last rotation, to the event that had the
 * counter. Each counter rotates on its own: an event that is alone on a counter
 * always has it.
 *
 * In each round each event has one turn, and a lot decides who begins it. Otherwise a
 * program that does the same every so many ticks would always show the same side of
 * it to the same event. The lot is the time stamp counter: nothing is kept for it, and
 * no program knows at which clock the tick's handler reads it.
 *
 * A lot decides, too, with which event of each counter the first thread begins that
 * counts a set: what a program does at its start is not always seen by the same event. The
 * next thread begins with the next one, and so on, so that each event gets its share of many
 * short-lived threads. When each has begun with one, another lot is drawn.
 *
 * Of each turn the squares of its count and its time and their product are added up,
 * too. They say how much turns differ, and so what a projection is worth.
 */
#ifndef VPMC_ROTATE_H
#define VPMC_ROTATE_H

#include <linux/minmax.h>

#include "cpu/events.h"
#include "thread/sum.h"

struct vpmc_large;
struct vpmc_thread;

/* Squares are added up in units of 1 << this, which vpmc_rotate_init() chooses. */
extern u32 vpmc_rotate_shift;

/*
 * Before anything counts: choose the unit of squares. It leaves the square of a clock
 * tick's clocks 6 bits more than these clocks have. So a sum over 64 processors, each of
 * which counts four events at each clock, takes the better part of a day to reach 2^64.
 */
void vpmc_rotate_init(void);

/* No turn has 2^32 events or clocks. */
static inline u64 vpmc_rotate_product(u64 a, u64 b)
{
	return min_t(u64, a, U32_MAX) * min_t(u64, b, U32_MAX);
}

/* Add a product to a sum in units, and what is less than a unit to @rest. */
static inline void vpmc_rotate_add_product(u64 *sum, u32 *rest, u64 product)
{
	u32 mask = BIT(vpmc_rotate_shift) - 1;
	u32 below = *rest + (product & mask);

	*rest = below & mask;
	vpmc_sum_add_limited(sum, (product >> vpmc_rotate_shift) +
				  (below >> vpmc_rotate_shift));
}

/*
 * Add a turn of so many events and clocks to an event's pair in row @which. Counts are often
 * so small that many squares make a unit; the clocks of a turn are not.
 */
static inline void vpmc_rotate_add_turn(struct vpmc_large_count *pair,
					struct vpmc_rest *rest, u32 which,
					u64 count, u64 time)
{
	switch (which) {
	case VPMC_ROW_COUNTS:
		pair->count += count;
		pair->time += time;
		break;
	case VPMC_ROW_COUNT_SQUARES:
		vpmc_rotate_add_product(&pair->count, &rest->square,
					vpmc_rotate_product(count, count));
		vpmc_rotate_add_product(&pair->time, &rest->product,
					vpmc_rotate_product(count, time));
		break;
	default:
		vpmc_sum_add_limited(&pair->count,
				     vpmc_rotate_product(time, time) >>
				     vpmc_rotate_shift);
		pair->time += !!time;
		break;
	}
}

/* Round a pair of VPMC_ROW_COUNT_SQUARES, to which nothing more is added: squares up. */
static inline void vpmc_rotate_round(struct vpmc_large_count *pair,
				     const struct vpmc_rest *rest)
{
	vpmc_sum_add_limited(&pair->count, rest->square > 0);
	vpmc_sum_add_limited(&pair->time,
			     rest->product >= BIT(vpmc_rotate_shift) / 2);
}

/* Give the counters of @l, a new one, to the first of @events that get them. */
void vpmc_rotate_begin(struct vpmc_large *l, struct vpmc_events *events);

/*
 * Rotate the events of @t, which share counters. It counts on this processor and
 * is up to date. Interrupts off.
 */
void vpmc_rotate_tick(struct vpmc_thread *t);

#endif /* VPMC_ROTATE_H */
