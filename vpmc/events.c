// SPDX-License-Identifier: GPL-2.0-only
/* A set of events to count. See events.h. */
#include <linux/err.h>
#include <linux/slab.h>

#include "cpu.h"
#include "events.h"

/* How many events can share one counter. */
#define EVENTS_PER_COUNTER	16

/* The index of @counter in @events->counter; adds it if it is not there. */
static u8 events_index_of(struct vpmc_events *events, u16 counter)
{
	u8 index = 0;

	while (index < events->nr_counters && events->counter[index] != counter)
		index++;
	if (index == events->nr_counters) {
		events->counter[index] = counter;
		events->load.used |= BIT(counter);
		events->nr_counters++;
	}
	return index;
}

/* Append event @i to the ring of its counter. Returns whether it fits. */
static bool events_link(struct vpmc_events *events, u32 i)
{
	struct vpmc_slot *slot = events->slot;
	u32 before, others = 0, last = i;

	for (before = 0; before < i; before++) {
		if (slot[before].index != slot[i].index)
			continue;
		last = before;
		others++;
	}
	/* The last one's next is the first. */
	slot[i].next = others ? slot[last].next : i;
	slot[last].next = i;
	return others < EVENTS_PER_COUNTER;
}

/* If all are counted at the same time, @slot->control is not needed. */
static enum vpmc_reason events_add(struct vpmc_events *events, u32 i,
				   const struct vpmc_event *event,
				   bool multiplex)
{
	enum vpmc_reason reason = VPMC_REASON_NONE;
	struct vpmc_slot *slot = &events->slot[i];
	u32 bad;

	if (multiplex)
		reason = vpmc_pmu->encode(event, 1, &slot->control, &bad);
	if (reason)
		return reason;
	slot->event = *event;
	slot->index = events_index_of(events, event->counter);
	events->load.kernel |= event->modes & VPMC_MODE_KERNEL;
	if (multiplex && !events_link(events, i))
		return VPMC_REASON_TOO_MANY;
	return VPMC_REASON_NONE;
}

/* Can these events be counted at the same time? If so, sets *@control. */
static enum vpmc_reason events_check(const struct vpmc_event *event, u32 nr,
				     u64 *control, u32 *bad)
{
	if (!nr)
		return VPMC_REASON_NO_EVENTS;
	if (nr > vpmc_pmu->nr_counters)
		return VPMC_REASON_TOO_MANY;
	return vpmc_pmu->encode(event, nr, control, bad);
}

static bool events_lack_counters(enum vpmc_reason reason, u32 nr)
{
	return nr <= VPMC_MAX_EVENTS && (reason == VPMC_REASON_TOO_MANY ||
					 reason == VPMC_REASON_COUNTER_TAKEN);
}

struct vpmc_events *vpmc_events_create(const struct vpmc_event *event, u32 nr,
				       bool may_multiplex,
				       enum vpmc_reason *reason, u32 *bad)
{
	struct vpmc_events *events;
	bool multiplex;
	u64 control = 0;
	u32 i;

	*bad = 0;
	*reason = events_check(event, nr, &control, bad);
	multiplex = *reason;
	if (multiplex && !(may_multiplex && events_lack_counters(*reason, nr)))
		return ERR_PTR(-EINVAL);

	events = kzalloc(struct_size(events, slot, nr), GFP_KERNEL_ACCOUNT);
	if (!events)
		return ERR_PTR(-ENOMEM);
	refcount_set(&events->ref, 1);
	events->nr = nr;
	events->load.control = control;
	for (i = 0; i < nr; i++) {
		*reason = events_add(events, i, &event[i], multiplex);
		if (*reason) {
			*bad = i;
			vpmc_events_put(events);
			return ERR_PTR(-EINVAL);
		}
	}
	return events;
}

bool vpmc_events_are(const struct vpmc_events *events,
		     const struct vpmc_event *event, u32 nr)
{
	u32 i;

	if (events->nr != nr || vpmc_events_multiplex(events))
		return false;
	for (i = 0; i < nr; i++) {
		if (memcmp(&events->slot[i].event, &event[i], sizeof(*event)))
			return false;
	}
	return true;
}

bool vpmc_events_alike(const struct vpmc_events *a,
		       const struct vpmc_events *b)
{
	u32 i;

	if (!a || !b || a->nr != b->nr)
		return false;
	for (i = 0; i < a->nr; i++) {
		if (memcmp(&a->slot[i].event, &b->slot[i].event,
			   sizeof(struct vpmc_event)))
			return false;
	}
	return true;
}
