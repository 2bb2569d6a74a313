// SPDX-License-Identifier: GPL-2.0-only
/* See options_check.h. */
#include "cli/options_check.h"

#include "cli/option_rules.h"
#include "live/screen.h"
#include "stats/statistics.h"

/* The interval of --live without --interval. */
#define LIVE_MS 1000

bool describes_only(const struct options *options)
{
	return options->list || options->list_groups || options->info;
}

/* Set what follows from the options that were given. */
static void complete(struct options *options, uint64_t given)
{
	if (options->system)
		options->modes |= VPMC_KERNEL;
	/*
	 * A parent that waits for a process receives its counts as a whole: they would be
	 * in the wrong part, and be there twice if both are counted by themselves.
	 */
	if (given & (HAS(SEVERAL) | HAS(CONTROL) | HAS(SIGNALS) |
		     HAS(START_STOPPED) | HAS(DELAY)) &&
	    !(given & (HAS(ALONE) | HAS(TID))))
		options->all = true;
	if (options->live && !options->interval_ms)
		options->interval_ms = LIVE_MS;
	if (!options->confidence)
		options->confidence = CONFIDENCE;
}

int check_options(struct options *options, uint64_t given)
{
	const struct option_rule *rule = broken_rule(given);

	if (rule) {
		complain_rule(rule, given);
		return PERFEX_USAGE;
	}
	if (options->live && !has_curses()) {
		complain("--live needs ncurses, and this perfex was built"
			 " without: build it where libncurses-dev is"
			 " installed, or use --interval");
		return PERFEX_USAGE;
	}
	complete(options, given);
	return 0;
}
