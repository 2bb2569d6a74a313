/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the value of an event after a run, or the reason why it is not known.
 * Reports of all forms show it.
 */
#ifndef PERFEX_EVENT_VALUE_H
#define PERFEX_EVENT_VALUE_H

#include "stats/report_data.h"
#include "stats/statistics.h"

/* An event that was counted all the time has this share. */
#define WHOLE 1000U

/**
 * struct figure - the value of an event
 * @count: number of events, unless it is @missing; projected if @share is below WHOLE
 * @share: share of the time in which it was counted, per mille. A smaller share is never rounded
 *	up to WHOLE.
 * @low: lowest value of a number that was projected from one run
 * @high: highest value of such a number, with VPMC_CONFIDENCE per cent
 * @missing: NULL, or the reason why the number is not known
 * @is_unknown: true if the number is @missing because its turns are insufficient
 * @statistic: statistic of several runs, or NULL. With a statistic, @count is the mean, and the
 *	other members are the worst of all runs.
 */
struct figure {
	uint64_t count;
	unsigned int share;
	uint64_t low;
	uint64_t high;
	const char *missing;
	bool is_unknown;
	const struct statistic *statistic;
};

/* has_interval() - tell whether @low and @high of a figure are valid */
bool has_interval(const struct figure *figure);

/* figure_of_total() - get the value of an event in the sum of all counts */
struct figure figure_of_total(const struct report *report, size_t i);

/*
 * figure_of_whole() - like figure_of_total(), but for the sum of all intervals so far
 */
struct figure figure_of_whole(const struct report *report, size_t i);

/*
 * figure_in_run() - get the value of an event in run @run of report->exact, which counts it
 */
struct figure figure_in_run(const struct report *report, size_t run, size_t i);

/* figure_of_record() - get the value of an event in a thread or a process */
struct figure figure_of_record(const struct events *events,
			       const struct record *record, size_t i);

#endif /* PERFEX_EVENT_VALUE_H */
