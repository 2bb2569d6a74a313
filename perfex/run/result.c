// SPDX-License-Identifier: GPL-2.0-only
/* Read the counts of a command or a process. */
#include "run/result.h"

#include "util/clock.h"

static bool collects(const struct count_spec *spec)
{
	return spec->all || spec->processes;
}

unsigned int start_flags(const struct count_spec *spec)
{
	unsigned int flags = 0;

	if (spec->processes)
		flags = VPMC_RECORDS;
	else if (spec->all)
		flags = VPMC_COLLECT;
	if (spec->multiplex)
		flags |= VPMC_MULTIPLEX;
	if (spec->force)
		flags |= VPMC_FORCE;
	if (spec->keep)
		flags |= VPMC_KEEP;
	return flags;
}

/* Read the counts of a scope, and the turns if events share counters. */
static int read_scope(struct vpmc *vpmc, const struct count_spec *spec,
		      enum vpmc_whose whose, struct counted *counted,
		      struct vpmc_error *err)
{
	counted->spread.nr = 0;
	if (spec->multiplex)
		return vpmc_read_spread(vpmc, whose, &counted->counts,
					&counted->spread, err);
	return vpmc_read(vpmc, whose, &counted->counts, err);
}

/*
 * Read the counts of the process itself. A handle that is attached to one thread has only
 * its scope.
 */
static int read_own(struct vpmc *vpmc, const struct count_spec *spec,
		    struct counted *counted, struct vpmc_error *err)
{
	struct counted children;
	int ret;

	if (spec->thread)
		return read_scope(vpmc, spec, VPMC_THREAD, counted, err);
	ret = read_scope(vpmc, spec, VPMC_SELF, counted, err);
	if (!ret)
		ret = read_scope(vpmc, spec, VPMC_CHILDREN, &children, err);
	if (!ret && !spec->alone)
		ret = add_counted(counted, &children, err);
	return ret;
}

/*
 * Complain that a read failed. If the caller may no longer read, the process has since
 * executed a program that the caller may not watch.
 */
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
		" program, and its earlier counts are not known for each part,"
		" so count all the time",
		result->name, *result->name ? ": " : "");
	return PERFEX_INVALID;
}

/*
 * Do not report unwaited processes of an earlier count as missing. Some may have been waited for
 * during this count.
 */
static void forget_earlier(struct result *result)
{
	unsigned int *unwaited = &result->counted.counts.unwaited;

	*unwaited -= *unwaited < result->earlier ? *unwaited : result->earlier;
}

/*
 * Read VPMC_SELF even if its counts are not needed, because only VPMC_SELF has the generation of
 * the command.
 */
int read_result(struct vpmc *vpmc, const struct count_spec *spec,
		struct result *result)
{
	struct counted all = { .counts.running = 0 };
	struct vpmc_error err;

	if (read_own(vpmc, spec, &result->counted, &err))
		return complain_read(result, &err);
	forget_earlier(result);
	/* With -p it is normal that the process is still running. */
	result->counted.counts.running = 0;
	if (collects(spec) && read_scope(vpmc, spec, VPMC_ALL, &all, &err))
		return complain_read(result, &err);
	if (spec->all)
		result->counted = all;
	place_counted(result->records.events, &result->counted);
	result->running = all.counts.running;
	if (!count_parts(&result->parts, &result->counted))
		return complain_lost(result);
	return spec->processes ? take_records(vpmc, &result->records) : 0;
}

int set_counting(struct vpmc *vpmc, const struct count_spec *spec,
		 struct result *result, bool counting)
{
	int status;

	if (counting != result->parts.stopped)
		return 0;
	status = read_result(vpmc, spec, result);
	if (!status)
		turn_parts(&result->parts, &result->counted, now());
	return status;
}
