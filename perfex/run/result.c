// SPDX-License-Identifier: GPL-2.0-only
/*
 * What has been counted in a command or a process.
 */
#include "run/result.h"

#include "util/clock.h"

static bool collects(const struct options *options)
{
	return options->all || options->processes;
}

unsigned int start_flags(const struct options *options)
{
	unsigned int flags = 0;

	if (options->processes)
		flags = VPMC_RECORDS;
	else if (options->all)
		flags = VPMC_COLLECT;
	if (options->multiplex)
		flags |= VPMC_MULTIPLEX;
	if (options->force)
		flags |= VPMC_FORCE;
	if (options->keep)
		flags |= VPMC_KEEP;
	return flags;
}

/* Read a scope, with the turns if events share counters. */
static int read_scope(struct vpmc *vpmc, const struct options *options,
		      enum vpmc_whose whose, struct counted *counted,
		      struct vpmc_error *err)
{
	counted->spread.nr = 0;
	if (options->multiplex)
		return vpmc_read_spread(vpmc, whose, &counted->counts,
					&counted->spread, err);
	return vpmc_read(vpmc, whose, &counted->counts, err);
}

/* What a thread is attached to alone has no other scope. */
static int read_own(struct vpmc *vpmc, const struct options *options,
		    struct counted *counted, struct vpmc_error *err)
{
	struct counted children;
	int ret;

	if (options->thread)
		return read_scope(vpmc, options, VPMC_THREAD, counted, err);
	ret = read_scope(vpmc, options, VPMC_SELF, counted, err);
	if (!ret)
		ret = read_scope(vpmc, options, VPMC_CHILDREN, &children, err);
	if (!ret && !options->alone)
		ret = add_counted(counted, &children, err);
	return ret;
}

/* It could be read when it was started: what it has executed since is not for the caller. */
static int complain_read(const struct result *result,
			 const struct vpmc_error *err)
{
	if (err->code != VPMC_E_PERMISSION)
		return complain_of(result->name, err, "");
	complain("%s%sthe counts are invalid: the caller may no longer read"
		 " them, since a set-user-ID program, one with capabilities or"
		 " one in another user namespace was executed, so run perfex as"
		 " that user or inside that namespace",
		 result->name, *result->name ? ": " : "");
	return PERFEX_INVALID;
}

static int complain_lost(const struct result *result)
{
	complain(
		"%s%sthe counts are invalid: a thread has executed a privileged"
		" program, and what it had counted before is not known part by"
		" part, so count all the time",
		result->name, *result->name ? ": " : "");
	return PERFEX_INVALID;
}

/*
 * Only VPMC_SELF has the generation of the command: read it even if its counts
 * are not needed.
 */
int read_result(struct vpmc *vpmc, const struct options *options,
		struct result *result)
{
	struct counted all = { .counts.running = 0 };
	struct vpmc_error err;

	if (read_own(vpmc, options, &result->counted, &err))
		return complain_read(result, &err);
	/* With -p it is no news that the process is still running. */
	result->counted.counts.running = 0;
	if (collects(options) &&
	    read_scope(vpmc, options, VPMC_ALL, &all, &err))
		return complain_read(result, &err);
	if (options->all)
		result->counted = all;
	place_counted(result->records.events, &result->counted);
	result->running = all.counts.running;
	if (!count_parts(&result->parts, &result->counted))
		return complain_lost(result);
	return options->processes ? take_records(vpmc, &result->records) : 0;
}

int set_counting(struct vpmc *vpmc, const struct options *options,
		 struct result *result, bool counting)
{
	int status;

	if (counting != result->parts.stopped)
		return 0;
	status = read_result(vpmc, options, result);
	if (!status)
		turn_parts(&result->parts, &result->counted, now());
	return status;
}

/* Who is counted. */
static struct report report_without_counts(const struct options *options)
{
	const int id = options->nr_pids ? options->pids[0] : 0;

	return (struct report){
		.pid = options->thread ? 0 : id,
		.tid = options->thread ? id : 0,
		.program = options->system ? NULL : options->command[0],
	};
}

struct report report_of(const struct options *options, struct result *result)
{
	struct report report = report_without_counts(options);

	report.events = result->records.events;
	report.counts = &result->counted.counts;
	report.spread = &result->counted.spread;
	report.records = options->processes ? &result->records : NULL;
	report.threads = options->threads;
	report.running = result->running;
	report.parts = &result->parts;
	return report;
}

struct report report_of_lost(const struct options *options)
{
	struct report report = report_without_counts(options);

	report.is_lost = true;
	return report;
}
