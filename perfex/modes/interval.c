// SPDX-License-Identifier: GPL-2.0-only
/* Report the counts of each interval. */
#include "modes/interval.h"

#include "live/live.h"
#include "profile/profile.h"
#include "util/clock.h"

/* --live reads the keyboard at least once in this many milliseconds. */
#define LOOK_MS 100

uint64_t interval_end(const struct intervals *intervals)
{
	const uint64_t length = intervals->ms * NS_PER_MS;

	return intervals->begin +
	       ((now() - intervals->begin) / length + 1) * length;
}

uint64_t next_look(const struct intervals *intervals, uint64_t moment)
{
	const uint64_t present = now();
	uint64_t look_at = moment;

	if (intervals->output->live)
		look_at = present + LOOK_MS * NS_PER_MS;
	if (intervals->profile)
		look_at = present + PROFILE_MS * NS_PER_MS;
	return look_at < moment ? look_at : moment;
}

void look(const struct intervals *intervals)
{
	if (intervals->output->live)
		watch_terminal(intervals->output->live);
	if (intervals->profile)
		empty_rings(intervals->profile, false);
}

int write_interval(struct intervals *intervals, const struct counted *counts,
		   struct report *report)
{
	struct live *live = intervals->output->live;
	const uint64_t time = intervals->end ? intervals->end : now();
	const uint64_t counted = report->parts ? counted_ns(report->parts, time)
					       : time - intervals->begin;
	struct counted block = *counts;

	report->elapsed_us = (counted - intervals->counted) / NS_PER_US;
	report->counted_us = counted / NS_PER_US;
	intervals->counted = counted;
	report->has_lost =
		have_lost(&counts->counts, &intervals->printed.counts);
	subtract_counted(&block, &intervals->printed);
	intervals->printed = *counts;
	report->counts = &block.counts;
	report->spread = &block.spread;
	report->whole = &counts->counts;
	report->whole_spread = &counts->spread;
	report->is_block = intervals->ms != 0;
	report->us = (time - intervals->begin) / NS_PER_US;
	if (intervals->usage)
		begin_usage_block(intervals->usage);
	report->usage = intervals->usage;
	if (!live || report->is_last)
		return write_report(intervals->output, report);
	return show_report(live, report);
}

int write_rest(struct intervals *intervals, const struct counted *counts,
	       struct report *report)
{
	if (intervals->output->live) {
		close_live(intervals->output->live);
		intervals->ms = 0;
		intervals->printed = (struct counted){ .spread.nr = 0 };
		intervals->counted = 0;
	}
	report->is_last = true;
	return write_interval(intervals, counts, report);
}
