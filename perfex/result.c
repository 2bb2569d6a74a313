// SPDX-License-Identifier: GPL-2.0-only
/*
 * What has been counted in a command or a process.
 */
#include "result.h"

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
	return flags;
}

/*
 * Only VPMC_SELF has the generation of the command: read it even if its counts
 * are not needed.
 */
int read_result(struct vpmc *vpmc, const struct options *options,
		struct result *result)
{
	struct vpmc_counts children, all = { .running = 0 };
	struct vpmc_error err;

	if (vpmc_read(vpmc, VPMC_SELF, &result->counts, &err) ||
	    vpmc_read(vpmc, VPMC_CHILDREN, &children, &err))
		return complain_vpmc(&err);
	if (!options->alone)
		vpmc_counts_add(&result->counts, &children);
	/* With -p it is no news that the process is still running. */
	result->counts.running = 0;
	if (collects(options) && vpmc_read(vpmc, VPMC_ALL, &all, &err))
		return complain_vpmc(&err);
	if (options->all)
		result->counts = all;
	result->running = all.running;
	return options->processes ? take_records(vpmc, &result->records) : 0;
}

struct report report_of(const struct options *options, struct result *result)
{
	return (struct report){
		.events = result->records.events,
		.counts = &result->counts,
		.records = options->processes ? &result->records : NULL,
		.threads = options->threads,
		.running = result->running,
		.pid = options->pid,
		.program = options->command[0],
	};
}
