// SPDX-License-Identifier: GPL-2.0-only
/* More events than counters. See rotate.h. */
#include <linux/lockdep.h>
#include <linux/seqlock.h>

#include "cpu.h"
#include "large.h"
#include "rotate.h"
#include "thread_counters.h"

/* Count the events that have the counters now. */
static void rotate_compose(struct vpmc_large *l,
			   const struct vpmc_events *events)
{
	vpmc_events_compose(&l->load, l->select, events, l->present);
}

/* The event that is @n places after @event on the same counter. */
static u8 rotate_later(const struct vpmc_slot *slot, u8 event, unsigned int n)
{
	unsigned int circle = 1;
	u8 other;

	for (other = slot[event].next; other != event; other = slot[other].next)
		circle++;
	for (n %= circle; n > 0; n--)
		event = slot[event].next;
	return event;
}

/* Threads that start at the same moment may begin with the same events. */
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
		l->present[i] = rotate_later(events->slot, l->present[i],
					     begun);
	WRITE_ONCE(events->begun, begun + 1);
	rotate_compose(l, events);
}

/*
 * Move what was counted since the last rotation to its events, and give the
 * counters to the next ones. Returns the counters that get another event.
 */
static u32 rotate_events(struct vpmc_thread *t)
{
	const struct vpmc_events *events = t->events;
	struct vpmc_large *l = t->large;
	u32 i, changed = 0;

	for (i = 0; i < events->nr_counters; i++) {
		u8 *present = &l->present[i];
		u8 next = events->slot[*present].next;

		l->counts.count[*present].count += l->counter[i].sum;
		l->counts.count[*present].time += t->tsc - l->since;
		l->counter[i].sum = 0;
		if (next != *present)
			changed |= BIT(events->counter[i]);
		*present = next;
	}
	l->since = t->tsc;
	rotate_compose(l, events);
	return changed;
}

/* A counter that keeps its event is not touched, and misses nothing. */
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
