// SPDX-License-Identifier: GPL-2.0-only
/* This file checks events and creates sets of events. */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/hash.h>
#include <linux/lockdep.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include <asm/tsc.h>

#include "cpu/cpu.h"
#include "cpu/events.h"
#include "cpu/rings.h"

/* This is the number of events that can share one counter. */
#define EVENTS_PER_COUNTER	16

#define EVENTS_LEVELS		(VPMC_MODE_USER | VPMC_MODE_KERNEL)

/*
 * This table has the most recent set for each hash, without a reference. The upper bits of a hash
 * select a row, and all sets of a row belong to one user. When another user begins to use the row,
 * all its sets are evicted, so reuse does not reveal the events of one user to another user. The
 * second half of a row has sets with periods.
 */
#define EVENTS_USER_BITS	4
#define EVENTS_HASH_BITS	3
#define EVENTS_ROW_BITS		(EVENTS_HASH_BITS + 1)
#define EVENTS_SAMPLED		BIT(EVENTS_HASH_BITS)
static struct vpmc_events *events_last[BIT(EVENTS_USER_BITS + EVENTS_ROW_BITS)];
static kuid_t events_user[BIT(EVENTS_USER_BITS)];
static DEFINE_SPINLOCK(events_lock);

/*
 * Set @load.used, @nr_counters and @counter of @events. The events have been checked.
 */
static void events_set_counters(struct vpmc_events *events,
				const struct vpmc_event *event)
{
	u32 i, counter;

	for (i = 0; i < events->nr; i++)
		events->load.used |= BIT(event[i].counter);
	for (counter = 0; counter < VPMC_MAX_COUNTERS; counter++) {
		if (events->load.used & BIT(counter))
			events->counter[events->nr_counters++] = counter;
	}
}

/* Return the index of @counter in @events->counter. */
static u8 events_index_of(const struct vpmc_events *events, u16 counter)
{
	u8 index = 0;

	while (events->counter[index] != counter)
		index++;
	return index;
}

/*
 * Append event @i to the circular list of its counter. Returns false if the counter has
 * too many events.
 */
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
	/* The last event of the circular list points to the first event. */
	slot[i].next = others ? slot[last].next : i;
	slot[last].next = i;
	return others < EVENTS_PER_COUNTER;
}

u32 vpmc_events_nr_selects(const struct vpmc_events *events)
{
	return events->nr_counters +
	       (events->load.extra ? vpmc_pmu->nr_extra : 0);
}

/*
 * Fill in the values of the extra registers. Events on different counters do not need
 * different values in one register, because events_check() refuses such events.
 */
static void events_compose_extra(u64 *value, const struct vpmc_events *events,
				 const u8 *present)
{
	const struct vpmc_slot *slot;
	u32 i;

	memset(value, 0, vpmc_pmu->nr_extra * sizeof(*value));
	for (i = 0; i < events->nr_counters; i++) {
		slot = &events->slot[present[i]];
		if (slot->extra)
			value[slot->extra - 1] = slot->event.extra;
	}
}

/* Return vpmc_load.control of a load that has @select for @nr counters. */
static u64 events_control(const u64 *select, u32 nr)
{
	static atomic64_t last = ATOMIC64_INIT(0);
	u64 control = 0;
	u32 i;

	if (vpmc_pmu->selects)
		return atomic64_inc_return(&last);
	for (i = 0; i < nr; i++)
		control |= select[i];
	return control;
}

void vpmc_events_compose(struct vpmc_load *load, u64 *select,
			 const struct vpmc_events *events, const u8 *present)
{
	u32 i;

	load->used = events->load.used;
	load->kernel = events->load.kernel;
	load->extra = events->load.extra;
	load->precise = events->load.precise;
	load->select = select;
	for (i = 0; i < events->nr_counters; i++)
		select[i] = events->slot[present[i]].select;
	load->control = events_control(select, events->nr_counters);
	if (load->extra)
		events_compose_extra(&select[i], events, present);
}

