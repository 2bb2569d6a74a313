// SPDX-License-Identifier: GPL-2.0-only
/* This file loads counters of which one starts another. */
#include <linux/bits.h>
#include <linux/lockdep.h>

#include "cpu/cpu.h"
#include "thread/cascade.h"
#include "thread/large.h"

/* Return how many events event @i must still wait for; 0 if it does not wait. */
static u64 cascade_left(const struct vpmc_thread *t, u32 i)
{
	const struct vpmc_slot *slot = &t->events->slot[i];
	u64 before;

	if (!(slot->event.modes & VPMC_MODE_CASCADE))
		return 0;
	before = t->large->counter[slot[-1].index].sum;
	return before < slot->event.period ? slot->event.period - before : 0;
}

void vpmc_cascade_choose(struct vpmc_thread *t)
{
	const struct vpmc_events *events = t->events;
	struct vpmc_large *l = t->large;
	u32 i, started = 0;

	lockdep_assert_irqs_disabled();
	for (i = 0; i < events->nr; i++) {
		if (events->slot[i].event.modes & VPMC_MODE_CASCADE && !cascade_left(t, i))
			started |= BIT(i);
	}
	if (started == l->started)
		return;
	l->started = started;
	vpmc_events_compose_started(&l->load, l->select, events, started);
}

void vpmc_cascade_load(const struct vpmc_thread *t, u64 *now)
{
	const struct vpmc_events *events = t->events;
	unsigned int counter;
	u64 left;
	u32 i;

	lockdep_assert_irqs_disabled();
	for (i = 0; i < events->nr; i++) {
		left = cascade_left(t, i);
		if (!left)
			continue;
		counter = events->slot[i - 1].event.counter;
		if (events->armed & BIT(counter))
			continue;
		now[counter] = -left & vpmc_pmu->counter_mask;
		vpmc_pmu->write_counter(counter, now[counter]);
	}
}
