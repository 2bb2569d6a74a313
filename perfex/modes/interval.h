/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the reports of each interval. */
#ifndef PERFEX_INTERVAL_H
#define PERFEX_INTERVAL_H

#include "report/output.h"
#include "run/present_rusage.h"

struct profile;

/**
 * struct intervals - a count that is reported in intervals or as a whole
 * @ms: length of an interval in milliseconds; 0 for one report
 * @output: the output of the reports
 * @begin: time at which the count began, in nanoseconds of now()
 * @end: time at which the count ended, or 0
 * @printed: counts up to the last report
 * @counted: total time in which counting was on until the last report, in nanoseconds
 * @usage: page faults and switches of the command, or NULL if the reports omit them
 * @profile: profile that takes samples while the command runs, or NULL
 */
struct intervals {
	unsigned int ms;
	struct output *output;
	uint64_t begin;
	uint64_t end;
	struct counted printed;
	uint64_t counted;
	struct present_usage *usage;
	struct profile *profile;
};

/**
 * interval_end() - compute when the current interval ends
 * @intervals: the count; its @ms is not 0
 *
 * Intervals that have already ended are skipped.
 *
 * Return: nanoseconds of now().
 */
uint64_t interval_end(const struct intervals *intervals);

/**
 * next_look() - compute when to check the terminal for --live, or the rings for --profile
 * @intervals: the count
 * @moment: time of the next task of the caller
 *
 * Return: @moment, or an earlier time, in nanoseconds of now().
 */
uint64_t next_look(const struct intervals *intervals, uint64_t moment);

/* look() - handle keys and a new size of the terminal, and take samples from rings */
void look(const struct intervals *intervals);

/**
 * write_interval() - report the counts since the last report; with --live on
 *	the terminal
 * @intervals: the count
 * @counts: all counts so far
 * @report: the report, without counts; receives the counts
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int write_interval(struct intervals *intervals, const struct counted *counts,
		   struct report *report);

/**
 * write_rest() - write the last report of a count. With --live, close the terminal first, and
 * report the whole count.
 */
int write_rest(struct intervals *intervals, const struct counted *counts,
	       struct report *report);

#endif /* PERFEX_INTERVAL_H */
