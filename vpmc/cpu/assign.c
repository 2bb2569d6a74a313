// SPDX-License-Identifier: GPL-2.0-only
/* This file chooses a counter for each event for which the caller does not name a counter. */
#include <linux/bitops.h>
#include <linux/bits.h>

#include "cpu/assign.h"
#include "cpu/cpu.h"

/**
 * struct assignment - the state of vpmc_assign_counters()
 * @event: the events
 * @open: the events whose counter the caller left open, one bit each
 * @taken: the counters that have an event, one bit each
 * @owner: the event of each counter in @taken
 * @users: number of events on each counter
 */
struct assignment {
	struct vpmc_event *event;
	u32 open;
	u32 taken;
	u8 owner[VPMC_MAX_COUNTERS];
	u8 users[VPMC_MAX_COUNTERS];
};

/*
 * Return the counters among @counters on which @event can leave samples. If there are none, return
 * @counters, and let a later check refuse the event.
 */
static u32 assign_sampling(const struct vpmc_event *event, u32 counters)
{
	u32 better = counters & vpmc_cpu_interrupts();

	if (event->modes & VPMC_MODE_PRECISE)
		better &= vpmc_cpu_find_precise(event->code);
	return better ? better : counters;
}

/* Return the counters that event @i may use; 0 if no counter can count it. */
static u32 assign_possible(const struct assignment *a, u32 i)
{
	u32 counters;

	if (!(a->open & BIT(i)) ||
	    vpmc_pmu->find_counters(a->event[i].code, &counters))
		return 0;
	return vpmc_event_period(&a->event[i]) ? assign_sampling(&a->event[i], counters) :
						 counters;
}

/*
 * Give the free @counter to the event from which the search reached it. Give the event's former
 * counter to the event from which this former counter was reached, and so on along the path in
 * @from.
 */
static void assign_move(struct assignment *a, const u8 *from, u32 counter)
{
	u32 event, before;

	do {
		event = from[counter];
		before = a->event[event].counter;
		a->event[event].counter = counter;
		a->owner[counter] = event;
		a->taken |= BIT(counter);
		counter = before;
	} while (counter != VPMC_COUNTER_ANY);
}

/*
 * Give event @i its own counter, by a breadth-first search for an augmenting path. @from
 * has the event from which each counter was reached. Returns whether a path was found.
 */
static bool assign_alone(struct assignment *a, u32 i)
{
	u8 from[VPMC_MAX_COUNTERS], queue[VPMC_MAX_COUNTERS + 1];
	u32 head = 0, tail = 0, reached = 0, wanted, counter;

	queue[tail++] = i;
	while (head < tail) {
		i = queue[head++];
		wanted = assign_possible(a, i) & ~reached;
		for (; wanted; wanted &= wanted - 1) {
			counter = __ffs(wanted);
			from[counter] = i;
			reached |= BIT(counter);
			if (!(a->taken & BIT(counter))) {
				assign_move(a, from, counter);
				return true;
			}
			queue[tail++] = a->owner[counter];
		}
	}
	return false;
}

/*
 * Return whether event @i on @counter needs a register in which another event needs a different
 * value.
 */
static bool assign_clashes(struct assignment *a, u32 nr, u32 i, u32 counter)
{
	u32 j;

	a->event[i].counter = counter;
	for (j = 0; vpmc_pmu->sharing && j < nr; j++) {
		if (a->event[j].counter < VPMC_MAX_COUNTERS &&
		    vpmc_share_clash(&a->event[j], &a->event[i], vpmc_pmu->sharing->shared))
			return true;
	}
	return false;
}

/* Give event @i the possible counter that the fewest events use. */
static void assign_shared(struct assignment *a, u32 nr, u32 i)
{
	u32 counter, best = VPMC_COUNTER_ANY;
	u32 wanted = assign_possible(a, i);

	for (; wanted; wanted &= wanted - 1) {
		counter = __ffs(wanted);
		if ((best == VPMC_COUNTER_ANY || a->users[counter] < a->users[best]) &&
		    !assign_clashes(a, nr, i, counter))
			best = counter;
	}
	if (best != VPMC_COUNTER_ANY)
		a->users[best]++;
	a->event[i].counter = best;
}

/* Let the events in @left, which have no counter, share the counters of other events. */
static void assign_rest(struct assignment *a, u32 nr, u32 left)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		if (a->event[i].counter < VPMC_MAX_COUNTERS)
			a->users[a->event[i].counter]++;
	}
	for (; left; left &= left - 1)
		assign_shared(a, nr, __ffs(left));
}

/*
 * Like assign_apart(), if counters share registers. The counter that a caller chose may be unable
 * to count its event. Returns the events that have no counter, one bit each: all open events or
 * none. An event that cannot be counted at all keeps its value of counter.
 */
static u32 assign_with_registers(struct assignment *a, u32 nr)
{
	u32 wanted[VPMC_MAX_EVENTS], counters, i;

	for (i = 0; i < nr; i++) {
		wanted[i] = assign_possible(a, i);
		if (!(a->open & BIT(i)) && a->event[i].counter < vpmc_pmu->nr_counters &&
		    !vpmc_pmu->find_counters(a->event[i].code, &counters))
			wanted[i] = counters & BIT(a->event[i].counter);
	}
	if (vpmc_share_assign(a->event, wanted, nr, vpmc_pmu->sharing))
		return 0;
	for (i = 0; i < nr; i++) {
		if (a->open & BIT(i))
			a->event[i].counter = VPMC_COUNTER_ANY;
	}
	return a->open;
}

/* Give each event its own counter. Returns the events for which no counter was found. */
static u32 assign_apart(struct assignment *a, u32 nr)
{
	u32 i, left = 0;

	for (i = 0; i < nr; i++) {
		if (a->event[i].counter < VPMC_MAX_COUNTERS) {
			a->taken |= BIT(a->event[i].counter);
			a->owner[a->event[i].counter] = i;
		}
	}
	for (i = 0; i < nr; i++) {
		if (a->open & BIT(i) && !assign_alone(a, i))
			left |= BIT(i);
	}
	return left;
}

static noinline void assign_open(struct vpmc_event *event, u32 nr, u32 open,
				 bool may_share)
{
	struct assignment a = { .event = event, .open = open };
	u32 left;

	left = vpmc_pmu->sharing ? assign_with_registers(&a, nr) : assign_apart(&a, nr);
	if (may_share)
		assign_rest(&a, nr, left);
}

void vpmc_assign_counters(struct vpmc_event *event, u32 nr, bool may_share)
{
	u32 i, open = 0;

	for (i = 0; i < nr; i++) {
		if (event[i].counter == VPMC_COUNTER_ANY)
			open |= BIT(i);
	}
	if (open)
		assign_open(event, nr, open, may_share);
}
