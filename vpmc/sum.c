// SPDX-License-Identifier: GPL-2.0-only
/* Sums of counts. See sum.h. */
#include <linux/slab.h>
#include <linux/string.h>

#include "sum.h"

int vpmc_sum_alloc_mux(const struct vpmc_events *events,
		       struct vpmc_mux_counts **mux)
{
	*mux = NULL;
	if (!vpmc_events_multiplex(events))
		return 0;
	*mux = kzalloc(struct_size(*mux, count, events->nr),
		       GFP_KERNEL_ACCOUNT);
	return *mux ? 0 : -ENOMEM;
}

void vpmc_sum_init(struct vpmc_sum *sum, struct vpmc_mux_counts *mux,
		   const struct vpmc_events *events)
{
	*sum = (struct vpmc_sum){};
	if (!vpmc_events_multiplex(events))
		return;
	sum->mux = mux;
	mux->nr = events->nr;
	memset(mux->count, 0, mux->nr * sizeof(*mux->count));
}

struct vpmc_mux_counts *vpmc_sum_change(struct vpmc_sum *sum,
					struct vpmc_mux_counts *mux,
					const struct vpmc_events *events)
{
	const struct vpmc_sum old = *sum;

	vpmc_sum_init(sum, mux, events);
	vpmc_sum_miss(sum, &old);
	return old.mux;
}

void vpmc_sum_clear(struct vpmc_sum *sum)
{
	struct vpmc_mux_counts *mux = sum->mux;

	*sum = (struct vpmc_sum){ .mux = mux };
	if (mux)
		memset(mux->count, 0, mux->nr * sizeof(*mux->count));
}

void vpmc_sum_add(struct vpmc_sum *sum, const struct vpmc_sum *more)
{
	u32 i;

	sum->other_events += more->other_events;
	sum->revoked += more->revoked;
	if (!more->added)
		return;
	for (i = 0; i < VPMC_MAX_COUNTERS; i++)
		sum->count[i] += more->count[i];
	for (i = 0; sum->mux && i < sum->mux->nr; i++) {
		sum->mux->count[i].count += more->mux->count[i].count;
		sum->mux->count[i].time += more->mux->count[i].time;
	}
	sum->tsc += more->tsc;
	sum->added += more->added;
}

void vpmc_sum_miss(struct vpmc_sum *sum, const struct vpmc_sum *more)
{
	sum->other_events += more->added + more->other_events;
	sum->revoked += more->revoked;
}

void vpmc_sum_hide(struct vpmc_sum *sum, const struct vpmc_sum *more)
{
	sum->other_events += more->other_events;
	sum->revoked += more->added + more->revoked;
}

static __always_inline void sum_values(const struct vpmc_sum *sum, u32 nr,
				       u64 *count, u64 *time)
{
	u32 i;

	if (!sum->mux) {
		for (i = 0; i < nr; i++) {
			count[i] = sum->count[i];
			time[i] = sum->tsc;
		}
		return;
	}
	for (i = 0; i < nr; i++) {
		count[i] = sum->mux->count[i].count;
		time[i] = sum->mux->count[i].time;
	}
}

void vpmc_sum_values(const struct vpmc_sum *sum, u32 nr, u64 *count, u64 *time)
{
	sum_values(sum, nr, count, time);
}

int vpmc_sum_report(struct vpmc_read *read, const struct vpmc_sum *sum, u32 nr)
{
	if (sum->mux && read->size < offsetof(struct vpmc_read, time[nr]))
		return -EINVAL;
	read->nr_counts = nr;
	read->other_events = sum->other_events;
	read->revoked = sum->revoked;
	read->tsc = sum->tsc;
	sum_values(sum, nr, read->count, read->time);
	return 0;
}
