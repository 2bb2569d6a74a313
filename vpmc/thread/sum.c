// SPDX-License-Identifier: GPL-2.0-only
/* This file adds up counts. */
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "thread/sum.h"

int vpmc_sum_alloc_large(const struct vpmc_events *events,
			 struct vpmc_large_counts **large)
{
	*large = NULL;
	if (!vpmc_events_are_large(events))
		return 0;
	*large = kzalloc(struct_size(*large, count,
				     vpmc_sum_rows(events) * events->nr),
			 GFP_KERNEL_ACCOUNT);
	return *large ? 0 : -ENOMEM;
}

struct vpmc_sum *vpmc_sum_create(gfp_t gfp)
{
	return kzalloc(sizeof(struct vpmc_sum), gfp | __GFP_ACCOUNT);
}

void vpmc_sum_free(struct vpmc_sum *sum)
{
	if (!sum)
		return;
	kfree(vpmc_sum_large(sum));
	kfree(sum);
}

static void sum_clear_large(struct vpmc_large_counts *large)
{
	memset(large->count, 0,
	       large->rows * large->nr * sizeof(*large->count));
}

void vpmc_sum_init_rows(struct vpmc_sum *sum, struct vpmc_large_counts *large,
			const struct vpmc_events *events, u32 rows)
{
	*sum = (struct vpmc_sum){};
	if (!vpmc_events_are_large(events))
		return;
	sum->is_large = true;
	sum->large = large;
	large->nr = events->nr;
	large->rows = min(rows, vpmc_sum_rows(events));
	large->multiplex = vpmc_events_multiplex(events);
	sum_clear_large(large);
}

void vpmc_sum_init(struct vpmc_sum *sum, struct vpmc_large_counts *large,
		   const struct vpmc_events *events)
{
	vpmc_sum_init_rows(sum, large, events, VPMC_ROWS);
}

struct vpmc_large_counts *vpmc_sum_change(struct vpmc_sum *sum,
					  struct vpmc_large_counts *large,
					  const struct vpmc_events *events)
{
	const struct vpmc_sum old = *sum;

	vpmc_sum_init(sum, large, events);
	vpmc_sum_miss(sum, &old);
	return vpmc_sum_large(&old);
}

void vpmc_sum_clear(struct vpmc_sum *sum)
{
	struct vpmc_large_counts *large = vpmc_sum_large(sum);

	*sum = (struct vpmc_sum){};
	if (!large)
		return;
	sum->is_large = true;
	sum->large = large;
	sum_clear_large(large);
}

static __always_inline void sum_add_pairs(struct vpmc_large_count *sum,
					  const struct vpmc_large_count *more,
					  u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		vpmc_sum_add_limited(&sum[i].count, more[i].count);
		vpmc_sum_add_limited(&sum[i].time, more[i].time);
	}
}

static void sum_add_large(struct vpmc_large_counts *large,
			  const struct vpmc_large_counts *more)
{
	sum_add_pairs(large->count, more->count,
		      min(large->rows, more->rows) * large->nr);
}

void vpmc_sum_add_row(struct vpmc_sum *sum, u32 which,
		      const struct vpmc_large_count *row)
{
	struct vpmc_large_counts *large = sum->large;

	sum_add_pairs(&large->count[which * large->nr], row, large->nr);
}

/* This rare case is separate, so that vpmc_sum_add() stays short. */
noinline void vpmc_sum_add_missing(struct vpmc_sum *sum, u32 other_events,
				   u32 revoked)
{
	sum->other_events = vpmc_sum_saturate(sum->other_events, other_events);
	sum->revoked = vpmc_sum_saturate(sum->revoked, revoked);
}

static __always_inline void sum_add_small(struct vpmc_sum *sum,
					  const struct vpmc_sum *more)
{
	u32 i;

	for (i = 0; i < VPMC_SMALL_EVENTS; i++)
		sum->count[i] += more->count[i];
}

/* Add @more to @sum if both are large, or if @more has gaps. */
static noinline void sum_add_extras(struct vpmc_sum *sum,
				    const struct vpmc_sum *more)
{
	vpmc_sum_add_stopped(sum, more->stopped);
	if (more->is_large)
		sum_add_large(sum->large, more->large);
	else
		sum_add_small(sum, more);
}

