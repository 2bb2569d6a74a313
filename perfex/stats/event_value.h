/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares what is known of an event after a run. All reports show it, each in
 * its own form.
 */
#ifndef PERFEX_EVENT_VALUE_H
#define PERFEX_EVENT_VALUE_H

#include "stats/report_data.h"
#include "stats/statistics.h"

/* The share of an event that was counted all the time. */
#define WHOLE 1000U

/**
 * struct figure - how often an event happened
 * @count: the number, if there is one; projected if @share is below WHOLE
 * @share: of the time in which it was counted, per mille. A part is never rounded
 *	to the whole.
 * @low: if it is projected from one run, the least that it may be,
 * @high: and the most, with VPMC_CONFIDENCE per cent
 * @missing: NULL, or why there is no number
 * @is_unknown: @missing is set because its turns say too little
 * @statistic: of several runs what more there is to say, else NULL. @count is the
 *	mean, and what was worse in one run is told of all.
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

/* has_interval() - whether @low and @high of a figure say something */
bool has_interval(const struct figure *figure);

/* figure_of_total() - of an event in the sum over all that was counted */
struct figure figure_of_total(const struct report *report, size_t i);

/* figure_of_whole() - the same of all intervals so far, where there are some */
struct figure figure_of_whole(const struct report *report, size_t i);

/* figure_in_run() - of an event in one of the runs of report->exact, which has it */
struct figure figure_in_run(const struct report *report, size_t run, size_t i);

/* figure_of_record() - of an event in a thread or a process */
struct figure figure_of_record(const struct events *events,
			       const struct record *record, size_t i);

#endif /* PERFEX_EVENT_VALUE_H */
