/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A set of events to count. It does not change, and all tasks that count it
 * share it. Tasks of one user that have started apart mostly share it, too: see
 * vpmc_events_obtain().
 */
#ifndef VPMC_EVENTS_H
#define VPMC_EVENTS_H

#include <linux/refcount.h>
#include <linux/uidgid.h>

#include "pmu/pmu.h"

/* So many events are counted without memory of their own. */
#define VPMC_SMALL_EVENTS	2

/**
 * struct vpmc_slot - an event of a set
 * @select: what the PMU needs to know of it
 * @event: as the caller gave it
 * @index: where its hardware counter stands in vpmc_events.counter
 * @next: the event that has the counter after it; itself if it is alone there,
 *	but other events share a counter
 * @extra: the extra register that it needs, from 1, or 0
 */
struct vpmc_slot {
	u64 select;
	struct vpmc_event event;
	u8 index;
	u8 next;
	u8 extra;
};

/**
 * struct vpmc_events - what a thread counts
 * @load: what a processor is to count. If events share counters, its control and
 *	select are not used: see rotate.h. Its selects stand behind @slot.
 * @ref: holders
 * @nr: events
 * @nr_counters: hardware counters that they occupy; less than @nr if some share
 *	a counter
 * @hash: its place among the sets of the user for whom it was made
 * @large: they need memory in each thread and sum, see large.h
 * @begun: how many threads have begun with it, if some share a counter. The
 *	only field that changes, and only a hint: see rotate.h.
 * @lot: decides with which events threads begin then
 * @counter: the hardware counters, ascending: sets with the same control have
 *	them in the same places
 * @slot: the events
 */
struct vpmc_events {
	struct vpmc_load load;
	refcount_t ref;
	u8 nr;
	u8 nr_counters;
	u8 hash;
	bool large;
	u16 begun;
	u32 lot;
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
 * It is charged to the caller's memory cgroup.
 *
 * Context: may sleep.
 * Return: a set, with a reference, or ERR_PTR(-EINVAL) with @reason and
 * @bad set, or ERR_PTR(-ENOMEM).
 */
struct vpmc_events *vpmc_events_create(const struct vpmc_event *event, u32 nr,
				       bool may_multiplex,
				       enum vpmc_reason *reason, u32 *bad);

/*
 * vpmc_events_obtain() - the same, or a set that the caller's user has: one that no
 * other set with its hash was made after, and whose events share no counters. That
 * makes a start cheaper, and so tells that there is the set.
 */
struct vpmc_events *vpmc_events_obtain(const struct vpmc_event *event, u32 nr,
				       bool may_multiplex,
				       enum vpmc_reason *reason, u32 *bad);

/* @nr references more. */
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

/* Only for vpmc_events_put(). */
void vpmc_events_free(struct vpmc_events *events);

/* Any context. @events may be NULL. */
static inline void vpmc_events_put(struct vpmc_events *events)
{
	if (events && refcount_dec_and_test(&events->ref))
		vpmc_events_free(events);
}

/* Where the hardware counter of event @i stands in the set's order. */
static inline u8 vpmc_events_index(const struct vpmc_events *events, u32 i)
{
	return events->slot[i].index;
}

/* Do some events share counters? @events may be NULL. */
static inline bool vpmc_events_multiplex(const struct vpmc_events *events)
{
	return events && events->nr != events->nr_counters;
}

/* Do they need memory in each thread and sum? @events may be NULL. See large.h. */
static inline bool vpmc_events_are_large(const struct vpmc_events *events)
{
	return events && events->large;
}

/* How many words a load of @events has: selects, values of extra registers. */
u32 vpmc_events_nr_selects(const struct vpmc_events *events);

/*
 * Make @load count those of @events' events whose indices @present has, one for
 * each counter. @select: memory for vpmc_events_nr_selects().
 */
void vpmc_events_compose(struct vpmc_load *load, u64 *select,
			 const struct vpmc_events *events, const u8 *present);

static __always_inline bool vpmc_event_same(const struct vpmc_event *a,
					    const struct vpmc_event *b)
{
	return a->code == b->code && a->counter == b->counter &&
	       a->modes == b->modes && a->pad == b->pad &&
	       a->extra == b->extra;
}

/* Are these the @nr events of @events, in the same order? */
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
