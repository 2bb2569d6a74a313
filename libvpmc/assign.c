// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which hardware counter counts which event.
 *
 * Events and counters are matched by augmenting paths: an event takes a free
 * counter that can count it, or else one whose present event can move to
 * another. That finds an assignment whenever there is one, on any family.
 */
#include <stdbool.h>
#include <string.h>

#include "internal.h"

/**
 * struct matching - an assignment under way
 * @wanted: for each event, the counters it may have, as bits
 * @owner: for each counter that is taken, the index of its event
 * @taken: counters that have an owner, as bits
 * @visited: counters that the present search has been at, as bits
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

/* The depth of the recursion is at most the number of counters. */
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

	for (i = 0; i < nr && i < pmu->counters; i++) {
		int ret = vpmcint_event_find(pmu, &sel[i], &infos[i], err);

		if (ret)
			return ret;
	}
	if (nr > pmu->counters)
		return vpmcint_fail(err, VPMC_E_TOO_MANY,
				    "too many events: %zu are asked for and"
				    " this processor (%s) has %u counters, so"
				    " count them in several runs",
				    nr, pmu->name, pmu->counters);
	return 0;
}

static int fail_taken(const struct matching *m, int event,
		      const struct vpmc_event_info **infos,
		      struct vpmc_error *err)
{
	int counter = __builtin_ctz(m->wanted[event]);

	return vpmcint_fail(err, VPMC_E_COUNTER_TAKEN,
			    "no counter left for event %s: it needs counter %d,"
			    " which event %s has, so count them in two runs",
			    infos[event]->name, counter,
			    infos[m->owner[counter]]->name);
}

int vpmc_event_assign(const struct vpmc_pmu *pmu, struct vpmc_event_sel *sel,
		      size_t nr, struct vpmc_error *err)
{
	const struct vpmc_event_info *infos[VPMC_COUNTS_MAX];
	struct matching m = { .taken = 0 };
	unsigned int c;
	int ret, i;

	ret = check(pmu, sel, nr, infos, err);
	if (ret)
		return ret;

	for (i = 0; i < (int)nr; i++) {
		m.wanted[i] = sel[i].counter == VPMC_ANY_COUNTER
				      ? infos[i]->counters
				      : 1U << sel[i].counter;
		m.visited = 0;
		if (!place(&m, i))
			return fail_taken(&m, i, infos, err);
	}

	for (c = 0; c < pmu->counters; c++) {
		if (m.taken & 1U << c)
			sel[m.owner[c]].counter = (int)c;
	}
	return 0;
}
