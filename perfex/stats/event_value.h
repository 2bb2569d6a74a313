/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the value of an event after a run, or the reason why it is not
 * known. All reports show it, each in its own form.
 */
#ifndef PERFEX_EVENT_VALUE_H
#define PERFEX_EVENT_VALUE_H

#include "stats/report_data.h"
#include "stats/statistics.h"

/* This is the share of an event that was counted all the time. */
#define WHOLE 1000U

/**
 * struct figure - the value of an event
 * @count: number of events, if it is known; projected if @share is below WHOLE
 * @share: share of the time in which it was counted, per mille. A part is never rounded up
 *	to WHOLE.
 * @low: for a number projected from one run, its lowest value,
 * @high: and its highest value, with VPMC_CONFIDENCE per cent
 * @missing: NULL, or why the number is not known
 * @is_unknown: true if the number is @missing because its turns are insufficient
 * @statistic: statistic of several runs, else NULL. @count is then the mean, and the other
 *	members are the worst of all runs.
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
 * figure_of_whole() - like figure_of_total(), but of all intervals so far, if there are
 * intervals
 */
struct figure figure_of_whole(const struct report *report, size_t i);

/*
 * figure_in_run() - get the value of an event in one of the runs of report->exact that has
 * it
 */
struct figure figure_in_run(const struct report *report, size_t run, size_t i);

/* figure_of_record() - get the value of an event in a thread or a process */
struct figure figure_of_record(const struct events *events,
			       const struct record *record, size_t i);

#endif /* PERFEX_EVENT_VALUE_H */
