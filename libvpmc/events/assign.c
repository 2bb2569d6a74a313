// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Assign events to hardware counters.
 *
 * Events and counters are matched by augmenting paths: an event takes a free counter that
 * can count it, or else a counter whose present event can move to another counter. This
 * finds an assignment whenever one exists, on any family.
 *
 * Events that share counters are distributed evenly, as far as events that only one
 * counter can count allow this.
 *
 * If counters share registers, this file uses the search of the driver
 * (vpmc/pmu/share.h).
 */
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "base/internal.h"

#include "../../vpmc/pmu/share.h"

/**
 * struct matching - an assignment in progress
 * @wanted: for each event, the counters that it may have, as bits
 * @owner: for each counter that is taken, the index of its event
 * @taken: counters that have an owner, as bits
 * @visited: counters that the current search has tried, as bits
 */
struct matching {
	uint32_t wanted[VPMC_COUNTS_MAX];
	int owner[VPMC_COUNTS_MAX];
	uint32_t taken;
	uint32_t visited;
};

static bool give(struct matching *m, int counter, int event)
{
	m->owner[counter] = event;
	m->taken |= 1U << counter;
	return true;
}

/* Place an event. The depth of the recursion is at most the number of counters. */
/* NOLINTNEXTLINE(misc-no-recursion) */
static bool place(struct matching *m, int event)
{
	uint32_t available = m->wanted[event] & ~m->taken;
	uint32_t occupied;

	if (available)
		return give(m, __builtin_ctz(available), event);

	while ((occupied = m->wanted[event] & ~m->visited)) {
		int counter = __builtin_ctz(occupied);

		m->visited |= 1U << counter;
		if (place(m, m->owner[counter]))
			return give(m, counter, event);
	}
	return false;
}

static int check(const struct vpmc_pmu *pmu, const struct vpmc_event_sel *sel,
		 size_t nr, const struct vpmc_event_info **infos,
		 struct vpmc_error *err)
{
	size_t i;

	if (!nr)
		return vpmcint_fail(err, VPMC_E_ARGUMENT,
				    "no events to count: give at least one");

	for (i = 0; i < nr; i++) {
		if (!vpmcint_event_find(pmu, &sel[i], NULL, &infos[i], NULL))
			continue;
		/* Look up the event's text only for an error, because this takes a search. */
		return vpmcint_event_find(pmu, &sel[i], vpmcint_called(&sel[i]),
					  &infos[i], err);
	}
	return 0;
}

static uint32_t wanted(const struct vpmc_pmu *pmu,
		       const struct vpmc_event_sel *sel,
		       const struct vpmc_event_info *info)
{
	return sel->counter == VPMC_ANY_COUNTER ? vpmc_event_counters(pmu, info)
						: 1U << sel->counter;
}

/*
 * Describe the events for share.h. Returns false if the driver refuses an event even if it is the
 * only one. The driver then reports the reason.
 */
static bool match_describe(struct matching *m, const struct vpmc_pmu *pmu,
			   const struct vpmc_event_sel *sel, size_t nr,
			   struct vpmc_event *event)
{
	struct vpmc_machine machine = { .vendor = "" };
	uint32_t counters;
	size_t i;

	vpmcint_identify(&machine);
	for (i = 0; i < nr; i++) {
		if (vpmcint_constrain(pmu, &machine, sel[i].code, &counters))
			return false;
		if (sel[i].modes & VPMC_PRECISE)
			counters &= pmu->registers->precise(sel[i].code);
		if (sel[i].counter != VPMC_ANY_COUNTER)
			counters &= 1U << sel[i].counter;
		if (!counters)
			return false;
		m->wanted[i] = counters;
		event[i] = (struct vpmc_event){
			.code = sel[i].code,
			.modes = vpmcint_driver_modes(sel[i].modes),
		};
	}
	return true;
}

/* Like match(), if counters share registers. */
static size_t match_registers(struct matching *m, const struct vpmc_pmu *pmu,
			      const struct vpmc_event_sel *sel, size_t nr)
{
	struct vpmc_event event[VPMC_COUNTS_MAX];
	size_t placed = 0;

	if (!match_describe(m, pmu, sel, nr, event) ||
	    vpmc_share_assign(event, m->wanted, (uint32_t)nr,
			      pmu->registers->sharing))
		return nr;
	while (vpmc_share_assign(event, m->wanted, (uint32_t)placed + 1,
				 pmu->registers->sharing))
		placed++;
	return placed;
}

