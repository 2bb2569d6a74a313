/* SPDX-License-Identifier: GPL-2.0-only */
/* This header defines the counts of runs with several sets of events, for --runs. */
#ifndef PERFEX_EXACT_SERIES_H
#define PERFEX_EXACT_SERIES_H

#include "events/run_plan.h"
#include "stats/run_series.h"

/**
 * struct exact - the counts of runs with several sets of events
 * @plan: the plan, which has the events of each run
 * @series: counts of the repetitions of each run of the plan; events are in the order of the
 *	run's set
 * @total: statuses and resources of all runs, from add_ending()
 */
struct exact {
	struct plan plan;
	struct series *series;
	struct series total;
};

#endif /* PERFEX_EXACT_SERIES_H */
