/* SPDX-License-Identifier: GPL-2.0-only */
/* Counts added up, with a note of what could not be added. */
#ifndef VPMC_SUM_H
#define VPMC_SUM_H

#include <linux/string.h>
#include <linux/types.h>

#include "pmu.h"

/**
 * struct vpmc_sum - counts added up
 * @tsc: clocks for which what was added up was counting
 * @count: one per event
 * @added: how many threads or children these are
 * @other_events: how many are missing because they counted other events
 * @revoked: how many are missing because they must not be watched
 */
struct vpmc_sum {
	u64 tsc;
	u64 count[VPMC_MAX_COUNTERS];
	u32 added;
	u32 other_events;
	u32 revoked;
};

/* Forget the counts; what is noted as missing stays. */
static inline void vpmc_sum_clear(struct vpmc_sum *sum)
{
	sum->tsc = 0;
	memset(sum->count, 0, sizeof(sum->count));
	sum->added = 0;
}

static inline void vpmc_sum_add(struct vpmc_sum *sum,
				const struct vpmc_sum *more)
{
	int i;

	for (i = 0; i < VPMC_MAX_COUNTERS; i++)
		sum->count[i] += more->count[i];
	sum->tsc += more->tsc;
	sum->added += more->added;
	sum->other_events += more->other_events;
	sum->revoked += more->revoked;
}

/* Fill in what @read says of @sum, which counts @nr events. */
static inline void vpmc_sum_report(struct vpmc_read *read,
				   const struct vpmc_sum *sum, u32 nr)
{
	read->nr_counts = nr;
	read->other_events = sum->other_events;
	read->revoked = sum->revoked;
	read->tsc = sum->tsc;
	memcpy(read->count, sum->count, sizeof(sum->count));
}

#endif /* VPMC_SUM_H */
