// SPDX-License-Identifier: GPL-2.0-only
/* A set of events to count. See events.h. */
#include <linux/err.h>
#include <linux/slab.h>

#include "cpu.h"
#include "events.h"

/* How many events can take turns on one counter. */
#define MAX_TURNS	16

static struct vpmc_events *new_events(u32 nr, u32 nr_turns)
{
	struct vpmc_events *events;

	events = kzalloc(struct_size(events, turn, nr_turns), GFP_KERNEL);
	if (events) {
		refcount_set(&events->ref, 1);
		events->nr = nr;
	}
	return events;
}

/* The place of a hardware counter, a new one if it has none. */
static u8 place_of(struct vpmc_events *events, u16 counter)
{
	u8 place = 0;

	while (place < events->nr_places && events->counter[place] != counter)
		place++;
	if (place == events->nr_places) {
		events->counter[place] = counter;
		events->load.used |= BIT(counter);
		events->nr_places++;
	}
	return place;
}

/* Let event @i have its turn behind those before it on the same counter. */
static bool queue(struct vpmc_events *events, u32 i)
{
	struct vpmc_turn *turn = events->turn;
	u32 before, others = 0, last = i;

	for (before = 0; before < i; before++) {
		if (turn[before].place != turn[i].place)
			continue;
		last = before;
		others++;
	}
	/* The last one's next is the first. */
	turn[i].next = others ? turn[last].next : i;
	turn[last].next = i;
	return others < MAX_TURNS;
}

static enum vpmc_reason add_turn(struct vpmc_events *events, u32 i,
				 const struct vpmc_event *event)
{
	struct vpmc_turn *turn = &events->turn[i];
	enum vpmc_reason reason;
	u32 bad;

	reason = vpmc_pmu->encode(event, 1, &turn->control, &bad);
	if (reason)
		return reason;
	turn->place = place_of(events, event->counter);
	events->load.kernel |= event->modes & VPMC_MODE_KERNEL;
	return queue(events, i) ? VPMC_REASON_NONE : VPMC_REASON_TOO_MANY;
}

/* A set of which some events share a counter. */
static struct vpmc_events *create_shared(const struct vpmc_event *event, u32 nr,
					 enum vpmc_reason *reason, u32 *bad)
{
	struct vpmc_events *events;
	u32 i;

	*bad = 0;
	*reason = VPMC_REASON_TOO_MANY;
	if (nr > VPMC_MAX_EVENTS)
		return ERR_PTR(-EINVAL);
	events = new_events(nr, nr);
	if (!events)
		return ERR_PTR(-ENOMEM);
	for (i = 0; i < nr; i++) {
		*reason = add_turn(events, i, &event[i]);
		if (*reason) {
			*bad = i;
			vpmc_events_put(events);
			return ERR_PTR(-EINVAL);
		}
	}
	return events;
}

struct vpmc_events *vpmc_events_create(const struct vpmc_event *event, u32 nr,
				       bool may_share,
				       enum vpmc_reason *reason, u32 *bad)
{
	struct vpmc_events *events;
	u64 control;
	u32 i;

	*bad = 0;
	*reason = VPMC_REASON_NO_EVENTS;
	if (!nr)
		return ERR_PTR(-EINVAL);
	*reason = VPMC_REASON_TOO_MANY;
	if (nr <= vpmc_pmu->nr_counters)
		*reason = vpmc_pmu->encode(event, nr, &control, bad);
	if (may_share && (*reason == VPMC_REASON_TOO_MANY ||
			  *reason == VPMC_REASON_COUNTER_TAKEN))
		return create_shared(event, nr, reason, bad);
	if (*reason)
		return ERR_PTR(-EINVAL);

	events = new_events(nr, 0);
	if (!events)
		return ERR_PTR(-ENOMEM);
	events->load.control = control;
	events->nr_places = nr;
	for (i = 0; i < nr; i++) {
		events->counter[i] = event[i].counter;
		events->load.used |= BIT(event[i].counter);
		events->load.kernel |= event[i].modes & VPMC_MODE_KERNEL;
	}
	return events;
}

void vpmc_events_put(struct vpmc_events *events)
{
	if (events && refcount_dec_and_test(&events->ref))
		kfree(events);
}

static bool turns_equal(const struct vpmc_events *a,
			const struct vpmc_events *b)
{
	u32 i;

	for (i = 0; i < vpmc_events_shared(a); i++) {
		if (a->turn[i].control != b->turn[i].control ||
		    a->turn[i].place != b->turn[i].place)
			return false;
	}
	return true;
}

bool vpmc_events_equal(const struct vpmc_events *a,
		       const struct vpmc_events *b)
{
	if (a == b)
		return true;
	return a && b && a->nr == b->nr && a->nr_places == b->nr_places &&
	       a->load.control == b->load.control &&
	       !memcmp(a->counter, b->counter, sizeof(a->counter)) &&
	       turns_equal(a, b);
}
