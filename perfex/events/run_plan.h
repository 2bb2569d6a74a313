/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the plan which events are counted in which run, if there are more
 * events than counters.
 */
#ifndef PERFEX_RUN_PLAN_H
#define PERFEX_RUN_PLAN_H

#include "events/group.h"

/* The most runs for ratios, and with the other events: one is left for each of them. */
#define RATIOS_MAX 64
#define PLAN_MAX   (RATIOS_MAX + EVENTS_MAX)

/* Of a metric whose events do not fit into one run. */
#define NO_RUN (-1)

/**
 * struct event_set - what is counted in one run
 * @event: indices in struct events
 * @nr: how many
 */
struct event_set {
	size_t event[VPMC_COUNTS_MAX];
	size_t nr;
};

/**
 * struct plan - what is counted in each run
 * @set: of each
 * @nr: how many
 */
struct plan {
	struct event_set set[PLAN_MAX];
	size_t nr;
};

/**
 * make_plan() - distribute events over runs
 * @plan: receives the runs
 * @events: what to count; without counters assigned. What their metrics divide by each
 *	other comes into one run, and so does what is added and subtracted outside of
 *	a division, if the counters can count that together, so that an event can be
 *	in several. Events that cannot happen are in none, unless there are no others.
 *
 * Each set can be assigned counters. There is at least one.
 */
void make_plan(struct plan *plan, const struct events *events);

/* place_in() - where in a set an event is, or -1 */
int place_in(const struct event_set *set, size_t event);

/* run_of_event() - the first run in which an event is counted, or @plan->nr if none does */
size_t run_of_event(const struct plan *plan, size_t event);

/**
 * run_of_ratio() - the run in which all is counted that belongs together
 * @plan: from make_plan()
 * @metrics: of its events
 * @metric: one of them
 * @ratio: what is to be of one run, see struct step
 *
 * Return: the first such run, or NO_RUN.
 */
int run_of_ratio(const struct plan *plan, const struct metrics *metrics,
		 const struct metric *metric, int ratio);

/* run_of_both() - the first run in which two events are counted, or NO_RUN */
int run_of_both(const struct plan *plan, size_t first, size_t second);

#endif /* PERFEX_RUN_PLAN_H */
