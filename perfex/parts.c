// SPDX-License-Identifier: GPL-2.0-only
/* See parts.h. */
#include "parts.h"

bool have_lost(const struct vpmc_counts *counts,
	       const struct vpmc_counts *earlier)
{
	return earlier->nr && counts->revoked != earlier->revoked;
}

void subtract_counts(struct vpmc_counts *counts,
		     const struct vpmc_counts *earlier)
{
	unsigned int i;

	counts->tsc -= earlier->tsc;
	for (i = 0; i < counts->nr; i++) {
		counts->count[i] -= earlier->count[i];
		counts->time[i] -= earlier->time[i];
	}
}

void begin_parts(struct parts *parts, uint64_t time, bool stopped)
{
	*parts = (struct parts){ .stopped = stopped,
				 .was_stopped = stopped,
				 .nr = !stopped,
				 .since = time };
}

bool count_parts(struct parts *parts, struct vpmc_counts *counts)
{
	unsigned int i;

	parts->raw = *counts;
	if (!parts->stopped && have_lost(counts, &parts->base))
		return false;
	subtract_counts(counts, parts->stopped ? &parts->raw : &parts->base);
	counts->tsc += parts->sum.tsc;
	for (i = 0; i < counts->nr; i++) {
		counts->count[i] += parts->sum.count[i];
		counts->time[i] += parts->sum.time[i];
	}
	return true;
}

void turn_parts(struct parts *parts, const struct vpmc_counts *counts,
		uint64_t time)
{
	if (parts->stopped) {
		parts->base = parts->raw;
		parts->since = time;
		parts->nr++;
	} else {
		parts->sum = *counts;
		parts->ns = counted_ns(parts, time);
	}
	parts->stopped = !parts->stopped;
	parts->was_stopped = true;
}

uint64_t counted_ns(const struct parts *parts, uint64_t time)
{
	return parts->ns + (parts->stopped ? 0 : time - parts->since);
}
