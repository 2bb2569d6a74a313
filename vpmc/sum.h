/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums of counts, and how many counts are missing in them. */
#ifndef VPMC_SUM_H
#define VPMC_SUM_H

#include <linux/types.h>

#include "events.h"

/**
 * struct vpmc_mux_count - one of several events that share counters
 * @count: events counted
 * @time: clocks for which it had a counter
 */
struct vpmc_mux_count {
	u64 count;
	u64 time;
};

/**
 * struct vpmc_mux_counts - all events of a set that share counters
 * @nr: how many
 * @count: one per event
 */
struct vpmc_mux_counts {
	u32 nr;
	struct vpmc_mux_count count[];
};

/**
 * struct vpmc_sum - counts added up
 * @tsc: clocks for which what was added up was counting
 * @count: one per event, if each has a counter to itself
 * @mux: the counts of events that share counters, else NULL; memory of the
 *	sum's owner
 * @added: how many threads or children are in the sum; if none, all counts are
 *	0
 * @other_events: how many are missing because they counted other events
 * @revoked: how many are missing because they must not be watched
 *
 * All zero is an empty sum of events that share no counters.
 */
struct vpmc_sum {
	u64 tsc;
	u64 count[VPMC_MAX_COUNTERS];
	struct vpmc_mux_counts *mux;
	u32 added;
	u32 other_events;
	u32 revoked;
};

/* The size of struct vpmc_mux_counts for any set, to have it on the stack. */
#define VPMC_MUX_COUNTS_SIZE \
	struct_size_t(struct vpmc_mux_counts, count, VPMC_MAX_EVENTS)

/*
 * Zeroed memory for a sum of @events, NULL if they do not share counters.
 * Returns 0 or -ENOMEM. May sleep.
 */
int vpmc_sum_alloc_mux(const struct vpmc_events *events,
		       struct vpmc_mux_counts **mux);

/*
 * Make @sum an empty sum of @events, with memory @mux if they share counters.
 * @events may be NULL.
 */
void vpmc_sum_init(struct vpmc_sum *sum, struct vpmc_mux_counts *mux,
		   const struct vpmc_events *events);

/*
 * Make @sum an empty sum of @events, with memory @mux. What it contained is
 * missing from now on. Returns the old memory.
 */
struct vpmc_mux_counts *vpmc_sum_change(struct vpmc_sum *sum,
					struct vpmc_mux_counts *mux,
					const struct vpmc_events *events);

/* Empty the sum, for the same events. Nothing is missing in it. */
void vpmc_sum_clear(struct vpmc_sum *sum);

/* Was nothing ever added to @sum, nor anything noted as missing? */
static inline bool vpmc_sum_is_empty(const struct vpmc_sum *sum)
{
	return !(sum->added | sum->other_events | sum->revoked);
}

/* Add a sum of the same events. */
void vpmc_sum_add(struct vpmc_sum *sum, const struct vpmc_sum *more);

/* Do not add a sum, of other events or that must be hidden: it is missing. */
void vpmc_sum_miss(struct vpmc_sum *sum, const struct vpmc_sum *more);
void vpmc_sum_hide(struct vpmc_sum *sum, const struct vpmc_sum *more);

/* The counts and times of @nr events. */
void vpmc_sum_values(const struct vpmc_sum *sum, u32 nr, u64 *count, u64 *time);

/*
 * Fill in what @read says of @sum, which counts @nr events. Returns 0, or
 * -EINVAL if events share counters and @read has no room for their times.
 */
int vpmc_sum_report(struct vpmc_read *read, const struct vpmc_sum *sum, u32 nr);

#endif /* VPMC_SUM_H */
