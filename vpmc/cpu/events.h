/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares sets of events to count. A set does not change, and all tasks that
 * count it share it. Tasks of one user that start independently usually share a set, too:
 * see vpmc_events_obtain().
 */
#ifndef VPMC_EVENTS_H
#define VPMC_EVENTS_H

#include <linux/refcount.h>
#include <linux/uidgid.h>

#include "pmu/pmu.h"

struct vpmc_rings;

/* A thread can count VPMC_SMALL_EVENTS events without extra memory. */
#define VPMC_SMALL_EVENTS	2

/**
 * enum vpmc_set_kind - whether each thread and sum needs extra memory for a set (large.h)
 * @VPMC_SMALL: extra memory is not needed
 * @VPMC_LARGE: extra memory is needed
 * @VPMC_LARGE_APART: extra memory is needed, because there are many events. Each event has its own
 *	counter, and none has a period.
 * @VPMC_LARGE_SAMPLED: extra memory is needed, counters interrupt at samples, and all events are of
 *	user mode only
 * @VPMC_LARGE_TICKED: extra memory is needed, samples are taken at ticks, and all events are of
 *	user mode only
 */
enum vpmc_set_kind {
	VPMC_SMALL,
	VPMC_LARGE,
	VPMC_LARGE_APART,
	VPMC_LARGE_SAMPLED,
	VPMC_LARGE_TICKED,
};

/**
 * struct vpmc_slot - an event of a set
 * @select: the select of the event, from vpmc_pmu.encode
 * @event: the event as the caller passed it. If it has VPMC_MODE_CASCADE, the event before it is in
 *	the slot before.
 * @index: index of its hardware counter in vpmc_events.counter
 * @next: the event that uses the counter next; the event itself if it does not share its
 *	counter
 * @extra: the extra register that the event needs, from 1; 0 if it needs none
 */
struct vpmc_slot {
	u64 select;
	struct vpmc_event event;
	u8 index;
	u8 next;
	u8 extra;
};

/**
 * struct vpmc_events - the set of events that a thread counts
 * @load: the registers' values for these events. If events share counters, its control and select
 *	are not used: see rotate.h. Its selects are stored after @slot.
 * @ref: reference count
 * @nr: number of events
 * @nr_counters: number of hardware counters that the events use; less than @nr if some
 *	share a counter
 * @hash: its index in the table of sets for reuse
 * @kind: an enum vpmc_set_kind
 * @cascades: whether an event has VPMC_MODE_CASCADE; then @kind is VPMC_LARGE
 * @begun: number of threads that have begun to count the set, if events share a counter. Only this
 *	field changes, and it need not be exact: see rotate.h.
 * @lot: random number that decides which events threads begin with if events share a counter
 * @rings: the rings for samples, with a reference; NULL if no event has a period
 * @armed: the counters that interrupt at samples, one bit each
 * @counter: the hardware counters, in ascending order. Sets with the same control have
 *	the same counters in the same order.
 * @slot: the events
 */
struct vpmc_events {
	struct vpmc_load load;
	refcount_t ref;
	u8 nr;
	u8 nr_counters;
	u8 hash;
	u8 kind;
	u16 begun;
	bool cascades;
	u32 lot;
	struct vpmc_rings *rings;
	u32 armed;
	u8 counter[VPMC_MAX_COUNTERS];
	struct vpmc_slot slot[];
};

/**
 * vpmc_events_create() - check events and create a set of them
 * @event: the events
 * @nr: number of events
 * @may_multiplex: whether several events may share one counter
 * @rings: the rings for samples of events with periods, or NULL if the events may not
 *	have periods
 * @bad: receives the index of the event at fault if the events are refused
 * @reason: receives the reason if the events are refused
 *
 * The set is charged to the caller's memory cgroup.
 *
 * Context: may sleep.
 * Return: a set, with a reference, or ERR_PTR(-EINVAL) with @reason and
 * @bad set, or ERR_PTR(-ENOMEM).
 */
struct vpmc_events *vpmc_events_create(const struct vpmc_event *event, u32 nr,
				       bool may_multiplex,
				       struct vpmc_rings *rings,
				       enum vpmc_reason *reason, u32 *bad);

