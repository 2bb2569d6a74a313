/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the plan of runs if there are more events than counters. The plan says
 * which run counts which events.
 */
#ifndef PERFEX_RUN_PLAN_H
#define PERFEX_RUN_PLAN_H

#include "events/group.h"

/* A plan has at most RATIOS_MAX runs for ratios, and one more for each event. */
#define RATIOS_MAX 64
#define PLAN_MAX   (RATIOS_MAX + EVENTS_MAX)

/* A metric whose events do not fit into one run has this number instead of a run. */
#define NO_RUN (-1)

/**
 * struct event_set - the events of one run
 * @event: indexes in struct events
 * @nr: number of @event
 */
struct event_set {
	size_t event[VPMC_COUNTS_MAX];
	size_t nr;
};

/**
 * struct plan - the events of all runs
 * @set: set of each run
 * @nr: number of runs
 */
struct plan {
	struct event_set set[PLAN_MAX];
	size_t nr;
};

/**
 * make_plan() - distribute events over runs
 * @plan: receives the runs
 * @events: the events to count, without assigned counters. Events that a metric divides by each
 *	other are put into one run if the counters can count them together. The same is true for
 *	events that it adds or subtracts outside of a division. An event can be in several runs.
 *	Events that cannot happen are in a run only if there are no other events.
 *
 * Counters can be assigned to each set. There is at least one set.
 */
void make_plan(struct plan *plan, const struct events *events);

/* place_in() - find the index of an event in a set, or -1 */
int place_in(const struct event_set *set, size_t event);

/* run_of_event() - find the first run that counts an event; @plan->nr if none does */
size_t run_of_event(const struct plan *plan, size_t event);

/**
 * run_of_ratio() - find the run that counts all events of a ratio
 * @plan: from make_plan()
 * @metrics: the metrics of its events
 * @metric: one of these metrics
 * @ratio: the ratio of the events, see struct step
 *
 * Return: the first such run, or NO_RUN.
 */
int run_of_ratio(const struct plan *plan, const struct metrics *metrics,
		 const struct metric *metric, int ratio);

/* run_of_both() - find the first run that counts two events, or NO_RUN */
int run_of_both(const struct plan *plan, size_t first, size_t second);

#endif /* PERFEX_RUN_PLAN_H */
