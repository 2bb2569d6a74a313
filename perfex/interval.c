// SPDX-License-Identifier: GPL-2.0-only
/* See interval.h. */
#include "interval.h"

#include "clock.h"

uint64_t interval_end(const struct intervals *intervals)
{
	const uint64_t length = intervals->ms * NS_PER_MS;

	return intervals->begin +
	       ((now() - intervals->begin) / length + 1) * length;
}

int write_interval(struct intervals *intervals,
		   const struct vpmc_counts *counts, struct report *report)
{
	const uint64_t time = intervals->end ? intervals->end : now();
	const uint64_t counted = report->parts ? counted_ns(report->parts, time)
					       : time - intervals->begin;
	struct vpmc_counts block = *counts;

	report->elapsed_us = (counted - intervals->counted) / NS_PER_US;
	report->counted_us = counted / NS_PER_US;
	intervals->counted = counted;
	report->has_lost = have_lost(counts, &intervals->printed);
	subtract_counts(&block, &intervals->printed);
	intervals->printed = *counts;
	report->counts = &block;
	report->whole = counts;
	report->is_block = intervals->ms != 0;
	report->us = (time - intervals->begin) / NS_PER_US;
	return write_report(intervals->output, report);
}