/*
 * vpmc_events_obtain() - like vpmc_events_create(), but may return an existing set of the caller's
 * user. A set can be reused until another set with its hash is created. Sets whose events share
 * counters or have periods are not reused. Reuse makes a start faster, so the duration of a start
 * reveals to the user that the set exists.
 */
struct vpmc_events *vpmc_events_obtain(const struct vpmc_event *event, u32 nr,
				       bool may_multiplex,
				       struct vpmc_rings *rings,
				       enum vpmc_reason *reason, u32 *bad);

/* Take @nr more references. */
static inline struct vpmc_events *
vpmc_events_get_several(struct vpmc_events *events, int nr)
{
	refcount_add(nr, &events->ref);
	return events;
}

static inline struct vpmc_events *vpmc_events_get(struct vpmc_events *events)
{
	return vpmc_events_get_several(events, 1);
}

/* Only vpmc_events_put() uses this. */
void vpmc_events_free(struct vpmc_events *events);

/* Drop a reference. @events may be NULL. Any context. */
static inline void vpmc_events_put(struct vpmc_events *events)
{
	if (events && refcount_dec_and_test(&events->ref))
		vpmc_events_free(events);
}

/* Return the index of event @i's hardware counter in @events->counter. */
static inline u8 vpmc_events_index(const struct vpmc_events *events, u32 i)
{
	return events->slot[i].index;
}

/* Return whether some events share counters. @events may be NULL. */
static inline bool vpmc_events_multiplex(const struct vpmc_events *events)
{
	return events && events->nr != events->nr_counters;
}

/*
 * Return whether @events need extra memory in each thread and sum (large.h). @events may
 * be NULL.
 */
static inline bool vpmc_events_are_large(const struct vpmc_events *events)
{
	return events && events->kind;
}

/*
 * Return the number of words in the select array of a load of @events: selects, and
 * values of extra registers.
 */
u32 vpmc_events_nr_selects(const struct vpmc_events *events);

/*
 * Make @load count the events of @events whose indices are in @present, one for each
 * counter. @select has room for vpmc_events_nr_selects() words.
 */
void vpmc_events_compose(struct vpmc_load *load, u64 *select,
			 const struct vpmc_events *events, const u8 *present);

/*
 * Make @load count @events, which do not share counters, and let the counters of the events in
 * @alarms, one bit each, interrupt. @select is the same as for vpmc_events_compose().
 */
void vpmc_events_compose_alarms(struct vpmc_load *load, u64 *select,
				const struct vpmc_events *events, u32 alarms);

/*
 * Make @load count @events, which do not share counters, where the events in @started, one bit
 * each, no longer wait for the events before them. @select is the same as for
 * vpmc_events_compose().
 */
void vpmc_events_compose_started(struct vpmc_load *load, u64 *select,
				 const struct vpmc_events *events, u32 started);

/* Return the period at which @event leaves samples, or 0 if it does not leave samples. */
static inline u32 vpmc_event_period(const struct vpmc_event *event)
{
	return event->period && !(event->modes & VPMC_MODE_CASCADE) ? event->period : 0;
}

static __always_inline bool vpmc_event_same(const struct vpmc_event *a,
					    const struct vpmc_event *b)
{
	return a->code == b->code && a->counter == b->counter &&
	       a->modes == b->modes && a->period == b->period &&
	       a->extra == b->extra;
}

/* Return whether @events has exactly the @nr events in @event, in the same order. */
static __always_inline bool vpmc_events_match(const struct vpmc_events *events,
					      const struct vpmc_event *event,
					      u32 nr)
{
	u32 i;

	if (events->nr != nr)
		return false;
	for (i = 0; i < nr; i++) {
		if (!vpmc_event_same(&events->slot[i].event, &event[i]))
			return false;
	}
	return true;
}

/* Only vpmc_events_equal() uses this. */
bool vpmc_events_alike(const struct vpmc_events *a,
		       const struct vpmc_events *b);

/*
 * Return whether @a and @b have the same events in the same order. Either may be NULL.
 */
static inline bool vpmc_events_equal(const struct vpmc_events *a,
				     const struct vpmc_events *b)
{
	return likely(a == b) || vpmc_events_alike(a, b);
}

#endif /* VPMC_EVENTS_H */
