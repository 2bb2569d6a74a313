// SPDX-License-Identifier: GPL-2.0-only
/* This file creates and sums the counters of threads whose set of events is large. */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/math.h>
#include <linux/overflow.h>
#include <linux/seqlock.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "cpu/cpu.h"
#include "cpu/rings.h"
#include "thread/jitter.h"
#include "thread/large.h"
#include "thread/rotate.h"
#include "thread/sample.h"
#include "thread/thread_counters.h"

/* The size without samples. */
static size_t large_size(const struct vpmc_events *events)
{
	u32 rows = vpmc_sum_rows(events);
	size_t each = sizeof(struct vpmc_counter) + sizeof(u8);
	size_t rests = 0;

	if (rows > 1) {
		each += sizeof(u8);
		rests = events->nr * sizeof(struct vpmc_rest);
	}
	return struct_size_t(struct vpmc_large, counts.count,
			     rows * events->nr) +
	       events->nr_counters * each + rests +
	       vpmc_events_nr_selects(events) * sizeof(u64);
}

/* Let each event leave its first sample when its count reaches the period. */
static void large_begin_samples(struct vpmc_large *l,
				const struct vpmc_events *events)
{
	const struct vpmc_rings *r = events->rings;
	const struct vpmc_event *event;
	u32 i;

	l->samples = (void *)l + round_up(large_size(events), sizeof(u64));
	l->samples->hidden = true;
	l->samples->nameless = true;
	l->samples->is_long = r->callers || r->registers;
	for (i = 0; i < events->nr_counters; i++) {
		event = &events->slot[l->present[i]].event;
		l->samples->point[i] = (struct vpmc_point){
			.next = vpmc_event_period(event) ?: U64_MAX,
			.where = (u64)l->present[i] << VPMC_WHERE_EVENT_SHIFT,
			.period = vpmc_event_period(event),
			.msr = vpmc_pmu->counter_msr(events->counter[i]),
			.high = upper_32_bits(vpmc_pmu->counter_mask & vpmc_pmu->write_mask),
			.rdpmc = vpmc_pmu->rdpmc[events->counter[i]],
			.counter = events->counter[i],
			.armed = events->armed & BIT(events->counter[i]),
			.kernel = event->modes & VPMC_MODE_KERNEL,
			.precise = event->modes & VPMC_MODE_PRECISE,
			.jitter = vpmc_event_period(event) ? r->jitter[l->present[i]] : 0,
		};
		vpmc_point_set_start(&l->samples->point[i], &l->counter[i]);
		l->samples->special |= l->samples->point[i].jitter != 0 ||
				       l->samples->point[i].precise;
	}
	if (l->samples->special)
		vpmc_jitter_begin(l->samples, l->counter, events->nr_counters, r->seed);
}

struct vpmc_large *vpmc_large_create(struct vpmc_events *events)
{
	size_t size = large_size(events);
	struct vpmc_large *l;

	if (events->rings)
		size = round_up(size, sizeof(u64)) +
		       struct_size(l->samples, point, events->nr_counters);
	l = kzalloc(size, GFP_KERNEL_ACCOUNT);
	if (!l)
		return NULL;
	/* A fork finds the key enabled, so it does not wait for processors. */
	if (events->cascades && !vpmc_sample_is_used())
		vpmc_sample_use();
	l->counts.nr = events->nr;
	l->counts.rows = vpmc_sum_rows(events);
	l->counts.multiplex = vpmc_events_multiplex(events);
	l->counter = (struct vpmc_counter *)
		&l->counts.count[l->counts.rows * events->nr];
	l->select = (u64 *)&l->counter[events->nr_counters];
	l->rest = (struct vpmc_rest *)&l->select[vpmc_events_nr_selects(events)];
	l->present = (u8 *)&l->rest[l->counts.rows > 1 ? events->nr : 0];
	vpmc_rotate_begin(l, events);
	if (events->rings)
		large_begin_samples(l, events);
	return l;
}

void vpmc_large_inherit(struct vpmc_thread *t, const struct vpmc_thread *parent)
{
	struct vpmc_thread_samples *own = t->large->samples, *from = parent->large->samples;

	if (own && own->special)
		vpmc_jitter_begin(own, t->large->counter, t->events->nr_counters,
				  vpmc_jitter_mix(from->seed - ++from->created));
}

/* If @parent was started again in the meantime, its jitter has begun again. */
void vpmc_large_disinherit(const struct vpmc_thread *t, const struct vpmc_thread *parent)
{
	struct vpmc_thread_samples *own, *from;

	if (!t->kind || t->events != parent->events)
		return;
	own = t->large->samples;
	from = parent->large->samples;
	if (own && from->created && own->seed == vpmc_jitter_mix(from->seed - from->created))
		from->created--;
}

/*
 * Add to @row the turns since the last rotation, one for the present event of each
 * counter.
 */
static void large_add_present(struct vpmc_large_count *row,
			      struct vpmc_rest *rest, u32 which,
			      const struct vpmc_thread *t)
{
	const struct vpmc_large *l = t->large;
	u32 i;

	for (i = 0; i < t->events->nr_counters; i++)
		vpmc_rotate_add_turn(&row[l->present[i]], &rest[l->present[i]],
				     which, l->counter[i].sum,
				     t->tsc - l->since);
}

/* Copy one row of the counts of @t. Returns the clocks of @t at that moment. */
static u64 large_copy_row(struct vpmc_large_count *row, u32 which,
			  const struct vpmc_thread *t)
{
	struct vpmc_rest rest[VPMC_MAX_EVENTS] __uninitialized;
	u32 nr = t->events->nr, i;
	unsigned int seq;
	u64 tsc;

	do {
		seq = read_seqcount_begin(&t->seq);
		memcpy(row, &t->large->counts.count[which * nr],
		       nr * sizeof(*row));
		if (which == VPMC_ROW_COUNT_SQUARES)
			memcpy(rest, t->large->rest, nr * sizeof(*rest));
		large_add_present(row, rest, which, t);
		tsc = t->tsc;
	} while (read_seqcount_retry(&t->seq, seq));
	if (which == VPMC_ROW_COUNT_SQUARES) {
		for (i = 0; i < nr; i++)
			vpmc_rotate_round(&row[i], &rest[i]);
	}
	return tsc;
}

/*
 * Counts and times are from one moment. The squares of a running thread may include a
 * later turn. This is harmless, because squares only estimate how counts vary. So only
 * one row at a time is on the stack.
 */
void vpmc_large_add(struct vpmc_sum *sum, const struct vpmc_thread *t)
{
	u8 memory[VPMC_LARGE_COUNTS_SIZE(1)] __aligned(8) __uninitialized;
	struct vpmc_large_counts *large = (void *)memory;
	u64 tsc = large_copy_row(large->count, VPMC_ROW_COUNTS, t);
	u32 row;

	vpmc_sum_add_row(sum, VPMC_ROW_COUNTS, large->count);
	for (row = VPMC_ROW_COUNTS + 1; row < sum->large->rows; row++) {
		large_copy_row(large->count, row, t);
		vpmc_sum_add_row(sum, row, large->count);
	}
	sum->tsc += tsc;
	vpmc_sum_count_part(sum);
}
