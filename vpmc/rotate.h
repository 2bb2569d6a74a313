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
 * The first thread that counts a set begins with the first event of each
 * counter, the next one with the second, and so on. So each event gets its
 * share of many short-lived threads, too. Of these, too, a lot decides in each
 * round but the first.
 *
 * Of each turn the squares of its count and its time and their product are added up,
 * too. They say how much turns differ, and so what a projection is worth.
 */
#ifndef VPMC_ROTATE_H
#define VPMC_ROTATE_H

#include <linux/minmax.h>

#include "events.h"
#include "sum.h"

struct vpmc_large;
struct vpmc_thread;

/* Squares are added up in units of 1 << this, which vpmc_rotate_init() chooses. */
extern u32 vpmc_rotate_shift;

/*
 * Before anything counts: choose the unit of squares. It leaves the square of a clock
 * tick's clocks 12 bits more than these clocks have, so that sums do not overflow in
 * hours, and small counts still have squares.
 */
void vpmc_rotate_init(void);

/* A product in these units, rounded up. No turn has 2^32 events or clocks. */
static inline u64 vpmc_rotate_product(u64 a, u64 b)
{
	u64 product = min_t(u64, a, U32_MAX) * min_t(u64, b, U32_MAX);

	return (product >> vpmc_rotate_shift) +
	       !!(product & (BIT_ULL(vpmc_rotate_shift) - 1));
}

/* Add a turn of so many events and clocks to an event's pair in row @which. */
static inline void vpmc_rotate_add_turn(struct vpmc_large_count *pair,
					u32 which, u64 count, u64 time)
{
	switch (which) {
	case VPMC_ROW_COUNTS:
		pair->count += count;
		pair->time += time;
		break;
	case VPMC_ROW_COUNT_SQUARES:
		pair->count += vpmc_rotate_product(count, count);
		pair->time += vpmc_rotate_product(count, time);
		break;
	default:
		pair->count += vpmc_rotate_product(time, time);
		pair->time += !!time;
		break;
	}
}

/* Give the counters of @l, a new one, to the first of @events that get them. */
void vpmc_rotate_begin(struct vpmc_large *l, struct vpmc_events *events);

/*
 * Rotate the events of @t, which share counters. It counts on this processor and
 * is up to date. Interrupts off.
 */
void vpmc_rotate_tick(struct vpmc_thread *t);

#endif /* VPMC_ROTATE_H */