void vpmc_events_compose_alarms(struct vpmc_load *load, u64 *select,
				const struct vpmc_events *events, u32 alarms)
{
	struct vpmc_event event;
	u32 i;

	*load = events->load;
	load->select = select;
	memcpy(select, events->load.select, vpmc_events_nr_selects(events) * sizeof(*select));
	for (i = 0; i < events->nr; i++) {
		if (!(alarms & BIT(i)))
			continue;
		event = events->slot[i].event;
		event.period = 1;
		select[events->slot[i].index] = vpmc_pmu->encode(&event);
	}
	load->control = events_control(select, events->nr_counters);
}

void vpmc_events_compose_started(struct vpmc_load *load, u64 *select,
				 const struct vpmc_events *events, u32 started)
{
	struct vpmc_event event;

	*load = events->load;
	load->select = select;
	memcpy(select, events->load.select, vpmc_events_nr_selects(events) * sizeof(*select));
	for (; started; started &= started - 1) {
		const struct vpmc_slot *slot = &events->slot[__ffs(started)];

		event = slot->event;
		event.modes &= ~VPMC_MODE_CASCADE;
		event.period = 0;
		select[slot->index] = vpmc_pmu->encode(&event);
	}
	load->control = events_control(select, events->nr_counters);
}

/* Compose the load of a set in which each counter has only one event. */
static void events_compose_all(struct vpmc_events *events)
{
	u64 *select = (u64 *)&events->slot[events->nr];
	u8 present[VPMC_MAX_COUNTERS];
	u32 i;

	for (i = 0; i < events->nr; i++)
		present[events->slot[i].index] = i;
	vpmc_events_compose(&events->load, select, events, present);
}

static enum vpmc_reason events_find_extra(const struct vpmc_event *event,
					  u8 *extra)
{
	*extra = 0;
	if (vpmc_pmu->find_extra)
		return vpmc_pmu->find_extra(event, extra);
	return event->extra ? VPMC_REASON_MORE_REGISTERS : VPMC_REASON_NONE;
}

/* Return the select of @event. Its counter need not interrupt if samples are taken at ticks. */
static u64 events_encode(struct vpmc_events *events, struct vpmc_event event)
{
	if (vpmc_event_period(&event) && events->rings->ticks)
		event.period = 0;
	else if (vpmc_event_period(&event))
		events->armed |= BIT(event.counter);
	return vpmc_pmu->encode(&event);
}

/*
 * Fill in a set of events that have been checked. Returns VPMC_REASON_TOO_MANY if one
 * counter has too many events.
 */
static enum vpmc_reason events_fill(struct vpmc_events *events,
				    const struct vpmc_event *event,
				    bool multiplex, u32 *bad)
{
	u16 modes = 0;
	u32 i;

	events_set_counters(events, event);
	for (i = 0; i < events->nr; i++) {
		struct vpmc_slot *slot = &events->slot[i];

		slot->event = event[i];
		slot->index = events_index_of(events, event[i].counter);
		slot->select = events_encode(events, event[i]);
		events_find_extra(&event[i], &slot->extra);
		events->load.extra |= slot->extra;
		modes |= event[i].modes;
		if (!events_link(events, i)) {
			*bad = i;
			return VPMC_REASON_TOO_MANY;
		}
	}
	events->load.kernel = modes & VPMC_MODE_KERNEL;
	events->load.precise = modes & VPMC_MODE_PRECISE;
	if (modes & VPMC_MODE_CASCADE) {
		events->cascades = true;
		events->kind = VPMC_LARGE;
	} else if (events->rings && !events->load.kernel) {
		events->kind = events->armed ? VPMC_LARGE_SAMPLED : VPMC_LARGE_TICKED;
	} else if (multiplex || events->rings) {
		events->kind = VPMC_LARGE;
	} else if (events->nr > VPMC_SMALL_EVENTS) {
		events->kind = VPMC_LARGE_APART;
	}
	if (!multiplex)
		events_compose_all(events);
	return VPMC_REASON_NONE;
}

/*
 * Check whether @event can be counted if it is the only event. Returns the reason if it
 * cannot, or VPMC_REASON_NONE.
 */
static enum vpmc_reason events_check_one(const struct vpmc_event *event)
{
	enum vpmc_reason reason;
	u32 counters;
	u8 extra;

