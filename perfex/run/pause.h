/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares counts that are paused and continued while they run.
 *
 * The counters run all the time, and what they have at each start is taken away from
 * what they have at the stop: so whoever is created while the count is stopped has
 * counters, too, and a process that goes on by itself needs not be found to be stopped.
 */
#ifndef PERFEX_PAUSE_H
#define PERFEX_PAUSE_H

#include "events/counted.h"

/**
 * struct parts - the parts of a count in which it was not stopped
 * @stopped: it is stopped now
 * @was_stopped: it is now, or was before
 * @nr: how many parts there are, the present one included
 * @since: when the present one began, in nanoseconds of now()
 * @ns: how long those before it lasted, together
 * @raw: what the counters had at the last read
 * @base: what they had when the present part began; nr is 0 if all was 0
 * @sum: what was counted in the parts before it
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
 * begin_parts() - a count begins
 * @parts: is initialised
 * @time: when, in nanoseconds of now()
 * @stopped: it begins stopped
 */
void begin_parts(struct parts *parts, uint64_t time, bool stopped);

/**
 * count_parts() - find what was counted in the parts so far
 * @parts: the parts
 * @counts: what the counters have; receives what was counted
 *
 * Return: false if that is not known: threads that have executed a privileged program are
 * missing now, and were not when the present part began.
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

/* counted_ns() - for how long it had counted at some moment of the present part */
uint64_t counted_ns(const struct parts *parts, uint64_t time);

/**
 * have_lost() - whether counts lack what they had at an earlier read
 * @counts: the counts
 * @earlier: what they were; nr is 0 if there was no read before
 *
 * What a thread has counted is taken out of the sum, whenever that was, if it executes a
 * privileged program.
 *
 * Return: whether a difference to @earlier says nothing.
 */
bool have_lost(const struct vpmc_counts *counts,
	       const struct vpmc_counts *earlier);

#endif /* PERFEX_PAUSE_H */
