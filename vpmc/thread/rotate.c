// SPDX-License-Identifier: GPL-2.0-only
/* This file rotates events that share a counter. */
#include <linux/hash.h>
#include <linux/jiffies.h>
#include <linux/lockdep.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/seqlock.h>

#include <asm/tsc.h>

#include "cpu/cpu.h"
#include "thread/large.h"
#include "thread/rotate.h"
#include "thread/thread_counters.h"

/* The square of the clocks of a tick has this number of bits more than the clocks themselves. */
#define ROTATE_PRECISION 6

u32 vpmc_rotate_shift __ro_after_init = ROTATE_PRECISION;

void __init vpmc_rotate_init(void)
{
	u64 clocks = div_u64((u64)tsc_khz * MSEC_PER_SEC, HZ);

	if (clocks)
		vpmc_rotate_shift =
			max(ilog2(clocks), ROTATE_PRECISION) - ROTATE_PRECISION;
}

/* Make the load count the events that have the counters now. */
static void rotate_compose(struct vpmc_large *l,
			   const struct vpmc_events *events)
{
	vpmc_events_compose(&l->load, l->select, events, l->present);
}

/* Return how many events share the counter of @event, including @event. */
static u32 rotate_circle(const struct vpmc_slot *slot, u8 event)
{
	u32 circle = 1;
	u8 other;

	for (other = slot[event].next; other != event; other = slot[other].next)
		circle++;
	return circle;
}

/* Return the event that is @n places after @event on the same counter. */
static u8 rotate_later(const struct vpmc_slot *slot, u8 event, u32 n)
{
	for (; n > 0; n--)
		event = slot[event].next;
	return event;
}

/* Return a number below @circle that depends on @lot. */
static u32 rotate_draw(u64 lot, u32 circle)
{
	return ((u64)hash_64(lot, 32) * circle) >> 32;
}

/*
 * Return where the number of turns left in the round of the counter with index @i is
 * stored.
 */
static u8 *rotate_left(struct vpmc_large *l, const struct vpmc_events *events,
		       u32 i)
{
	return &l->present[events->nr_counters + i];
}

/*
 * Choose the first event of thread number @begun on the counter with index @i. In each round of
 * threads, every event is the first event once, and all threads use the same random number.
 */
static void rotate_begin(struct vpmc_large *l, struct vpmc_events *events,
			 u32 i, u32 begun)
{
	u32 circle = rotate_circle(events->slot, l->present[i]);
	u32 n = begun + rotate_draw(events->lot + begun / circle, circle);

	n %= circle;
	l->present[i] = rotate_later(events->slot, l->present[i], n);
	*rotate_left(l, events, i) = circle;
}

/*
 * @begun is not atomic, so threads that start at the same time may begin with the same
 * events.
 */
void vpmc_rotate_begin(struct vpmc_large *l, struct vpmc_events *events)
{
	u16 begun = READ_ONCE(events->begun);
	u32 i;

	for (i = events->nr; i-- > 0;)
		l->present[events->slot[i].index] = i;
	if (!vpmc_events_multiplex(events)) {
		l->load = events->load;
		return;
	}
	for (i = 0; i < events->nr_counters; i++)
		rotate_begin(l, events, i, begun);
	WRITE_ONCE(events->begun, begun + 1);
	rotate_compose(l, events);
}

static void rotate_add_turn(struct vpmc_large *l, u8 event, u64 count,
			    u64 time)
{
	struct vpmc_large_counts *counts = &l->counts;
	u32 row;

	for (row = 0; row < VPMC_ROWS; row++)
		vpmc_rotate_add_turn(&counts->count[row * counts->nr + event],
				     &l->rest[event], row, count, time);
}

/* Return the next event that gets the counter with index @i. */
static u8 rotate_next(struct vpmc_large *l, const struct vpmc_events *events,
		      u32 i, u64 lot)
{
	const struct vpmc_slot *slot = events->slot;
	u8 next = slot[l->present[i]].next;
	u8 *left = rotate_left(l, events, i);

	if (!--*left) {
		*left = rotate_circle(slot, next);
		next = rotate_later(slot, next, rotate_draw(lot + i, *left));
	}
	return next;
}

/*
 * Add the counts since the last rotation to the present events, and give the counters to
 * the next events. Returns the counters that get another event.
 */
static u32 rotate_events(struct vpmc_thread *t)
{
	const struct vpmc_events *events = t->events;
	struct vpmc_large *l = t->large;
	u32 i, changed = 0;

	for (i = 0; i < events->nr_counters; i++) {
		u8 *present = &l->present[i];
		u8 next = rotate_next(l, events, i, t->tsc_start);

		rotate_add_turn(l, *present, l->counter[i].sum,
				t->tsc - l->since);
		l->counter[i].sum = 0;
		if (next != *present)
			changed |= BIT(events->counter[i]);
		*present = next;
	}
	l->since = t->tsc;
	rotate_compose(l, events);
	return changed;
}

/* A counter that keeps its event goes on counting without a gap. */
void vpmc_rotate_tick(struct vpmc_thread *t)
{
	const struct vpmc_events *events = t->events;
	struct vpmc_counter *counter = t->large->counter;
	u64 now[VPMC_MAX_COUNTERS];
	u32 i, changed;

	lockdep_assert_irqs_disabled();
	raw_write_seqcount_begin(&t->seq);
	changed = rotate_events(t);
	for (i = 0; i < events->nr_counters; i++)
		now[events->counter[i]] = counter[i].start;
	vpmc_cpu_load(&t->large->load, changed, now);
	for (i = 0; i < events->nr_counters; i++)
		counter[i].start = now[events->counter[i]];
	raw_write_seqcount_end(&t->seq);
}