	reason = vpmc_pmu->find_counters(event->code, &counters);
	if (reason)
		return reason;
	reason = events_find_extra(event, &extra);
	if (reason)
		return reason;
	if (vpmc_pmu->leased && (!counters || event->modes & VPMC_MODE_KERNEL))
		return VPMC_REASON_LEASED;
	if (event->counter == VPMC_COUNTER_ANY)
		return VPMC_REASON_TOO_MANY;
	if (event->counter >= vpmc_pmu->nr_counters)
		return VPMC_REASON_NO_COUNTER;
	if (!(counters & BIT(event->counter)))
		return VPMC_REASON_WRONG_COUNTER;
	if (!(event->modes & EVENTS_LEVELS) ||
	    event->modes & ~(EVENTS_LEVELS | VPMC_MODE_PRECISE | VPMC_MODE_CASCADE))
		return VPMC_REASON_MODES;
	return VPMC_REASON_NONE;
}

static bool events_have_periods(const struct vpmc_event *event, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		if (vpmc_event_period(&event[i]))
			return true;
	}
	return false;
}

/* Return whether all distances of samples are allowed. */
static bool events_may_have_period(const struct vpmc_event *event, u32 jitter)
{
	u32 min = event->modes & VPMC_MODE_KERNEL ? VPMC_MIN_PERIOD_KERNEL :
						    VPMC_MIN_PERIOD;

	return event->period <= S32_MAX && jitter <= S32_MAX - event->period &&
	       event->period >= jitter && event->period - jitter >= min;
}

/*
 * Check whether event @i, @event, can leave samples. Returns the reason if it cannot. Returns
 * VPMC_REASON_NONE if it can, or if it has no period.
 */
static enum vpmc_reason events_check_period(const struct vpmc_event *event, u32 i,
					    const struct vpmc_rings *rings)
{
	if (!vpmc_event_period(event))
		return VPMC_REASON_NONE;
	if (!rings)
		return VPMC_REASON_NO_SAMPLES;
	if (!rings->ticks && !(vpmc_cpu_interrupts() & BIT(event->counter)))
		return VPMC_REASON_NO_INTERRUPT;
	if (!events_may_have_period(event, rings->jitter[i]))
		return VPMC_REASON_PERIOD;
	return VPMC_REASON_NONE;
}

/* Return why @event cannot have VPMC_MODE_PRECISE, or VPMC_REASON_NONE. */
static enum vpmc_reason events_check_precise(const struct vpmc_event *event,
					     const struct vpmc_rings *rings)
{
	if (!(event->modes & VPMC_MODE_PRECISE))
		return VPMC_REASON_NONE;
	if (!vpmc_event_period(event) || rings->ticks || event->modes & VPMC_MODE_KERNEL ||
	    !(vpmc_cpu_find_precise(event->code) & BIT(event->counter)))
		return VPMC_REASON_PRECISE;
	return VPMC_REASON_NONE;
}

/*
 * Return whether the counter of event @i - 1, which can leave samples, overflows at its event
 * number @period.
 */
static bool events_overflow_at(const struct vpmc_event *event, u32 i, u32 period,
			       const struct vpmc_rings *rings)
{
	const u32 own = vpmc_event_period(&event[i - 1]);

	return !own || (own == period && !rings->ticks && !rings->jitter[i - 1]);
}

/* Return why event @i cannot have VPMC_MODE_CASCADE, or VPMC_REASON_NONE. */
static enum vpmc_reason events_check_cascade(const struct vpmc_event *event, u32 i,
					     const struct vpmc_rings *rings)
{
	const u16 others = VPMC_MODE_KERNEL | VPMC_MODE_PRECISE;
	const struct vpmc_event *own = &event[i];

	if (!(own->modes & VPMC_MODE_CASCADE))
		return VPMC_REASON_NONE;
	if (!i || !vpmc_pmu->sharing || (own->modes | own[-1].modes) & others ||
	    !own->period || own->period > VPMC_MAX_CASCADE ||
	    !events_overflow_at(event, i, own->period, rings) ||
	    !vpmc_share_is_started(event, i, vpmc_pmu->sharing))
		return VPMC_REASON_CASCADE;
	return VPMC_REASON_NONE;
}

/* Return why event @i cannot be precise or start after another one, or VPMC_REASON_NONE. */
static enum vpmc_reason events_check_modes(const struct vpmc_event *event, u32 i,
					   const struct vpmc_rings *rings)
{
	if (likely(!(event[i].modes & (VPMC_MODE_PRECISE | VPMC_MODE_CASCADE))))
		return VPMC_REASON_NONE;
	return events_check_precise(&event[i], rings) ?:
	       events_check_cascade(event, i, rings);
}

