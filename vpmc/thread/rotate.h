/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the rotation of events that share a counter, because there are
 * more events than counters.
 *
 * Events rotate at each clock tick while the thread runs. vpmc_large.counter adds up the events of
 * a hardware counter, as for any thread. A rotation moves this sum, and the clocks since the last
 * rotation, to the event that had the counter. The events of each counter rotate independently. So
 * an event that does not share its counter always has the counter.
 *
 * Each event has one turn in each round, and a random number decides which event begins the round.
 * Without it, an event could always meet the same phase of a program that repeats itself every few
 * ticks. The random number is taken from the time stamp counter. This does not need state, and a
 * program cannot know at which clock the tick's handler reads the time stamp counter.
 *
 * A random number also decides with which event of each counter the first thread of a set begins.
 * So the start of a program is not always counted by the same event. The next thread begins with
 * the next event, and so on, so that each event gets its share of many short-lived threads. When a
 * thread has begun with each event, another number is drawn.
 *
 * The driver also adds up the squares of each turn's count and time, and their products. These sums
 * show how much turns differ, and so how accurate a projection is.
 */
#ifndef VPMC_ROTATE_H
#define VPMC_ROTATE_H

#include <linux/minmax.h>

#include "cpu/events.h"
#include "thread/sum.h"

struct vpmc_large;
struct vpmc_thread;

/*
 * Squares are added up in units of 1 << vpmc_rotate_shift, which vpmc_rotate_init()
 * sets.
 */
extern u32 vpmc_rotate_shift;

/*
 * Choose the unit of squares, before any thread counts. In this unit, the square of the clocks of a
 * tick has 6 bits more than the clocks themselves. If 64 processors each count four events per
 * clock, the sum of all their squares takes most of a day to reach 2^64.
 */
void vpmc_rotate_init(void);

/* Multiply two numbers of a turn. A turn has fewer than 2^32 events and clocks. */
static inline u64 vpmc_rotate_product(u64 a, u64 b)
{
	return min_t(u64, a, U32_MAX) * min_t(u64, b, U32_MAX);
}

/* Add the whole units of a product to a sum, and the remainder to @rest. */
static inline void vpmc_rotate_add_product(u64 *sum, u32 *rest, u64 product)
{
	u32 mask = BIT(vpmc_rotate_shift) - 1;
	u32 below = *rest + (product & mask);

	*rest = below & mask;
	vpmc_sum_add_limited(sum, (product >> vpmc_rotate_shift) +
				  (below >> vpmc_rotate_shift));
}

/*
 * Add a turn of @count events and @time clocks to an event's pair in row @which. The
 * squares of small counts are less than a unit, so their remainders are kept. The clocks
 * of a turn are large enough.
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

/*
 * Round a complete pair of VPMC_ROW_COUNT_SQUARES. Squares are rounded up, and products
 * are rounded to the nearest unit.
 */
static inline void vpmc_rotate_round(struct vpmc_large_count *pair,
				     const struct vpmc_rest *rest)
{
	vpmc_sum_add_limited(&pair->count, rest->square > 0);
	vpmc_sum_add_limited(&pair->time,
			     rest->product >= BIT(vpmc_rotate_shift) / 2);
}

/* Give the counters of @l, which is new, to the first events. */
void vpmc_rotate_begin(struct vpmc_large *l, struct vpmc_events *events);

/*
 * Rotate the events of @t, which share counters. This processor counts for @t, and @t
 * is up to date. Interrupts off.
 */
void vpmc_rotate_tick(struct vpmc_thread *t);

#endif /* VPMC_ROTATE_H */
