// SPDX-License-Identifier: GPL-2.0-only
/* Project counts, and compute how reliable the projections are. */
#include "events/counted.h"

static bool is_started(const struct events *events, size_t i)
{
	return !events->skips || !events->never[i];
}

size_t started_events(const struct events *events,
		      struct vpmc_event_sel sel[EVENTS_MAX])
{
	size_t i, nr = 0;

	for (i = 0; i < events->nr; i++) {
		if (is_started(events, i))
			sel[nr++] = events->sel[i];
	}
	return nr;
}

/*
 * Move counts, beginning with the last event, because an event's index among all events is never
 * lower than its index among the started events.
 */
void place_counts(const struct events *events, uint64_t *count, uint64_t *time,
		  struct vpmc_spread *spread)
{
	static const struct vpmc_turns_of none = { .nr = 0 };
	struct vpmc_event_sel sel[EVENTS_MAX];
	size_t i = events->nr, from;

	if (!events->skips)
		return;
	from = started_events(events, sel);
	while (i-- > 0) {
		const bool has = is_started(events, i);

		from -= has;
		count[i] = has ? count[from] : 0;
		time[i] = has ? time[from] : 0;
		if (spread->nr)
			spread->event[i] = has ? spread->event[from] : none;
	}
	if (spread->nr)
		spread->nr = (unsigned int)events->nr;
}

void place_counted(const struct events *events, struct counted *counted)
{
	struct vpmc_counts *counts = &counted->counts;

	if (!events->skips || !counts->nr)
		return;
	place_counts(events, counts->count, counts->time, &counted->spread);
	counts->nr = (unsigned int)events->nr;
}

int add_counted(struct counted *sum, const struct counted *more,
		struct vpmc_error *err)
{
	const int ret = vpmc_counts_add(&sum->counts, &more->counts, err);

	if (!ret)
		vpmc_spread_add(&sum->spread, &more->spread);
	return ret;
}

static void subtract_turns(struct vpmc_turns_of *turns,
			   const struct vpmc_turns_of *earlier)
{
	turns->nr -= earlier->nr;
	turns->count_squares -= earlier->count_squares;
	turns->products -= earlier->products;
	turns->time_squares -= earlier->time_squares;
}

void subtract_counted(struct counted *counted, const struct counted *earlier)
{
	struct vpmc_counts *counts = &counted->counts;
	unsigned int i;

	counts->tsc -= earlier->counts.tsc;
	for (i = 0; i < counts->nr && i < earlier->counts.nr; i++) {
		counts->count[i] -= earlier->counts.count[i];
		counts->time[i] -= earlier->counts.time[i];
	}
	for (i = 0; i < counted->spread.nr && i < earlier->spread.nr; i++)
		subtract_turns(&counted->spread.event[i],
			       &earlier->spread.event[i]);
}

const char *why_unknown(int known)
{
	switch (known) {
	case VPMC_NEVER_COUNTED:
		return "not counted";
	case VPMC_FEW_TURNS:
		return "not known: its turns are too few";
	case VPMC_NEVER_SEEN:
		return "not known: it did not happen in its turns";
	case VPMC_FEW_BURSTS:
		return "not known: it happened in too few of its turns";
	case VPMC_MANY_TURNS:
		return "not known: its turns are too many";
	default:
		return NULL;
	}
}