static bool events_have_cascade(const struct vpmc_event *event, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		if (event[i].modes & VPMC_MODE_CASCADE)
			return true;
	}
	return false;
}

/*
 * Return whether one of the @nr events before @event needs another value in the same
 * extra register and may be counted at the same time.
 */
static bool events_extra_is_taken(const struct vpmc_event *event,
				  const struct vpmc_event *before, u32 nr)
{
	u8 extra, other;
	u32 i;

	events_find_extra(event, &extra);
	for (i = 0; extra && i < nr; i++) {
		events_find_extra(&before[i], &other);
		if (other == extra && before[i].extra != event->extra &&
		    before[i].counter != event->counter)
			return true;
	}
	return false;
}

/*
 * Return whether one of the @nr events before @event needs another value in a register that their
 * counters share, and may be counted at the same time.
 */
static bool events_register_is_taken(const struct vpmc_event *event,
				     const struct vpmc_event *before, u32 nr)
{
	u32 i;

	for (i = 0; vpmc_pmu->sharing && i < nr; i++) {
		if (vpmc_share_clash(event, &before[i], vpmc_pmu->sharing->shared))
			return true;
	}
	return false;
}

/*
 * Check whether these events can be counted. Sets *@multiplex if some events share a
 * counter, which they may only do if @may is set. Returns the reason if the events are
 * refused, or VPMC_REASON_NONE.
 */
static enum vpmc_reason events_check(const struct vpmc_event *event, u32 nr,
				     bool may, const struct vpmc_rings *rings,
				     bool *multiplex, u32 *bad)
{
	enum vpmc_reason reason;
	u32 i, taken = 0;

	*bad = 0;
	*multiplex = false;
	if (!nr)
		return VPMC_REASON_NO_EVENTS;
	if (nr > (may ? VPMC_MAX_EVENTS : vpmc_pmu->nr_counters))
		return VPMC_REASON_TOO_MANY;
	for (i = 0; i < nr; i++) {
		*bad = i;
		reason = events_check_one(&event[i]) ?:
			 events_check_period(&event[i], i, rings) ?:
			 events_check_modes(event, i, rings);
		if (reason)
			return reason;
		if (taken & BIT(event[i].counter)) {
			if (!may)
				return VPMC_REASON_COUNTER_TAKEN;
			*multiplex = true;
		}
		if (events_extra_is_taken(&event[i], event, i))
			return VPMC_REASON_EXTRA_TAKEN;
		if (events_register_is_taken(&event[i], event, i))
			return VPMC_REASON_REGISTER_TAKEN;
		taken |= BIT(event[i].counter);
	}
	if (*multiplex && events_have_periods(event, nr))
		return VPMC_REASON_NO_SAMPLES;
	if (*multiplex && events_have_cascade(event, nr))
		return VPMC_REASON_CASCADE;
	return VPMC_REASON_NONE;
}

struct vpmc_events *vpmc_events_create(const struct vpmc_event *event, u32 nr,
				       bool may_multiplex,
				       struct vpmc_rings *rings,
				       enum vpmc_reason *reason, u32 *bad)
{
	struct vpmc_events *events;
	bool multiplex;

	*reason = events_check(event, nr, may_multiplex, rings, &multiplex,
			       bad);
	if (*reason)
		return ERR_PTR(-EINVAL);

	events = kzalloc(struct_size(events, slot, nr) +
				 (nr + vpmc_pmu->nr_extra) * sizeof(u64),
			 GFP_KERNEL_ACCOUNT);
	if (!events)
		return ERR_PTR(-ENOMEM);
	refcount_set(&events->ref, 1);
	events->nr = nr;
	events->lot = rdtsc();
	if (events_have_periods(event, nr))
		events->rings = vpmc_rings_get(rings);
	*reason = events_fill(events, event, multiplex, bad);
	if (*reason) {
		vpmc_rings_put(events->rings);
		kfree(events);
		return ERR_PTR(-EINVAL);
	}
	return events;
}

