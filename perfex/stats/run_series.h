/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the accumulated reports of several runs. */
#ifndef PERFEX_RUN_SERIES_H
#define PERFEX_RUN_SERIES_H

#include "stats/report_data.h"
#include "stats/report_spec.h"
#include "stats/rusage.h"
#include "stats/statistics.h"

/**
 * struct series - what several runs have counted; zeroed before the first
 * @wanted: how many runs there were to be
 * @runs: how many there were
 * @failed: how many of them ended otherwise than with exit status 0
 * @failure: the first of these
 * @event: of each event the counts, projected if they are
 * @share: the least in one of the runs, see struct figure
 * @low: of the last one that was projected, see struct figure
 * @high: of the last one that was projected, see struct figure
 * @is_unknown: whether it is unknown in one of them, see struct figure
 * @missing: why there was no count in one of them, or NULL
 * @resource: of each resource the values
 * @sum: what was missing, in all runs together
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
 * begin_series() - before the first run
 * @series: is made ready
 * @nr: how many events there are
 * @request: what to count, and how to report it
 *
 * The counts of each run are kept if they are to be drawn, or reported for programs.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int begin_series(struct series *series, size_t nr,
		 const struct request *request);

/* begin_endings() - before the first of @wanted runs, of which add_ending() takes in all */
void begin_endings(struct series *series, unsigned int wanted,
		   const struct report_spec *spec);

/* end_series() - give the memory of a series back */
void end_series(struct series *series);

/**
 * add_run() - take one more run in
 * @series: receives it
 * @report: of that run alone
 * @command: how it has ended
 */
void add_run(struct series *series, const struct report *report,
	     const struct command *command);

/**
 * add_ending() - take in how a run has ended, and not what each event has
 * @series: receives it
 * @counts: of that run
 * @command: how it has ended
 */
void add_ending(struct series *series, const struct vpmc_counts *counts,
		const struct command *command);

#endif /* PERFEX_RUN_SERIES_H */