/*
 * Match @nr events. There are at least as many counters as events. Returns the number of events,
 * counted from the first, that got a counter.
 */
static size_t match(struct matching *m, const struct vpmc_pmu *pmu,
		    const struct vpmc_event_sel *sel,
		    const struct vpmc_event_info **infos, size_t nr)
{
	size_t i;

	m->taken = 0;
	for (i = 0; i < nr; i++) {
		m->wanted[i] = wanted(pmu, &sel[i], infos[i]);
		m->visited = 0;
		if (!place(m, (int)i))
			break;
	}
	return i;
}

/*
 * Set the counters that were chosen. If the family counts any code, leave the choice to the driver,
 * because only the driver knows exactly which counters can count an event.
 */
static void use(const struct matching *m, const struct vpmc_pmu *pmu,
		struct vpmc_event_sel *sel)
{
	uint32_t left;

	if (pmu->any_code)
		return;
	for (left = m->taken; left; left &= left - 1)
		sel[m->owner[__builtin_ctz(left)]].counter =
			__builtin_ctz(left);
}

static const char *name_of(const struct vpmc_event_sel *sel,
			   const struct vpmc_event_info *info)
{
	const char *text = vpmcint_called(sel);

	return text ? text : info->name;
}

static int fail_taken(const struct matching *m,
		      const struct vpmc_event_sel *sel, size_t event,
		      const struct vpmc_event_info **infos,
		      struct vpmc_error *err)
{
	const int owner = m->owner[__builtin_ctz(m->wanted[event])];
	int counter = __builtin_ctz(m->wanted[event]);

	if (m->wanted[event] & (m->wanted[event] - 1))
		return vpmcint_fail(err, VPMC_E_TOO_MANY,
				    "no counter left for event " VPMCINT_TEXT
				    ": other events"
				    " have all that can count it, so count them"
				    " in several runs or let them share"
				    " counters",
				    name_of(&sel[event], infos[event]));
	return vpmcint_fail(err, VPMC_E_COUNTER_TAKEN,
			    "no counter left for event " VPMCINT_TEXT
			    ": it needs counter %d,"
			    " which event " VPMCINT_TEXT
			    " has, so count them in two runs or"
			    " let them share it",
			    name_of(&sel[event], infos[event]), counter,
			    name_of(&sel[owner], infos[owner]));
}

/*
 * Find a register in which two events need different values, on counters that they may have.
 * Returns its address, or 0.
 */
static uint32_t common_register(const struct matching *m,
				const struct vpmc_pmu *pmu,
				const struct vpmc_event_sel *sel, size_t one,
				size_t other)
{
	struct vpmc_event a = { .code = sel[one].code,
				.modes = vpmcint_driver_modes(sel[one].modes) };
	struct vpmc_event b = { .code = sel[other].code,
				.modes = vpmcint_driver_modes(
					sel[other].modes) };
	vpmc_shared_register *const shared = pmu->registers->sharing->shared;
	uint32_t left, rest;

	for (left = m->wanted[one]; left; left &= left - 1) {
		a.counter = (uint16_t)__builtin_ctz(left);
		for (rest = m->wanted[other]; rest; rest &= rest - 1) {
			unsigned long long unused;

			b.counter = (uint16_t)__builtin_ctz(rest);
			if (vpmc_share_clash(&a, &b, shared))
				return shared(&a, &unused);
		}
	}
	return 0;
}

static int check_open(const struct vpmc_pmu *pmu,
		      const struct vpmc_event_sel *sel, struct vpmc_error *err)
{
	if (!vpmcint_check_open(pmu, sel, NULL, NULL))
		return 0;
	/* Look up the event's text only for an error, because this takes a search. */
	return vpmcint_check_open(pmu, sel, vpmcint_called(sel), err);
}

/*
 * Check that each event means the same event on all its counters. Also check that all events that
 * need the extra register need the same value in it.
 */
static int check_registers(const struct vpmc_pmu *pmu,
			   const struct vpmc_event_sel *sel, size_t nr,
			   const struct vpmc_event_info **infos,
			   struct vpmc_error *err)
{
	const uint64_t own = pmu->registers->own;
	size_t first = nr, i;
	int ret = 0;

