/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the reports of each interval. */
#ifndef PERFEX_INTERVAL_H
#define PERFEX_INTERVAL_H

#include "report/output.h"
#include "run/present_rusage.h"

/**
 * struct intervals - a count that is reported in parts, or as a whole
 * @ms: how long each interval is; 0 if there is one report of all
 * @output: where the reports go
 * @begin: when the count began, in nanoseconds of now()
 * @end: when it ended, 0 while it lasts
 * @printed: counts up to the last report
 * @counted: for how long it had counted at the last report, in nanoseconds
 * @usage: page faults and switches of the command, or NULL if they are not wanted
 */
struct intervals {
	unsigned int ms;
	struct output *output;
	uint64_t begin;
	uint64_t end;
	struct counted printed;
	uint64_t counted;
	struct present_usage *usage;
};

/**
 * interval_end() - when the present interval ends
 * @intervals: the count; its @ms is not 0
 *
 * Intervals that are over already are skipped.
 *
 * Return: nanoseconds of now().
 */
uint64_t interval_end(const struct intervals *intervals);

/**
 * next_look() - when to look at the terminal at the latest, if --live has it
 * @intervals: the count
 * @moment: when there is something else to do
 *
 * Return: that, or before, nanoseconds of now().
 */
uint64_t next_look(const struct intervals *intervals, uint64_t moment);

/* look() - look at the terminal: for a key, and whether it has another size */
void look(const struct intervals *intervals);

/**
 * write_interval() - report what was counted since the last report; with --live on
 *	the terminal
 * @intervals: the count
 * @counts: all that was counted so far
 * @report: what else to say; its counts are set
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int write_interval(struct intervals *intervals, const struct counted *counts,
		   struct report *report);

/**
 * write_rest() - the same at the end of the count; with --live report the whole, and
 *	give the terminal back before
 */
int write_rest(struct intervals *intervals, const struct counted *counts,
	       struct report *report);

#endif /* PERFEX_INTERVAL_H */
