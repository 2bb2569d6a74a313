// SPDX-License-Identifier: GPL-2.0-only
/* More events than counters. See multiplex.h. */
#include <linux/slab.h>

#include "cpu.h"
#include "multiplex.h"
#include "process.h"
#include "thread.h"

/* The control value for the events that have the counters now. */
static void compose(struct vpmc_multiplex *m, const struct vpmc_events *events)
{
	u32 place;

	m->load.control = 0;
	for (place = 0; place < events->nr_places; place++)
		m->load.control |= events->turn[m->turn[place]].control;
}

/* The event that comes @n later on the same counter. */
static u8 later(const struct vpmc_turn *turn, u8 event, unsigned int n)
{
	unsigned int circle = 1;
	u8 other;

	for (other = turn[event].next; other != event; other = turn[other].next)
		circle++;
	for (n %= circle; n > 0; n--)
		event = turn[event].next;
	return event;
}

/* If several threads begin at once, they may begin with the same events. */
static void begin(struct vpmc_multiplex *m, struct vpmc_events *events)
{
	u16 begun = READ_ONCE(events->begun);
	u32 i;

	for (i = events->nr; i-- > 0;)
		m->turn[events->turn[i].place] = i;
	for (i = 0; i < events->nr_places; i++)
		m->turn[i] = later(events->turn, m->turn[i], begun);
	WRITE_ONCE(events->begun, begun + 1);
	m->load = events->load;
	compose(m, events);
}

int vpmc_room_add(struct vpmc_room *room, struct vpmc_events *events,
		  unsigned int threads, gfp_t gfp)
{
	struct vpmc_multiplex *m;

	if (!vpmc_events_shared(events))
		return 0;
	while (threads--) {
		m = kzalloc(struct_size(m, share, events->nr), gfp);
		if (!m)
			return -ENOMEM;
		begin(m, events);
		m->next = room->threads;
		room->threads = m;
	}
	return 0;
}

int vpmc_room_alloc(struct vpmc_room *room, struct vpmc_events *events,
		    unsigned int threads)
{
	return vpmc_room_add(room, events, threads, GFP_KERNEL_ACCOUNT) ?:
	       vpmc_share_alloc(events, VPMC_PROCESS_SUMS, &room->process) ?:
	       vpmc_share_alloc(events, 1, &room->session);
}

void vpmc_room_free(struct vpmc_room *room)
{
	struct vpmc_multiplex *m;

	while ((m = room->threads)) {
		room->threads = m->next;
		kfree(m);
	}
	kfree(room->process);
	kfree(room->session);
	*room = (struct vpmc_room){};
}

void vpmc_multiplex_take(struct vpmc_thread *t, struct vpmc_room *room)
{
	kfree(t->multiplex);
	t->multiplex = room->threads;
	t->takes_turns = t->multiplex;
	if (t->multiplex)
		room->threads = t->multiplex->next;
}

/*
 * Each event keeps what was counted in its turn, and the next one's begins.
 * Returns the counters that change hands.
 */
static u32 turn_over(struct vpmc_thread *t)
{
	const struct vpmc_events *events = t->events;
	struct vpmc_multiplex *m = t->multiplex;
	u32 place, changed = 0;

	for (place = 0; place < events->nr_places; place++) {
		u8 *turn = &m->turn[place];
		u8 next = events->turn[*turn].next;

		m->share[*turn].count += t->counter[place].sum;
		m->share[*turn].time += t->tsc - m->since;
		t->counter[place].sum = 0;
		if (next != *turn)
			changed |= BIT(events->counter[place]);
		*turn = next;
	}
	m->since = t->tsc;
	compose(m, events);
	return changed;
}

/* A counter that does not change hands is not touched: it misses nothing. */
void vpmc_multiplex_tick(struct vpmc_thread *t)
{
	const struct vpmc_events *events = t->events;
	u64 now[VPMC_MAX_COUNTERS];
	struct vpmc_load load;
	u32 place;

	raw_write_seqcount_begin(&t->seq);
	load.used = turn_over(t);
	load.control = t->multiplex->load.control;
	load.kernel = events->load.kernel;
	for (place = 0; place < events->nr_places; place++)
		now[events->counter[place]] = t->counter[place].start;
	vpmc_cpu_load(&load, now);
	for (place = 0; place < events->nr_places; place++)
		t->counter[place].start = now[events->counter[place]];
	raw_write_seqcount_end(&t->seq);
}

/* Add the present turn of each counter to what its event has. */
static void add_present(struct vpmc_share *share, const struct vpmc_thread *t)
{
	const struct vpmc_multiplex *m = t->multiplex;
	u32 place;

	for (place = 0; place < t->events->nr_places; place++) {
		share[m->turn[place]].count += t->counter[place].sum;
		share[m->turn[place]].time += t->tsc - m->since;
	}
}

void vpmc_multiplex_counts(struct vpmc_sum *sum, const struct vpmc_thread *t)
{
	struct vpmc_share share[VPMC_MAX_EVENTS];
	struct vpmc_sum counts = {
		.share = share,
		.nr_shares = t->events->nr,
		.added = 1,
	};
	unsigned int seq;

	do {
		seq = read_seqcount_begin(&t->seq);
		memcpy(share, t->multiplex->share,
		       counts.nr_shares * sizeof(*share));
		add_present(share, t);
		counts.tsc = t->tsc;
	} while (read_seqcount_retry(&t->seq, seq));
	vpmc_sum_add(sum, &counts);
}
