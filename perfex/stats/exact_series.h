/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the runs of several sets of events have counted, for --runs.
 */
#ifndef PERFEX_EXACT_SERIES_H
#define PERFEX_EXACT_SERIES_H

#include "events/run_plan.h"
#include "stats/run_series.h"

/**
 * struct exact - what the runs have counted
 * @plan: which events are counted in which
 * @series: of each run of the plan, what its repetitions have counted; events are in
 *	the order of its set
 * @total: how all of them have ended
 */
struct exact {
	struct plan plan;
	struct series *series;
	struct series total;
};

#endif /* PERFEX_EXACT_SERIES_H */
