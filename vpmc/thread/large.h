/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The counters of a thread whose set of events is large: there are more of them
 * than struct vpmc_thread has room for, or some share a counter (rotate.h).
 */
#ifndef VPMC_LARGE_H
#define VPMC_LARGE_H

#include "cpu/events.h"
#include "pmu/extend.h"
#include "thread/sum.h"

struct vpmc_thread;

/**
 * struct vpmc_rest - what of an event's squares is less than a unit
 * @square: of the squares of its counts
 * @product: of the products of its counts and times
 */
struct vpmc_rest {
	u32 square;
	u32 product;
};

/**
 * struct vpmc_large - the counters of a thread that counts a large set
 * @next: in vpmc_prealloc.threads
 * @load: what a processor that runs the thread is to count
 * @since: vpmc_thread.tsc at the last rotation
 * @counter: one per hardware counter, like vpmc_thread.counter. If events share
 *	counters, what was counted since the last rotation
 * @select: those of @load
 * @rest: one per event, if events share counters
 * @present: the event that has the counter, by index of the counter. If events share
 *	counters, there follows how many turns are left of each counter's round.
 * @counts: what each event counted before the last rotation
 *
 * In a thread, written like its counts, see count.h. @counter, @select, @rest and
 * @present point behind @counts.
 */
struct vpmc_large {
	struct vpmc_large *next;
	struct vpmc_load load;
	u64 since;
	struct vpmc_counter *counter;
	u64 *select;
	struct vpmc_rest *rest;
	u8 *present;
	struct vpmc_large_counts counts;
};

/* For a thread that counts @events, which are large; or NULL. May sleep. */
struct vpmc_large *vpmc_large_create(struct vpmc_events *events);

/* vpmc_count_add() of a thread whose events are large. */
void vpmc_large_add(struct vpmc_sum *sum, const struct vpmc_thread *t);

#endif /* VPMC_LARGE_H */
