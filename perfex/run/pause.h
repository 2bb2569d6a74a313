/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares counts that are paused and continued while they run.
 *
 * The counters run all the time. Counts at each start are subtracted from those at the
 * following stop. So processes that are created while the count is paused are counted when
 * it continues, and processes need not be found and stopped.
 */
#ifndef PERFEX_PAUSE_H
#define PERFEX_PAUSE_H

#include "events/counted.h"

/**
 * struct parts - the parts of a count in which it was not stopped
 * @stopped: true if it is stopped now
 * @was_stopped: true if it is or was stopped
 * @nr: number of parts, the present one included
 * @since: time at which the present part began, in nanoseconds of now()
 * @ns: total duration of the parts before it
 * @raw: values of the counters at the last read
 * @base: their values when the present part began; its nr is 0 if all were 0
 * @sum: counts of the parts before it
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
 * @parts: is initialised
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
 * turn_parts() - stop the count, or start it again, at the last count_parts()
 * @parts: the parts
 * @counts: from count_parts()
 * @time: now()
 */
void turn_parts(struct parts *parts, const struct counted *counts,
		uint64_t time);

/* counted_ns() - compute for how long it had counted at a time in the present part */
uint64_t counted_ns(const struct parts *parts, uint64_t time);

/**
 * have_lost() - tell whether counts lack some of an earlier read
 * @counts: the counts
 * @earlier: the counts of that read; its nr is 0 if there was no read
 *
 * If a thread executes a privileged program, all its counts are removed from the sum.
 *
 * Return: true if a difference to @earlier is meaningless.
 */
bool have_lost(const struct vpmc_counts *counts,
	       const struct vpmc_counts *earlier);

#endif /* PERFEX_PAUSE_H */