	for (i = 0; i < nr && !ret; i++)
		ret = check_open(pmu, &sel[i], err);
	if (ret)
		return ret;
	for (i = 0; i < nr; i++) {
		if (!(sel[i].code & own))
			continue;
		if (first == nr)
			first = i;
		if (!((sel[first].code ^ sel[i].code) & own))
			continue;
		return vpmcint_fail(
			err, VPMC_E_COUNTER_TAKEN,
			"no register left for the tags of event " VPMCINT_TEXT
			": event " VPMCINT_TEXT
			" needs others in IA32_PEBS_ENABLE and"
			" MSR_PEBS_MATRIX_VERT, so count them in two"
			" runs",
			name_of(&sel[i], infos[i]),
			name_of(&sel[first], infos[first]));
	}
	return 0;
}

/* Name the event that needs the same register as the event without a counter. */
static int fail_register(const struct matching *m, const struct vpmc_pmu *pmu,
			 const struct vpmc_event_sel *sel, size_t event,
			 const struct vpmc_event_info **infos,
			 struct vpmc_error *err)
{
	const char *name = name_of(&sel[event], infos[event]);
	uint32_t address;
	size_t i;

	for (i = 0; i < event; i++) {
		address = common_register(m, pmu, sel, event, i);
		if (address)
			return vpmcint_fail(
				err, VPMC_E_COUNTER_TAKEN,
				"no counter left for event " VPMCINT_TEXT
				": it needs register 0x%" PRIx32
				", in which event " VPMCINT_TEXT
				" needs another value, so count them in"
				" two runs or let them share a counter",
				name, address, name_of(&sel[i], infos[i]));
	}
	for (i = 0; i < event && m->wanted[i] != m->wanted[event]; i++)
		;
	return vpmcint_fail(
		err, VPMC_E_TOO_MANY,
		"no counter left for event " VPMCINT_TEXT
		": event " VPMCINT_TEXT " and others have all that"
		" can count it, so count them in several runs or let"
		" them share counters",
		name,
		name_of(&sel[i < event ? i : 0], infos[i < event ? i : 0]));
}

/*
 * Implement vpmc_event_assign() if counters share registers. The driver makes the same search, so
 * leave the choice of counters to it. This is not inlined, so that other families do not need more
 * stack.
 */
__attribute__((noinline)) static int
assign_registers(const struct vpmc_pmu *pmu, struct vpmc_event_sel *sel,
		 const struct vpmc_event_info **infos, size_t nr,
		 struct vpmc_error *err)
{
	struct matching m;
	int ret = check_registers(pmu, sel, nr, infos, err);
	size_t placed;

	if (ret)
		return ret;
	placed = match_registers(&m, pmu, sel, nr);
	return placed < nr ? fail_register(&m, pmu, sel, placed, infos, err)
			   : 0;
}

int vpmc_event_assign(const struct vpmc_pmu *pmu, struct vpmc_event_sel *sel,
		      size_t nr, struct vpmc_error *err)
{
	const struct vpmc_event_info *infos[VPMC_COUNTS_MAX];
	struct matching m;
	size_t placed;
	int ret;

	ret = check(pmu, sel, nr < pmu->counters ? nr : pmu->counters, infos,
		    err);
	if (ret)
		return ret;
	if (nr > pmu->counters)
		return vpmcint_fail(err, VPMC_E_TOO_MANY,
				    "too many events: %zu are asked for and"
				    " this processor (%s) has %u counters, so"
				    " count them in several runs or let them"
				    " share counters",
				    nr, pmu->name, pmu->counters);

	if (pmu->registers)
		return assign_registers(pmu, sel, infos, nr, err);
	placed = match(&m, pmu, sel, infos, nr);
	if (placed < nr)
		return fail_taken(&m, sel, placed, infos, err);
	use(&m, pmu, sel);
	return 0;
}

/* Returns the lowest of the @counters with the fewest events. */
static unsigned int emptiest(uint32_t counters, const unsigned int *users)
{
	unsigned int best = (unsigned int)__builtin_ctz(counters);
	unsigned int c;

	for (c = best + 1; c < VPMC_COUNTS_MAX; c++) {
		if (counters & 1U << c && users[c] < users[best])
			best = c;
	}
	return best;
}

/*
 * Give counters either to the events that several counters can count, or to the other
 * events. Returns the index of an event that does not fit, or @nr.
 */
