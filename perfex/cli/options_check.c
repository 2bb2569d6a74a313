// SPDX-License-Identifier: GPL-2.0-only
/* Refuse options that cannot be combined. */
#include "cli/options_check.h"

#include "cli/option_rules.h"
#include "live/screen.h"
#include "profile_formats/formats.h"
#include "stats/statistics.h"

/* --live uses this interval if --interval is not given. */
#define LIVE_MS 1000

bool describes_only(const struct options *options)
{
	return options->list || options->list_groups || options->info;
}

static bool meet(const struct option_set *one, const struct option_set *other)
{
	return first_common(one, other) != NR_TRAITS;
}

static bool is_empty(const struct option_set *set)
{
	return !meet(set, set);
}

/* Set the members that follow from the given options. */
static void complete(struct options *options, const struct option_set *given)
{
	static const struct option_set apart =
		SET(HAS(SEVERAL), HAS(CONTROL), HAS(SIGNALS),
		    HAS(START_STOPPED), HAS(DELAY));
	static const struct option_set narrow = SET(HAS(ALONE), HAS(TID));

	if (options->request.count.system)
		options->request.count.modes |= VPMC_KERNEL;
	/*
	 * A parent that waits for a process receives all its counts at once. These counts would
	 * be in the wrong part, and they would be counted twice if both processes are counted
	 * separately.
	 */
	if (options->request.count.profile ||
	    (meet(given, &apart) && !meet(given, &narrow)))
		options->request.count.all = true;
	if (options->request.report.live &&
	    !options->request.report.interval_ms)
		options->request.report.interval_ms = LIVE_MS;
	if (!options->request.report.confidence)
		options->request.report.confidence = CONFIDENCE;
}

/*
 * Return the first given option that a rule refuses together with those of @when, or NR_TRAITS if
 * there is none.
 */
static enum option_id first_refused(const struct option_rule *rule,
				    const struct option_set *given)
{
	size_t id = 0;

	if (is_empty(&rule->all_but))
		return first_common(&rule->with, given);
	while (id < NR_TRAITS && !(given->has[id] && !rule->all_but.has[id]))
		id++;
	return (enum option_id)id;
}

/* Tell whether a rule only says which options others need. */
static bool is_need(const struct option_rule *rule)
{
	return is_empty(&rule->with) && is_empty(&rule->all_but);
}

static bool is_broken(const struct option_rule *rule,
		      const struct option_set *given)
{
	return (is_empty(&rule->when) || meet(&rule->when, given)) &&
	       (is_need(rule) || first_refused(rule, given) != NR_TRAITS) &&
	       !meet(&rule->unless, given);
}

/* Return the first rule that a command line with these options breaks, or NULL. */
static const struct option_rule *broken_rule(const struct option_set *given)
{
	size_t i;

	for (i = 0; i < nr_option_rules; i++) {
		if (is_broken(&option_rules[i], given))
			return &option_rules[i];
	}
	return NULL;
}

static void complain_rule(const struct option_rule *rule,
			  const struct option_set *given)
{
	char names[OPTION_NAMES_MAX], first[OPTION_NAME_MAX],
		second[OPTION_NAME_MAX];
	const char *more = rule->more ? rule->more : "";

	if (rule->sentence) {
		complain("%s (perfex -h shows how)", rule->sentence);
		return;
	}
	name_option(first, first_common(&rule->when, given));
	if (is_need(rule)) {
		name_options(names, &rule->unless);
		complain("%s needs %s%s (perfex -h shows how)", first, names,
			 more);
	} else {
		name_option(second, first_refused(rule, given));
		complain(
			"%s cannot be combined with %s%s (perfex -h shows how)",
			first, second, more);
	}
}

/* Refuse options that this perfex was built without. */
static int check_libraries(const struct report_spec *report)
{
	if (report->live && !has_curses()) {
		complain("--live needs ncurses, and this perfex was built"
			 " without: build it where libncurses-dev is"
			 " installed, or use --interval");
		return PERFEX_USAGE;
	}
	if (report->profile && profile_form(report->profile) == PROFILE_PPROF &&
	    !has_pprof()) {
		complain("--profile=FILE.pb.gz needs protobuf-c, and this"
			 " perfex was built without: build it where"
			 " protobuf-c-compiler, libprotobuf-c-dev and"
			 " zlib1g-dev are installed, or use .folded");
		return PERFEX_USAGE;
	}
	return 0;
}

/* A profile of the whole system counts processes, from which --force takes no counters. */
static bool is_forced_profile(const struct count_spec *count)
{
	return count->system && count->profile && count->force;
}

int check_options(struct options *options, const struct option_set *given)
{
	const struct option_rule *rule = broken_rule(given);

	if (rule) {
		complain_rule(rule, given);
		return PERFEX_USAGE;
	}
	if (is_forced_profile(&options->request.count)) {
		complain("--system --profile cannot be combined with --force:"
			 " it counts the processes that nobody else counts"
			 " (perfex -h shows how)");
		return PERFEX_USAGE;
	}
	complete(options, given);
	return check_libraries(&options->request.report);
}