static u32 events_hash(const struct vpmc_event *event, u32 nr, kuid_t uid)
{
	u32 user = __kuid_val(uid) % BIT(EVENTS_USER_BITS);
	u32 i, hash = nr;

	for (i = 0; i < nr; i++) {
		hash ^= event[i].code ^ event[i].code >> 32 ^
			event[i].extra ^ event[i].extra >> 32 ^
			event[i].counter << 16 ^ event[i].modes << 24;
		hash *= GOLDEN_RATIO_32;
	}
	return user << EVENTS_ROW_BITS | hash >> (32 - EVENTS_HASH_BITS);
}

/* Return whether the registers have the same values for both sets. */
static bool events_load_same(const struct vpmc_events *a, const struct vpmc_events *b)
{
	return a->load.used == b->load.used && a->load.extra == b->load.extra &&
	       a->load.precise == b->load.precise &&
	       !memcmp(a->load.select, b->load.select,
		       vpmc_events_nr_selects(a) * sizeof(*a->load.select));
}

/*
 * Let later starts of the same user find @events. Sets with periods are not shared, because the
 * samples of each set go to its own rings. But sets with the same selects get the same control
 * value, so that a switch between their threads does not write these selects again.
 */
static void events_share(struct vpmc_events *events, u32 hash, kuid_t uid)
{
	u32 user = hash >> EVENTS_ROW_BITS;
	struct vpmc_events *last;

	if (events->rings)
		hash |= EVENTS_SAMPLED;
	events->hash = hash;
	spin_lock_irq(&events_lock);
	if (unlikely(!uid_eq(events_user[user], uid))) {
		events_user[user] = uid;
		memset(&events_last[user << EVENTS_ROW_BITS], 0,
		       sizeof(*events_last) << EVENTS_ROW_BITS);
	}
	last = events_last[hash];
	if (events->rings && last && events_load_same(events, last))
		events->load.control = last->load.control;
	events_last[hash] = events;
	spin_unlock_irq(&events_lock);
}

/* Return an existing set of these events, with a reference, or NULL. */
static struct vpmc_events *events_find(const struct vpmc_event *event, u32 nr,
				       u32 hash, kuid_t uid)
{
	struct vpmc_events *events;

	spin_lock_irq(&events_lock);
	events = events_last[hash];
	/* The set may have lost its last reference, and be about to leave the table. */
	if (events && !(uid_eq(events_user[hash >> EVENTS_ROW_BITS], uid) &&
			vpmc_events_match(events, event, nr) &&
			refcount_inc_not_zero(&events->ref)))
		events = NULL;
	spin_unlock_irq(&events_lock);
	return events;
}

struct vpmc_events *vpmc_events_obtain(const struct vpmc_event *event, u32 nr,
				       bool may_multiplex,
				       struct vpmc_rings *rings,
				       enum vpmc_reason *reason, u32 *bad)
{
	struct vpmc_events *events;
	kuid_t uid;
	u32 hash;

	*reason = VPMC_REASON_NONE;
	if (nr > VPMC_MAX_EVENTS)
		return vpmc_events_create(event, nr, may_multiplex, rings,
					  reason, bad);

	uid = current_uid();
	hash = events_hash(event, nr, uid);
	events = events_find(event, nr, hash, uid);
	if (events)
		return events;
	events = vpmc_events_create(event, nr, may_multiplex, rings, reason,
				    bad);
	/* With multiplexing, each start has its own set, because of @begun. */
	if (!IS_ERR(events) && !vpmc_events_multiplex(events))
		events_share(events, hash, uid);
	return events;
}

void vpmc_events_free(struct vpmc_events *events)
{
	unsigned long flags;

	spin_lock_irqsave(&events_lock, flags);
	if (events_last[events->hash] == events)
		events_last[events->hash] = NULL;
	spin_unlock_irqrestore(&events_lock, flags);
	vpmc_rings_put(events->rings);
	kfree(events);
}

bool vpmc_events_alike(const struct vpmc_events *a,
		       const struct vpmc_events *b)
{
	u32 i;

	if (!a || !b || a->nr != b->nr)
		return false;
	for (i = 0; i < a->nr; i++) {
		if (!vpmc_event_same(&a->slot[i].event, &b->slot[i].event))
			return false;
	}
	return true;
}