static size_t spread(const struct vpmc_pmu *pmu,
		     const struct vpmc_event_sel *sel,
		     const struct vpmc_event_info **infos, size_t nr,
		     bool choice, unsigned int *users, unsigned int *counters)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		uint32_t possible = wanted(pmu, &sel[i], infos[i]);

		if (choice != !!(possible & (possible - 1)))
			continue;
		counters[i] = emptiest(possible, users);
		if (users[counters[i]]++ == VPMC_EVENTS_PER_COUNTER)
			return i;
	}
	return nr;
}

static int distribute(const struct vpmc_pmu *pmu, struct vpmc_event_sel *sel,
		      const struct vpmc_event_info **infos, size_t nr,
		      struct vpmc_error *err)
{
	unsigned int counters[VPMC_COUNTS_MAX] = { 0 };
	unsigned int users[VPMC_COUNTS_MAX] = { 0 };
	size_t i;

	i = spread(pmu, sel, infos, nr, false, users, counters);
	if (i == nr)
		i = spread(pmu, sel, infos, nr, true, users, counters);
	if (i < nr)
		return vpmcint_fail(err, VPMC_E_TOO_MANY,
				    "too many events: at most %d can share a"
				    " counter and event " VPMCINT_TEXT
				    " would be one more on"
				    " counter %u, so count them in several"
				    " runs",
				    VPMC_EVENTS_PER_COUNTER,
				    name_of(&sel[i], infos[i]), counters[i]);
	for (i = 0; i < nr && !pmu->any_code; i++)
		sel[i].counter = (int)counters[i];
	return 0;
}

/*
 * Refuse an event that counts only what another event tags, because events that share counters are
 * not counted all the time. A replay_event has its tags in its own registers.
 */
static int check_tagged(const struct vpmc_pmu *pmu,
			const struct vpmc_event_sel *sel, size_t nr,
			struct vpmc_error *err)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		if (!pmu->registers->precise(sel[i].code) ||
		    sel[i].code & pmu->registers->own)
			continue;
		return vpmcint_fail(
			err, VPMC_E_COUNTER_TAKEN,
			"event " VPMCINT_TEXT " counts only while another event"
			" tags operations, so all events must be counted at the"
			" same time, and there are too few counters or"
			" registers: count fewer events",
			name_of(&sel[i], vpmc_event_lookup(pmu, &sel[i])));
	}
	return 0;
}

/* Implement vpmc_event_distribute() if counters share registers. */
__attribute__((noinline)) static int
distribute_registers(const struct vpmc_pmu *pmu, struct vpmc_event_sel *sel,
		     const struct vpmc_event_info **infos, size_t nr,
		     struct vpmc_error *err)
{
	struct matching m;
	int ret = check_registers(pmu, sel, nr, infos, err);

	if (ret)
		return ret;
	if (nr <= pmu->counters && match_registers(&m, pmu, sel, nr) == nr)
		return 0;
	ret = check_tagged(pmu, sel, nr, err);
	return ret ? ret : distribute(pmu, sel, infos, nr, err);
}

int vpmc_event_distribute(const struct vpmc_pmu *pmu,
			  struct vpmc_event_sel *sel, size_t nr,
			  struct vpmc_error *err)
{
	const struct vpmc_event_info *infos[VPMC_COUNTS_MAX];
	struct matching m;
	int ret;

	ret = check(pmu, sel, nr < VPMC_COUNTS_MAX ? nr : VPMC_COUNTS_MAX,
		    infos, err);
	if (ret)
		return ret;
	if (nr > VPMC_COUNTS_MAX && pmu->registers)
		ret = check_tagged(pmu, sel, nr, err);
	if (ret)
		return ret;
	if (nr > VPMC_COUNTS_MAX)
		return vpmcint_fail(err, VPMC_E_TOO_MANY,
				    "too many events: %zu are asked for and one"
				    " count takes %d at most, so count them in"
				    " several runs",
				    nr, VPMC_COUNTS_MAX);

	if (pmu->registers)
		return distribute_registers(pmu, sel, infos, nr, err);
	if (nr > pmu->counters || match(&m, pmu, sel, infos, nr) < nr)
		return distribute(pmu, sel, infos, nr, err);
	use(&m, pmu, sel);
	return 0;
}
