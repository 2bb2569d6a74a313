// SPDX-License-Identifier: GPL-2.0-only
/* More events than counters. See rotate.h. */
#include <linux/lockdep.h>
#include <linux/slab.h>

#include "count.h"
#include "cpu.h"
#include "rotate.h"

/* The control value for the events that have the counters now. */
static void rotate_compose(struct vpmc_multiplex *m,
			   const struct vpmc_events *events)
{
	u32 i;

	m->load.control = 0;
	for (i = 0; i < events->nr_counters; i++)
		m->load.control |= events->slot[m->present[i]].control;
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
static void rotate_begin(struct vpmc_multiplex *m, struct vpmc_events *events)
{
	u16 begun = READ_ONCE(events->begun);
	u32 i;

	for (i = events->nr; i-- > 0;)
		m->present[events->slot[i].index] = i;
	for (i = 0; i < events->nr_counters; i++)
		m->present[i] = rotate_later(events->slot, m->present[i],
					     begun);
	WRITE_ONCE(events->begun, begun + 1);
	m->load = events->load;
	m->counts.nr = events->nr;
	rotate_compose(m, events);
}

struct vpmc_multiplex *vpmc_rotate_create(struct vpmc_events *events)
{
	struct vpmc_multiplex *m;

	m = kzalloc(struct_size(m, counts.count, events->nr),
		    GFP_KERNEL_ACCOUNT);
	if (m)
		rotate_begin(m, events);
	return m;
}

/*
 * Move what was counted since the last rotation to its events, and give the
 * counters to the next ones. Returns the counters that get another event.
 */
static u32 rotate_events(struct vpmc_thread *t)
{
	const struct vpmc_events *events = t->events;
	struct vpmc_multiplex *m = t->multiplex;
	u32 i, changed = 0;

	for (i = 0; i < events->nr_counters; i++) {
		u8 *present = &m->present[i];
		u8 next = events->slot[*present].next;

		m->counts.count[*present].count += t->counter[i].sum;
		m->counts.count[*present].time += t->tsc - m->since;
		t->counter[i].sum = 0;
		if (next != *present)
			changed |= BIT(events->counter[i]);
		*present = next;
	}
	m->since = t->tsc;
	rotate_compose(m, events);
	return changed;
}

/* A counter that keeps its event is not touched, and misses nothing. */
void vpmc_rotate_tick(struct vpmc_thread *t)
{
	const struct vpmc_events *events = t->events;
	u64 now[VPMC_MAX_COUNTERS];
	struct vpmc_load load;
	u32 i;

	lockdep_assert_irqs_disabled();
	raw_write_seqcount_begin(&t->seq);
	load.used = rotate_events(t);
	load.control = t->multiplex->load.control;
	load.kernel = events->load.kernel;
	for (i = 0; i < events->nr_counters; i++)
		now[events->counter[i]] = t->counter[i].start;
	vpmc_cpu_load(&load, now);
	for (i = 0; i < events->nr_counters; i++)
		t->counter[i].start = now[events->counter[i]];
	raw_write_seqcount_end(&t->seq);
}

/* Add what each counter has counted since the last rotation to its event. */
static void rotate_add_present(struct vpmc_mux_count *count,
			       const struct vpmc_thread *t)
{
	const struct vpmc_multiplex *m = t->multiplex;
	u32 i;

	for (i = 0; i < t->events->nr_counters; i++) {
		count[m->present[i]].count += t->counter[i].sum;
		count[m->present[i]].time += t->tsc - m->since;
	}
}

void vpmc_rotate_add(struct vpmc_sum *sum, const struct vpmc_thread *t)
{
	u8 memory[VPMC_MUX_COUNTS_SIZE] __aligned(8) __uninitialized;
	struct vpmc_mux_counts *mux = (void *)memory;
	struct vpmc_sum counts = { .mux = mux, .added = 1 };
	unsigned int seq;

	mux->nr = t->events->nr;
	do {
		seq = read_seqcount_begin(&t->seq);
		memcpy(mux->count, t->multiplex->counts.count,
		       mux->nr * sizeof(*mux->count));
		rotate_add_present(mux->count, t);
		counts.tsc = t->tsc;
	} while (read_seqcount_retry(&t->seq, seq));
	vpmc_sum_add(sum, &counts);
}
