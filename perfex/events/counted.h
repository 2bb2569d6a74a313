/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares counts, with their projections and the projections' reliability. */
#ifndef PERFEX_COUNTED_H
#define PERFEX_COUNTED_H

#include "util/perfex.h"

/**
 * struct counted - what was counted
 * @counts: the counts
 * @spread: how the turns of the events differ, if some share a counter; else its nr is 0
 */
struct counted {
	struct vpmc_counts counts;
	struct vpmc_spread spread;
};

/**
 * started_events() - choose the events that the driver starts
 * @events: all of them, with counters
 * @sel: receives those that are started
 *
 * Return: how many. Their counts come back by their places among these, see
 * place_counts().
 */
size_t started_events(const struct events *events,
		      struct vpmc_event_sel sel[EVENTS_MAX]);

/**
 * place_counts() - move counts from the places of started events to those of all events
 * @events: the events
 * @count: their counts, of which those that are not started become 0
 * @time: the times in which they were counted, likewise
 * @spread: their turns, likewise
 */
void place_counts(const struct events *events, uint64_t *count, uint64_t *time,
		  struct vpmc_spread *spread);

/* place_counted() - place_counts() of all that was counted */
void place_counted(const struct events *events, struct counted *counted);

/**
 * add_counted() - add up
 * @sum: of the same events
 * @more: what to add
 * @err: receives the error, or NULL
 *
 * Return: as vpmc_counts_add().
 */
int add_counted(struct counted *sum, const struct counted *more,
		struct vpmc_error *err);

/* subtract_counted() - take away what they were at an earlier read */
void subtract_counted(struct counted *counted, const struct counted *earlier);

/**
 * why_unknown() - why a count is not known
 * @known: from vpmc_estimate()
 *
 * Return: that, or NULL if it is.
 */
const char *why_unknown(int known);

#endif /* PERFEX_COUNTED_H */
