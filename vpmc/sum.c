// SPDX-License-Identifier: GPL-2.0-only
/* Sums of counts. See sum.h. */
#include <linux/slab.h>
#include <linux/string.h>

#include "sum.h"

int vpmc_sum_alloc_large(const struct vpmc_events *events,
			 struct vpmc_large_counts **large)
{
	*large = NULL;
	if (!vpmc_events_are_large(events))
		return 0;
	*large = kzalloc(struct_size(*large, count, events->nr),
			 GFP_KERNEL_ACCOUNT);
	return *large ? 0 : -ENOMEM;
}

void vpmc_sum_init(struct vpmc_sum *sum, struct vpmc_large_counts *large,
		   const struct vpmc_events *events)
{
	*sum = (struct vpmc_sum){};
	if (!vpmc_events_are_large(events))
		return;
	sum->is_large = true;
	sum->large = large;
	large->nr = events->nr;
	large->multiplex = vpmc_events_multiplex(events);
	memset(large->count, 0, large->nr * sizeof(*large->count));
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
	memset(large->count, 0, large->nr * sizeof(*large->count));
}

static void sum_add_large(struct vpmc_large_counts *large,
			  const struct vpmc_large_counts *more)
{
	u32 i;

	for (i = 0; i < large->nr; i++) {
		large->count[i].count += more->count[i].count;
		large->count[i].time += more->count[i].time;
	}
}

/* Seldom needed: kept out of vpmc_sum_add(), which is short without it. */
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

/* Both are large, or @more has gaps. */
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

static __always_inline void sum_values(const struct vpmc_sum *sum, u32 nr,
				       u64 *count, u64 *time)
{
	u32 i;

	if (!sum->is_large) {
		for (i = 0; i < nr; i++) {
			count[i] = sum->count[i];
			time[i] = sum->tsc;
		}
		return;
	}
	for (i = 0; i < nr; i++) {
		count[i] = sum->large->count[i].count;
		time[i] = sum->large->count[i].time;
	}
}

void vpmc_sum_values(const struct vpmc_sum *sum, u32 nr, u64 *count, u64 *time)
{
	sum_values(sum, nr, count, time);
}

int vpmc_sum_report(struct vpmc_read *read, const struct vpmc_sum *sum, u32 nr)
{
	if (vpmc_sum_has_times(sum) &&
	    read->size < offsetof(struct vpmc_read, time[nr]))
		return -EINVAL;
	read->nr_counts = nr;
	read->other_events = sum->other_events;
	read->revoked = sum->revoked;
	read->stopped = sum->stopped;
	read->tsc = sum->tsc;
	sum_values(sum, nr, read->count, read->time);
	return 0;
}
