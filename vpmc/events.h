/* SPDX-License-Identifier: GPL-2.0-only */
/* A set of events to count: made once, never changed, shared by all tasks
 * that count them.
 */
#ifndef VPMC_EVENTS_H
#define VPMC_EVENTS_H

#include <linux/refcount.h>

#include "pmu.h"

/**
 * struct vpmc_events - what a thread counts
 * @ref: holders
 * @nr: events
 * @used: the hardware counters that they occupy, one bit each
 * @kernel: some of them are counted in kernel mode
 * @control: what the PMU's control register has to hold
 * @counter: the hardware counter of each event
 */
struct vpmc_events {
	refcount_t ref;
	u32 nr;
	u32 used;
	bool kernel;
	u64 control;
	u8 counter[VPMC_MAX_COUNTERS];
};

/**
 * vpmc_events_create() - check events and make a set of them
 * @event: the events
 * @nr: how many
 * @bad: receives the index of the event at fault when they are refused
 * @reason: receives why they are refused
 *
 * Context: may sleep.
 * Return: a set that the caller holds, or ERR_PTR(-EINVAL) with @reason and
 * @bad set, or ERR_PTR(-ENOMEM).
 */
struct vpmc_events *vpmc_events_create(const struct vpmc_event *event, u32 nr,
				       enum vpmc_reason *reason, u32 *bad);

static inline struct vpmc_events *vpmc_events_get(struct vpmc_events *events)
{
	refcount_inc(&events->ref);
	return events;
}

/* Any context. @events may be NULL. */
void vpmc_events_put(struct vpmc_events *events);

/* Do the two sets give the same events in the same order? Either may be NULL. */
bool vpmc_events_equal(const struct vpmc_events *a,
		       const struct vpmc_events *b);

#endif /* VPMC_EVENTS_H */