static __always_inline void sum_add_counts(struct vpmc_sum *sum,
					   const struct vpmc_sum *more)
{
	if (unlikely(more->extras))
		sum_add_extras(sum, more);
	else
		sum_add_small(sum, more);
	sum->tsc += more->tsc;
	sum->added = vpmc_sum_saturate(sum->added, more->added);
}

void vpmc_sum_add(struct vpmc_sum *sum, const struct vpmc_sum *more)
{
	if (more->added)
		sum_add_counts(sum, more);
	if (unlikely(more->other_events | more->revoked))
		vpmc_sum_add_missing(sum, more->other_events, more->revoked);
}

void vpmc_sum_miss(struct vpmc_sum *sum, const struct vpmc_sum *more)
{
	u32 missing = vpmc_sum_saturate(more->added, more->other_events);

	vpmc_sum_add_missing(sum, missing, more->revoked);
}

void vpmc_sum_hide(struct vpmc_sum *sum, const struct vpmc_sum *more)
{
	u32 hidden = vpmc_sum_saturate(more->added, more->revoked);

	vpmc_sum_add_missing(sum, more->other_events, hidden);
}

static __always_inline void sum_small_values(const struct vpmc_sum *sum, u32 nr,
					     u64 *count, u64 *time)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		count[i] = sum->count[i];
		time[i] = sum->tsc;
	}
}

static void sum_large_values(const struct vpmc_sum *sum, u32 nr, u64 *count,
			     u64 *time)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		count[i] = sum->large->count[i].count;
		time[i] = sum->large->count[i].time;
	}
}

void vpmc_sum_values(const struct vpmc_sum *sum, u32 nr, u64 *count, u64 *time)
{
	if (sum->is_large)
		sum_large_values(sum, nr, count, time);
	else
		sum_small_values(sum, nr, count, time);
}

static void sum_turn(const struct vpmc_large_counts *large, u32 i,
		     struct vpmc_turns *turns)
{
	const struct vpmc_large_count *a, *b;

	a = &large->count[VPMC_ROW_COUNT_SQUARES * large->nr + i];
	b = &large->count[VPMC_ROW_TIME_SQUARES * large->nr + i];
	turns->count_squares = a->count;
	turns->products = a->time;
	turns->time_squares = b->count;
	turns->nr = b->time;
}

u32 vpmc_sum_turns(const struct vpmc_sum *sum, struct vpmc_turns *turns)
{
	u32 i;

	for (i = 0; i < sum->large->nr; i++)
		sum_turn(sum->large, i, &turns[i]);
	return sum->large->nr;
}

/*
 * Check and fill in the turns of events that share counters. Returns the result of
 * vpmc_sum_report().
 */
static int sum_report_times(struct vpmc_read *read, const struct vpmc_sum *sum,
			    u32 nr)
{
	if (read->size < offsetof(struct vpmc_read, time[nr]))
		return -EINVAL;
	if (read->size == VPMC_SIZE_LONG)
		read->nr_turns = vpmc_sum_turns(sum, read->turn);
	else if (read->size >= sizeof(*read))
		return -ENOBUFS;
	return 0;
}

/*
 * This is not inlined, because it would cost registers in each report of a set that is
 * not large.
 */
static noinline int sum_report_large(struct vpmc_read *read,
				     const struct vpmc_sum *sum, u32 nr)
{
	sum_large_values(sum, nr, read->count, read->time);
	return sum->large->multiplex ? sum_report_times(read, sum, nr) : 0;
}

int vpmc_sum_report(struct vpmc_read *read, const struct vpmc_sum *sum, u32 nr)
{
	read->nr_counts = nr;
	read->other_events = sum->other_events;
	read->revoked = sum->revoked;
	read->stopped = sum->stopped;
	read->tsc = sum->tsc;
	if (unlikely(sum->is_large))
		return sum_report_large(read, sum, nr);
	sum_small_values(sum, nr, read->count, read->time);
	return 0;
}
