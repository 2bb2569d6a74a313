/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the accumulated reports of several runs. */
#ifndef PERFEX_RUN_SERIES_H
#define PERFEX_RUN_SERIES_H

#include "stats/report_data.h"
#include "stats/report_spec.h"
#include "stats/rusage.h"
#include "stats/statistics.h"

/**
 * struct series - the counts of several runs; zeroed before the first run
 * @wanted: number of runs that were requested
 * @runs: number of runs that took place
 * @failed: number of runs whose exit status was not 0
 * @failure: number of the first failed run, from 1
 * @event: statistic of each event's counts, which may be projected
 * @share: lowest share of each event in one of the runs, see struct figure
 * @low: lowest value in the last run that was projected, see struct figure
 * @high: highest value in the last run that was projected, see struct figure
 * @is_unknown: true if the event is unknown in one of the runs, see struct figure
 * @missing: reason why the event is missing in one of the runs, or NULL
 * @resource: statistic of each resource
 * @sum: sum of all members except for the counts, over all runs
 * @values: memory for all values of @event, or NULL
 */
struct series {
	unsigned int wanted;
	unsigned int runs;
	unsigned int failed;
	struct command failure;
	struct statistic event[VPMC_COUNTS_MAX];
	unsigned int share[VPMC_COUNTS_MAX];
	uint64_t low[VPMC_COUNTS_MAX];
	uint64_t high[VPMC_COUNTS_MAX];
	bool is_unknown[VPMC_COUNTS_MAX];
	const char *missing[VPMC_COUNTS_MAX];
	struct statistic resource[NR_RESOURCES];
	struct vpmc_counts sum;
	uint64_t *values;
};

/**
 * begin_series() - prepare a series before the first run
 * @series: receives the empty series
 * @nr: number of events
 * @request: the request of the command line
 *
 * The series keeps the counts of each run if a plot or a report for programs needs them.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int begin_series(struct series *series, size_t nr,
		 const struct request *request);

/* begin_endings() - prepare a series of @wanted runs that only receives add_ending() */
void begin_endings(struct series *series, unsigned int wanted,
		   const struct report_spec *spec);

/* end_series() - free the memory of a series */
void end_series(struct series *series);

/**
 * add_run() - add a run
 * @series: receives the run
 * @report: report of this run
 * @command: the command after its end
 */
void add_run(struct series *series, const struct report *report,
	     const struct command *command);

/**
 * add_ending() - add the status and resources of a run, without the counts of its events
 * @series: receives the status and resources
 * @counts: counts of this run
 * @command: the command after its end
 */
void add_ending(struct series *series, const struct vpmc_counts *counts,
		const struct command *command);

#endif /* PERFEX_RUN_SERIES_H */
