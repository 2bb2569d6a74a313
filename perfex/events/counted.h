/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares counts, with their projections and the projections' reliability. */
#ifndef PERFEX_COUNTED_H
#define PERFEX_COUNTED_H

#include "util/perfex.h"

/**
 * struct counted - counts of a command, a process or the system
 * @counts: the counts
 * @spread: how the turns of the events differ, if some share a counter; else its nr is 0
 */
struct counted {
	struct vpmc_counts counts;
	struct vpmc_spread spread;
};

/**
 * started_events() - choose the events that the driver starts
 * @events: all events, with counters
 * @sel: receives the events that are started
 *
 * Return: the number of started events. place_counts() uses the indexes of events in @sel to
 * find their counts.
 */
size_t started_events(const struct events *events,
		      struct vpmc_event_sel sel[EVENTS_MAX]);

/**
 * place_counts() - move counts from the indexes of started events to those of all events
 * @events: the events
 * @count: their counts; counts of events that are not started become 0
 * @time: the times in which the events were counted; 0 for events that are not started
 * @spread: their turns; 0 for events that are not started
 */
void place_counts(const struct events *events, uint64_t *count, uint64_t *time,
		  struct vpmc_spread *spread);

/* place_counted() - call place_counts() for counts and turns */
void place_counted(const struct events *events, struct counted *counted);

/**
 * add_counted() - add counts
 * @sum: the sum, of the same events
 * @more: the counts to add
 * @err: receives the error, or NULL
 *
 * Return: as vpmc_counts_add().
 */
int add_counted(struct counted *sum, const struct counted *more,
		struct vpmc_error *err);

/* subtract_counted() - subtract the counts of an earlier read */
void subtract_counted(struct counted *counted, const struct counted *earlier);

/**
 * why_unknown() - get the reason why a count is not known
 * @known: from vpmc_estimate()
 *
 * Return: the reason, or NULL if the count is known.
 */
const char *why_unknown(int known);

#endif /* PERFEX_COUNTED_H */
