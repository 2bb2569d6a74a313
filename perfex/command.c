// SPDX-License-Identifier: GPL-2.0-only
/* See command.h. */
#include "command.h"

#include <stdlib.h>
#include <sys/wait.h>

#include "clock.h"
#include "regions.h"
#include "result.h"
#include "series.h"

/* Takes the records of the threads that have ended, repeatedly. */
static int record_command(struct vpmc *vpmc, const struct command *command,
			  struct records *records)
{
	const struct timespec time = { .tv_nsec = RECORDS_MS * NS_PER_MS };
	int status = 0;

	while (!status && !wait_for_command(command, &time))
		status = take_records(vpmc, records);
	return status;
}

/* Start the command, and wait until it has ended. */
static int run_command(struct vpmc *vpmc, const struct options *options,
		       const struct signals *saved, struct output *output,
		       struct command *command, struct result *result)
{
	int status, failure;

	status = start_command(command, vpmc, result->records.events,
			       start_flags(options), options->command, saved);
	if (status)
		return status;
	status = empty_output(output);
	if (!status && options->processes)
		status = record_command(vpmc, command, &result->records);
	failure = finish_command(command);
	if (!status && !failure)
		status = read_result(vpmc, options, result);
	return status ? status : failure;
}

static int count_once(struct vpmc *vpmc, const struct events *events,
		      const struct options *options,
		      const struct signals *saved, struct output *output,
		      struct command *command, int regions)
{
	struct result result = { .records = { .events = events } };
	int status =
		run_command(vpmc, options, saved, output, command, &result);
	struct report report = report_of(options, &result);

	report.command = options->resources ? command : NULL;
	report.with_regions = options->regions;
	report.regions = regions;
	report.raw = options->raw;
	if (!status)
		status = write_report(output, &report);
	if (report.failure)
		complain_of_regions(report.failure);
	free(result.records.memory);
	return status;
}

/* One of several runs, which has a handle of its own. */
static int run_again(const struct events *events, const struct options *options,
		     const struct signals *saved, struct output *output,
		     struct command *command, struct series *series)
{
	struct result result = { .records = { .events = events } };
	struct report report = report_of(options, &result);
	struct vpmc_error err;
	struct vpmc *vpmc;
	int status;

	if (vpmc_open(&vpmc, &err))
		return complain_vpmc(&err);
	*command = (struct command){ .has_ended = false };
	status = run_command(vpmc, options, saved, output, command, &result);
	if (!status && series)
		add_run(series, &report, command);
	vpmc_close(vpmc);
	return status;
}

static int count_series(const struct events *events,
			const struct options *options,
			const struct signals *saved, struct output *output,
			struct command *command, struct series *series)
{
	unsigned int i;
	int status = 0;

	series->wanted = options->runs;
	for (i = 0; !status && i < options->warmups; i++)
		status = run_again(events, options, saved, output, command,
				   NULL);
	for (i = 0; !status && i < options->runs; i++) {
		status = run_again(events, options, saved, output, command,
				   series);
		/* It is meant for all that is still to come. */
		if (command->has_ended && WIFSIGNALED(command->status))
			break;
	}
	return status;
}

static int count_repeatedly(const struct events *events,
			    const struct options *options,
			    const struct signals *saved, struct output *output,
			    struct command *command)
{
	struct series series = { .runs = 0 };
	struct report report = { .events = events,
				 .counts = &series.sum,
				 .series = &series };
	int status =
		count_series(events, options, saved, output, command, &series);
	int failure = 0;

	report.command = options->resources ? command : NULL;
	/* A failure takes nothing of the runs before it. */
	if (series.runs)
		failure = write_report(output, &report);
	return status ? status : failure;
}

int count_command(struct vpmc *vpmc, const struct events *events,
		  const struct options *options, struct output *output,
		  struct command *command)
{
	struct signals saved;
	int regions = -1, status = 0;

	/* Before there is a file that would be left behind. */
	hold_signals(&saved);
	if (options->runs)
		return count_repeatedly(events, options, &saved, output,
					command);
	if (options->regions)
		status = collect_regions(&regions);
	if (status)
		return status;
	status = count_once(vpmc, events, options, &saved, output, command,
			    regions);
	if (options->regions)
		discard_regions(regions);
	return status;
}
