// SPDX-License-Identifier: GPL-2.0-only
/* Start and stop a count while it runs. */
#include "run/pause.h"

bool have_lost(const struct vpmc_counts *counts,
	       const struct vpmc_counts *earlier)
{
	return earlier->nr && counts->revoked != earlier->revoked;
}

void begin_parts(struct parts *parts, uint64_t time, bool stopped)
{
	*parts = (struct parts){ .stopped = stopped,
				 .was_stopped = stopped,
				 .nr = !stopped,
				 .since = time };
}

/*
 * Add up counts. Take the numbers of missing and running processes from the last read, because
 * they are not sums.
 */
static void add_sum(struct counted *counts, const struct counted *sum)
{
	unsigned int i;

	counts->counts.tsc += sum->counts.tsc;
	for (i = 0; i < counts->counts.nr; i++) {
		counts->counts.count[i] += sum->counts.count[i];
		counts->counts.time[i] += sum->counts.time[i];
	}
	vpmc_spread_add(&counts->spread, &sum->spread);
}

bool count_parts(struct parts *parts, struct counted *counts)
{
	parts->raw = *counts;
	if (!parts->stopped && have_lost(&counts->counts, &parts->base.counts))
		return false;
	subtract_counted(counts, parts->stopped ? &parts->raw : &parts->base);
	add_sum(counts, &parts->sum);
	return true;
}

void turn_parts(struct parts *parts, const struct counted *counts,
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
