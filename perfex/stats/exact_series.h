/* SPDX-License-Identifier: GPL-2.0-only */
/* This header defines the counts of runs with several sets of events, for --runs. */
#ifndef PERFEX_EXACT_SERIES_H
#define PERFEX_EXACT_SERIES_H

#include "events/run_plan.h"
#include "stats/run_series.h"

/**
 * struct exact - the counts of runs with several sets of events
 * @plan: the plan, which gives each run its events
 * @series: for each run of the plan, the counts of its repetitions; events are in the order
 *	of its set
 * @total: the ends of all runs
 */
struct exact {
	struct plan plan;
	struct series *series;
	struct series total;
};

#endif /* PERFEX_EXACT_SERIES_H */
