// SPDX-License-Identifier: GPL-2.0-only
/* See counted.h. */
#include "counted.h"

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
	default:
		return NULL;
	}
}
