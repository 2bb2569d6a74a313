/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A set of events to count. It does not change, and all tasks that count it
 * share it.
 */
#ifndef VPMC_EVENTS_H
#define VPMC_EVENTS_H

#include <linux/refcount.h>
#include <linux/slab.h>

#include "pmu.h"

/**
 * struct vpmc_load - what a processor is to count
 * @control: what the PMU's control register has to hold
 * @used: the hardware counters, one bit each
 * @kernel: some events are counted in kernel mode
 */
struct vpmc_load {
	u64 control;
	u32 used;
	bool kernel;
};

/**
 * struct vpmc_slot - an event of a set
 * @control: what the PMU's control register has to hold for this one alone, if
 *	some events of the set share a counter
 * @event: as the caller gave it
 * @index: where its hardware counter stands in vpmc_events.counter
 * @next: the event that has the counter after it; itself if it is alone there,
 *	but other events share a counter
 */
struct vpmc_slot {
	u64 control;
	struct vpmc_event event;
	u8 index;
	u8 next;
};

/**
 * struct vpmc_events - what a thread counts
 * @ref: holders
 * @nr: events
 * @nr_counters: hardware counters that they occupy; less than @nr if some share
 *	a counter
 * @begun: how many threads have begun with it, if some share a counter. The
 *	only field that changes, and only a hint: see rotate.h.
 * @load: what a processor is to count. If events share counters, its control
 *	is not used: see rotate.h.
 * @counter: the hardware counters; if no events share them, one per event
 * @slot: the events
 */
struct vpmc_events {
	refcount_t ref;
	u8 nr;
	u8 nr_counters;
	u16 begun;
	struct vpmc_load load;
	u8 counter[VPMC_MAX_COUNTERS];
	struct vpmc_slot slot[];
};

/**
 * vpmc_events_create() - check events and make a set of them
 * @event: the events
 * @nr: how many
 * @may_multiplex: several events for one counter may share it
 * @bad: receives the index of the event at fault when they are refused
 * @reason: receives why they are refused
 *
 * The set is charged to the caller's memory cgroup.
 *
 * Context: may sleep.
 * Return: a set that the caller holds, or ERR_PTR(-EINVAL) with @reason and
 * @bad set, or ERR_PTR(-ENOMEM).
 */
struct vpmc_events *vpmc_events_create(const struct vpmc_event *event, u32 nr,
				       bool may_multiplex,
				       enum vpmc_reason *reason, u32 *bad);

static inline struct vpmc_events *vpmc_events_get(struct vpmc_events *events)
{
	refcount_inc(&events->ref);
	return events;
}

/* Any context. @events may be NULL. */
static inline void vpmc_events_put(struct vpmc_events *events)
{
	if (events && refcount_dec_and_test(&events->ref))
		kfree(events);
}

/* Do some events share counters? @events may be NULL. */
static inline bool vpmc_events_multiplex(const struct vpmc_events *events)
{
	return events && events->nr != events->nr_counters;
}

/* Is @events the set of these @nr events, each with a counter to itself? */
bool vpmc_events_are(const struct vpmc_events *events,
		     const struct vpmc_event *event, u32 nr);

/* Only for vpmc_events_equal(). */
bool vpmc_events_alike(const struct vpmc_events *a,
		       const struct vpmc_events *b);

/* Are these the same events in the same order? Either may be NULL. */
static inline bool vpmc_events_equal(const struct vpmc_events *a,
				     const struct vpmc_events *b)
{
	return likely(a == b) || vpmc_events_alike(a, b);
}

#endif /* VPMC_EVENTS_H */
