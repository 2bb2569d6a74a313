// SPDX-License-Identifier: GPL-2.0-only
/*
 * perfex: run a command and count its hardware events. See perfex(1).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "system_mode.h"

static int describe(struct vpmc *vpmc, const struct options *options)
{
	struct vpmc_machine machine;
	struct vpmc_error err;

	if (vpmc_info(vpmc, &machine, &err))
		return complain_vpmc(&err);
	if (options->info)
		print_machine(stdout, &machine);
	if (options->list)
		print_events(stdout, vpmc_pmu_of(vpmc), &machine);
	if (fflush(stdout) || ferror(stdout)) {
		complain("cannot write to standard output: %s",
			 strerror(errno));
		return PERFEX_OUTPUT;
	}
	return EXIT_SUCCESS;
}

static int choose_events(struct vpmc *vpmc, const struct options *options,
			 struct events *events)
{
	struct vpmc_error err;
	size_t i;

	events->pmu = vpmc_pmu_of(vpmc);
	events->nr = options->nr_events;
	for (i = 0; i < events->nr; i++) {
		if (vpmc_event_parse(events->pmu, options->events[i],
				     options->modes, &events->sel[i], &err))
			return complain_vpmc(&err);
	}
	if (vpmc_event_assign(events->pmu, events->sel, events->nr, &err))
		return complain_vpmc(&err);
	return 0;
}

static unsigned int start_flags(const struct options *options)
{
	if (options->processes)
		return VPMC_RECORDS;
	return options->all ? VPMC_COLLECT : 0;
}

/**
 * struct result - what was counted
 * @counts: the sum to report
 * @running: processes that had not ended when the command had
 */
struct result {
	struct vpmc_counts counts;
	unsigned int running;
};

/*
 * The generation is the command's own: read VPMC_SELF even where its counts
 * are not needed.
 */
static int read_result(struct vpmc *vpmc, const struct options *options,
		       struct result *result)
{
	struct vpmc_counts children, all = { .running = 0 };
	struct vpmc_error err;

	if (vpmc_read(vpmc, VPMC_SELF, &result->counts, &err) ||
	    vpmc_read(vpmc, VPMC_CHILDREN, &children, &err))
		return complain_vpmc(&err);
	if (!options->alone)
		vpmc_counts_add(&result->counts, &children);

	if (start_flags(options) && vpmc_read(vpmc, VPMC_ALL, &all, &err))
		return complain_vpmc(&err);
	if (options->all)
		result->counts = all;
	result->running = all.running;
	return 0;
}

static int report(struct vpmc *vpmc, const struct options *options,
		  const struct events *events, FILE *out)
{
	struct result result;
	int status = read_result(vpmc, options, &result);

	if (!status && options->processes)
		status = print_tables(out, vpmc, events, options->threads,
				      result.running);
	if (status)
		return status;
	print_report(out, events, &result.counts);
	if (fflush(out) || ferror(out))
		return complain_output(options->output);
	return 0;
}

static int count_command(struct vpmc *vpmc, const struct events *events,
			 const struct options *options, FILE *out)
{
	int status, failure;
	pid_t pid;

	pid = start_command(vpmc, events, start_flags(options),
			    options->command, &status);
	if (pid < 0)
		return status;
	status = finish_command(pid);
	failure = report(vpmc, options, events, out);
	return failure ? failure : status;
}

static int count(struct vpmc *vpmc, const struct options *options)
{
	struct events events;
	FILE *out = stderr;
	int status;

	status = choose_events(vpmc, options, &events);
	if (status)
		return status;

	/* Before the command runs, so that a bad FILE costs no counts. */
	if (options->output)
		out = fopen(options->output, "we");
	if (!out)
		return complain_output(options->output);

	if (options->system)
		status = count_system(vpmc, &events, options, out);
	else
		status = count_command(vpmc, &events, options, out);
	if (out != stderr)
		fclose(out);
	return status;
}

int main(int argc, char **argv)
{
	struct options options = { .modes = VPMC_USER, .cpu = VPMC_EVERY_CPU };
	struct vpmc_error err;
	struct vpmc *vpmc;
	int status;

	status = parse_options(&options, argc, argv);
	if (status)
		return status;

	if (vpmc_open(&vpmc, &err))
		return complain_vpmc(&err);
	if (options.list || options.info)
		status = describe(vpmc, &options);
	else
		status = count(vpmc, &options);
	vpmc_close(vpmc);
	return status;
}
