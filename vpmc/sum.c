// SPDX-License-Identifier: GPL-2.0-only
/* Counts added up. See sum.h. */
#include <linux/slab.h>
#include <linux/string.h>

#include "sum.h"

int vpmc_share_alloc(const struct vpmc_events *events, unsigned int n,
		     struct vpmc_share **share)
{
	u32 nr = n * vpmc_events_shared(events);

	*share = nr ? kcalloc(nr, sizeof(**share), GFP_KERNEL_ACCOUNT) : NULL;
	return nr && !*share ? -ENOMEM : 0;
}

void vpmc_sum_init(struct vpmc_sum *sum, struct vpmc_share *share,
		   u32 nr_shares)
{
	*sum = (struct vpmc_sum){ .share = share, .nr_shares = nr_shares };
	if (nr_shares)
		memset(share, 0, nr_shares * sizeof(*share));
}

void vpmc_sum_clear(struct vpmc_sum *sum)
{
	vpmc_sum_init(sum, sum->share, sum->nr_shares);
}

void vpmc_sum_change(struct vpmc_sum *sum, struct vpmc_share *share,
		     u32 nr_shares)
{
	const struct vpmc_sum old = *sum;

	*sum = (struct vpmc_sum){ .share = share, .nr_shares = nr_shares };
	vpmc_sum_miss(sum, &old);
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
	for (i = 0; i < sum->nr_shares; i++) {
		sum->share[i].count += more->share[i].count;
		sum->share[i].time += more->share[i].time;
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

void vpmc_sum_values(const struct vpmc_sum *sum, u32 nr, u64 *count, u64 *time)
{
	u32 i;

	if (!sum->nr_shares) {
		for (i = 0; i < nr; i++) {
			count[i] = sum->count[i];
			time[i] = sum->tsc;
		}
		return;
	}
	for (i = 0; i < nr; i++) {
		count[i] = sum->share[i].count;
		time[i] = sum->share[i].time;
	}
}

int vpmc_sum_report(struct vpmc_read *read, const struct vpmc_sum *sum, u32 nr)
{
	if (sum->nr_shares && read->size < offsetof(struct vpmc_read, time[nr]))
		return -EINVAL;
	read->nr_counts = nr;
	read->other_events = sum->other_events;
	read->revoked = sum->revoked;
	read->tsc = sum->tsc;
	vpmc_sum_values(sum, nr, read->count, read->time);
	return 0;
}
