// SPDX-License-Identifier: GPL-2.0-only
/* See interval.h. */
#include "interval.h"

#include "clock.h"
#include "live.h"

/* How long a key waits at most. */
#define LOOK_MS 100

uint64_t interval_end(const struct intervals *intervals)
{
	const uint64_t length = intervals->ms * NS_PER_MS;

	return intervals->begin +
	       ((now() - intervals->begin) / length + 1) * length;
}

uint64_t next_look(const struct intervals *intervals, uint64_t moment)
{
	const uint64_t look_at = now() + LOOK_MS * NS_PER_MS;

	return intervals->output->live && look_at < moment ? look_at : moment;
}

void look(const struct intervals *intervals)
{
	if (intervals->output->live)
		watch_terminal(intervals->output->live);
}

static void subtract(struct vpmc_counts *counts,
		     const struct vpmc_counts *printed)
{
	unsigned int i;

	counts->tsc -= printed->tsc;
	for (i = 0; i < counts->nr; i++) {
		counts->count[i] -= printed->count[i];
		counts->time[i] -= printed->time[i];
	}
}

int write_interval(struct intervals *intervals,
		   const struct vpmc_counts *counts, struct report *report)
{
	struct live *live = intervals->output->live;
	const uint64_t begin = intervals->printed_at ? intervals->printed_at
						     : intervals->begin;
	struct vpmc_counts block = *counts;

	intervals->printed_at = intervals->end ? intervals->end : now();
	report->elapsed_us =
		(intervals->printed_at - begin) / (NS_PER_S / US_PER_S);
	subtract(&block, &intervals->printed);
	intervals->printed = *counts;
	report->counts = &block;
	report->whole = counts;
	report->is_block = intervals->ms != 0;
	report->ms = (intervals->printed_at - intervals->begin) / NS_PER_MS;
	if (!live || report->is_last)
		return write_report(intervals->output, report);
	return show_report(live, report);
}

int write_rest(struct intervals *intervals, const struct vpmc_counts *counts,
	       struct report *report)
{
	if (intervals->output->live) {
		close_live(intervals->output->live);
		intervals->ms = 0;
		intervals->printed = (struct vpmc_counts){ .nr = 0 };
		intervals->printed_at = 0;
	}
	report->is_last = true;
	return write_interval(intervals, counts, report);
}
