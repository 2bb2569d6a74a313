// SPDX-License-Identifier: GPL-2.0-only
/*
 * Distribute events over runs. Ratios come first: each goes into the run that already has most of
 * its events and has room for the rest. Then each other event goes into the first run with room.
 * Events that few counters can count precede events that all counters can count.
 */
#include "events/run_plan.h"

/*
 * struct bundle holds the events that one formula needs from the same run. They may not fit into
 * a run.
 */
struct bundle {
	size_t event[FORMULA_STEPS];
	size_t nr;
};

int place_in(const struct event_set *set, size_t event)
{
	size_t i;

	for (i = 0; i < set->nr; i++) {
		if (set->event[i] == event)
			return (int)i;
	}
	return -1;
}

/* Tell whether the counters can count a set of events together. */
static bool fits(const struct events *events, const struct event_set *set)
{
	struct vpmc_event_sel sel[VPMC_COUNTS_MAX];
	size_t i;

	if (events->leased && set->nr > events->leased)
		return false;
	for (i = 0; i < set->nr; i++)
		sel[i] = events->sel[set->event[i]];
	return !vpmc_event_assign(events->pmu, sel, set->nr, NULL);
}

/*
 * Add the missing events of a bundle to a set. Returns how many of them the set had already, or
 * -1 if there is no room.
 */
static int extend(const struct events *events, struct event_set *set,
		  const struct bundle *bundle)
{
	int found = 0;
	size_t i;

	for (i = 0; i < bundle->nr; i++) {
		if (place_in(set, bundle->event[i]) >= 0) {
			found++;
			continue;
		}
		if (set->nr == VPMC_COUNTS_MAX)
			return -1;
		set->event[set->nr++] = bundle->event[i];
	}
	return fits(events, set) ? found : -1;
}

/*
 * Put a bundle into the first set that has most of its events. Make a new set if no set has room
 * and there are fewer than @nr_most sets.
 */
static void place(struct plan *plan, const struct events *events,
		  const struct bundle *bundle, size_t nr_most)
{
	struct event_set best, set;
	int most = -1, found;
	size_t i, at = plan->nr;

	for (i = 0; i < plan->nr; i++) {
		set = plan->set[i];
		found = extend(events, &set, bundle);
		if (found > most) {
			most = found;
			best = set;
			at = i;
		}
	}
	if (most < 0) {
		best = (struct event_set){ .nr = 0 };
		if (at >= nr_most || extend(events, &best, bundle) < 0)
			return;
		plan->nr++;
	}
	plan->set[at] = best;
}

/* Get the counted events of a metric that have to be from one run. */
static void get_bundle(struct bundle *bundle, const struct metrics *metrics,
		       const struct metric *metric, int ratio)
{
	const struct step *step = metric->formula.step;
	size_t i;
	int number;

	bundle->nr = 0;
	for (i = 0; i < metric->formula.nr; i++) {
		if (step[i].kind != STEP_EVENT || step[i].ratio != ratio)
			continue;
		number = metrics->event[step[i].event].number;
		if (number != NOT_COUNTED)
			bundle->event[bundle->nr++] = (size_t)number;
	}
}

/* Tell whether a metric can be known. It is unknown if one of its events cannot happen. */
static bool is_known(const struct events *events, const struct metric *metric)
{
	const struct step *step = metric->formula.step;
	size_t i;
	int number;

	for (i = 0; i < metric->formula.nr; i++) {
		if (step[i].kind != STEP_EVENT)
			continue;
		number = events->metrics->event[step[i].event].number;
		if (number != NOT_COUNTED && events->never[number])
			return false;
	}
	return true;
}

static void place_ratios(struct plan *plan, const struct events *events,
			 const struct metric *metric)
{
	struct bundle bundle;
	size_t i;

	if (!is_known(events, metric))
		return;
	for (i = 0; i < metric->formula.nr; i++) {
		if (metric->formula.step[i].kind != STEP_DIVIDE)
			continue;
		get_bundle(&bundle, events->metrics, metric, (int)i);
		if (bundle.nr)
			place(plan, events, &bundle, RATIOS_MAX);
	}
	get_bundle(&bundle, events->metrics, metric, NO_RATIO);
	if (bundle.nr > 1)
		place(plan, events, &bundle, RATIOS_MAX);
}

static bool is_placed(const struct plan *plan, size_t event)
{
	return run_of_event(plan, event) < plan->nr;
}

/* Return the number of counters that can count an event. */
static unsigned int choice(const struct events *events, size_t event)
{
	const struct vpmc_event_sel *sel = &events->sel[event];

	if (sel->counter != VPMC_ANY_COUNTER)
		return 1;
	return (unsigned int)__builtin_popcount(vpmc_event_counters(
		events->pmu, vpmc_event_lookup(events->pmu, sel)));
}

void make_plan(struct plan *plan, const struct events *events)
{
	struct bundle bundle = { .nr = 1 };
	unsigned int counters;
	size_t i;

	plan->nr = 0;
	for (i = 0; events->metrics && i < events->metrics->nr; i++)
		place_ratios(plan, events, &events->metrics->metric[i]);
	for (counters = 1; counters <= VPMC_COUNTS_MAX; counters++) {
		for (i = 0; i < events->nr; i++) {
			if (events->never[i] || is_placed(plan, i) ||
			    choice(events, i) != counters)
				continue;
			bundle.event[0] = i;
			place(plan, events, &bundle, PLAN_MAX);
		}
	}
	/* Make one run even if no event can happen, because the command has to run. */
	bundle.event[0] = 0;
	if (!plan->nr)
		place(plan, events, &bundle, PLAN_MAX);
}

size_t run_of_event(const struct plan *plan, size_t event)
{
	size_t i = 0;

	while (i < plan->nr && place_in(&plan->set[i], event) < 0)
		i++;
	return i;
}

static int run_of_bundle(const struct plan *plan, const struct bundle *bundle)
{
	size_t i, j;

	for (i = 0; i < plan->nr; i++) {
		for (j = 0; j < bundle->nr; j++) {
			if (place_in(&plan->set[i], bundle->event[j]) < 0)
				break;
		}
		if (j == bundle->nr)
			return (int)i;
	}
	return NO_RUN;
}

int run_of_ratio(const struct plan *plan, const struct metrics *metrics,
		 const struct metric *metric, int ratio)
{
	struct bundle bundle;

	get_bundle(&bundle, metrics, metric, ratio);
	return run_of_bundle(plan, &bundle);
}

int run_of_both(const struct plan *plan, size_t first, size_t second)
{
	const struct bundle bundle = { .event = { first, second }, .nr = 2 };

	return run_of_bundle(plan, &bundle);
}
