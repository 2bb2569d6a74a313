/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares counts that are paused and continued while the command runs.
 *
 * The counters run all the time. The counts at each start are subtracted from the counts at the
 * following stop. So a process that is created while the count is paused is counted when the
 * count continues, and perfex need not find and stop processes.
 */
#ifndef PERFEX_PAUSE_H
#define PERFEX_PAUSE_H

#include "events/counted.h"

/**
 * struct parts - the parts of a count in which it was not stopped
 * @stopped: true if the count is stopped now
 * @was_stopped: true if the count is or was stopped
 * @nr: number of parts, the present one included
 * @since: time at which the present part began, in nanoseconds of now()
 * @ns: total duration of the parts before the present one
 * @raw: values of the counters at the last read
 * @base: values of the counters when the present part began; its nr is 0 if all were 0
 * @sum: counts of the parts before the present one
 */
struct parts {
	bool stopped;
	bool was_stopped;
	unsigned int nr;
	uint64_t since;
	uint64_t ns;
	struct counted raw;
	struct counted base;
	struct counted sum;
};

/**
 * begin_parts() - begin a count
 * @parts: receives the count
 * @time: the time, in nanoseconds of now()
 * @stopped: true if the count begins stopped
 */
void begin_parts(struct parts *parts, uint64_t time, bool stopped);

/**
 * count_parts() - compute the counts of all parts so far
 * @parts: the parts
 * @counts: the values of the counters; receives the counts
 *
 * Return: false if the counts are not known, because threads have executed a privileged
 * program since the present part began.
 */
bool count_parts(struct parts *parts, struct counted *counts);

/**
 * turn_parts() - stop or restart the count, at the time of the last count_parts()
 * @parts: the parts
 * @counts: from count_parts()
 * @time: now()
 */
void turn_parts(struct parts *parts, const struct counted *counts,
		uint64_t time);

/* counted_ns() - compute the total duration of all parts up to a time in the present part */
uint64_t counted_ns(const struct parts *parts, uint64_t time);

/**
 * have_lost() - tell whether counts have been removed since an earlier read
 * @counts: the counts
 * @earlier: the counts of that read; its nr is 0 if there was no read
 *
 * If a thread executes a privileged program, all its counts are removed from the sum.
 *
 * Return: true if the difference between @counts and @earlier is meaningless.
 */
bool have_lost(const struct vpmc_counts *counts,
	       const struct vpmc_counts *earlier);

#endif /* PERFEX_PAUSE_H */
