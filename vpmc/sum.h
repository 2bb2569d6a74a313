/* SPDX-License-Identifier: GPL-2.0-only */
/* Counts added up, with a note of what could not be added. */
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
 * struct vpmc_mux_counts - those of a set
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
 * @mux: if they share counters; memory of the sum's owner, else NULL
 * @added: how many threads or children these are; if none, all counts are 0
 * @other_events: how many are missing because they counted other events
 * @revoked: how many are missing because they must not be watched
 *
 * All zero is a sum of nothing, for events that have counters to themselves.
 */
struct vpmc_sum {
	u64 tsc;
	u64 count[VPMC_MAX_COUNTERS];
	struct vpmc_mux_counts *mux;
	u32 added;
	u32 other_events;
	u32 revoked;
};

/* Bytes that those of any set take, to be had on the stack. */
#define VPMC_MUX_COUNTS_SIZE \
	struct_size_t(struct vpmc_mux_counts, count, VPMC_MAX_EVENTS)

/*
 * Zeroed memory for a sum of @events, NULL if they do not share counters.
 * Returns 0 or -ENOMEM. May sleep.
 */
int vpmc_mux_alloc(const struct vpmc_events *events,
		   struct vpmc_mux_counts **mux);

/*
 * A sum of nothing of @events, whose memory is at @mux if they share counters.
 * @events may be NULL.
 */
void vpmc_sum_init(struct vpmc_sum *sum, struct vpmc_mux_counts *mux,
		   const struct vpmc_events *events);

/*
 * Begin at zero of @events, with memory at @mux; what was added up is missing
 * from now on. Returns the memory of the former ones.
 */
struct vpmc_mux_counts *vpmc_sum_change(struct vpmc_sum *sum,
					struct vpmc_mux_counts *mux,
					const struct vpmc_events *events);

/* Begin at zero of the same events, with nothing missing. */
void vpmc_sum_clear(struct vpmc_sum *sum);

/* Add what has been counted of the same events. */
void vpmc_sum_add(struct vpmc_sum *sum, const struct vpmc_sum *more);

/* The same of other events, or of what must not be watched: it is missing. */
void vpmc_sum_miss(struct vpmc_sum *sum, const struct vpmc_sum *more);
void vpmc_sum_hide(struct vpmc_sum *sum, const struct vpmc_sum *more);

/* The counts and times of @nr events. */
void vpmc_sum_values(const struct vpmc_sum *sum, u32 nr, u64 *count, u64 *time);

/*
 * Fill in what @read says of @sum, which counts @nr events. Returns 0, or
 * -EINVAL if the caller of the read has no room for times that tell more than
 * @tsc.
 */
int vpmc_sum_report(struct vpmc_read *read, const struct vpmc_sum *sum, u32 nr);

#endif /* VPMC_SUM_H */
