// SPDX-License-Identifier: GPL-2.0-only
/* Project the counts of events that shared a counter, for the reports of perfex.irix. */
#include "irix_counts.h"

#define NO_TURN "its turn never came"

/*
 * Set the count of an event. If the event shared its counter and its turns suffice, project the
 * count.
 */
static void set_count(struct perfexint_counts *counts, unsigned int i,
		      uint64_t count, uint64_t time, uint64_t tsc,
		      const struct vpmc_turns_of *turns)
{
	struct vpmc_estimated estimate = { .count = 0 };
	const int known = vpmc_estimate(count, time, tsc, turns, &estimate);

	counts->count[i] = estimate.count;
	if (counts->unknown[i])
		return;
	counts->unknown[i] =
		known == VPMC_NEVER_COUNTED ? NO_TURN : why_unknown(known);
}

static const struct vpmc_turns_of *turns_in(const struct vpmc_spread *spread,
					    unsigned int i)
{
	return i < spread->nr ? &spread->event[i] : NULL;
}

static struct perfexint_counts begin_counts(const struct events *events)
{
	struct perfexint_counts counts = { .pmu = events->pmu,
					   .nr = (unsigned int)events->nr };
	unsigned int i;

	for (i = 0; i < counts.nr; i++) {
		counts.sel[i] = events->sel[i];
		counts.unknown[i] = events->never[i];
	}
	return counts;
}

struct perfexint_counts irix_counts_of(const struct events *events,
				       const struct counted *counted)
{
	struct perfexint_counts counts = begin_counts(events);
	const struct vpmc_counts *from = &counted->counts;
	unsigned int i;

	for (i = 0; i < counts.nr; i++) {
		if (events->shared)
			set_count(&counts, i, from->count[i], from->time[i],
				  from->tsc, turns_in(&counted->spread, i));
		else
			counts.count[i] = from->count[i];
	}
	return counts;
}

struct perfexint_counts irix_counts_of_record(const struct events *events,
					      const struct record *record)
{
	struct perfexint_counts counts = begin_counts(events);
	const uint64_t *time = record->value + events->nr;
	unsigned int i;

	for (i = 0; i < counts.nr; i++) {
		if (events->shared)
			set_count(&counts, i, record->value[i], time[i],
				  time[events->nr],
				  &record_turns(events, record)[i]);
		else
			counts.count[i] = record->value[i];
	}
	return counts;
}
