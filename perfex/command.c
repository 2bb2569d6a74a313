// SPDX-License-Identifier: GPL-2.0-only
/* See command.h. */
#include "command.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "clock.h"
#include "interval.h"
#include "regions.h"
#include "result.h"
#include "series.h"

/* There is none. */
#define NEVER UINT64_MAX

/* When there is something to do, in nanoseconds of now(); NEVER if there is nothing. */
static uint64_t next_task(const struct options *options,
			  const struct intervals *intervals)
{
	if (options->processes)
		return now() + RECORDS_MS * NS_PER_MS;
	return intervals->ms ? interval_end(intervals) : NEVER;
}

static int report_interval(struct vpmc *vpmc, const struct options *options,
			   struct intervals *intervals, struct result *result)
{
	int status = read_result(vpmc, options, result);
	struct report report = report_of(options, result);

	/* It is no news that the command is still running. */
	result->counts.running = 0;
	return status ? status
		      : write_interval(intervals, &result->counts, &report);
}

/* Returns whether the command has ended before the moment, if there is one. */
static bool wait_until(const struct command *command, uint64_t moment)
{
	const struct timespec time = time_until(moment);

	return wait_for_command(command, moment == NEVER ? NULL : &time);
}

/*
 * Until the command has ended: takes the records of the threads that have, or reports
 * each interval. Ends the command if it is to run no longer.
 */
static int watch_command(struct vpmc *vpmc, const struct options *options,
			 const struct command *command,
			 struct intervals *intervals, struct result *result)
{
	uint64_t limit = options->for_ms
				 ? command->begin + options->for_ms * NS_PER_MS
				 : NEVER;
	uint64_t task = next_task(options, intervals);
	int status = 0;

	while (!status && !wait_until(command, task < limit ? task : limit)) {
		if (now() >= limit) {
			kill(command->pid, SIGTERM);
			limit = NEVER;
		}
		if (now() < task)
			continue;
		status = options->processes
				 ? take_records(vpmc, &result->records)
				 : report_interval(vpmc, options, intervals,
						   result);
		task = next_task(options, intervals);
	}
	return status;
}

/* Start the command, and wait until it has ended. */
static int run_command(struct vpmc *vpmc, const struct options *options,
		       const struct signals *saved, struct intervals *intervals,
		       struct command *command, struct result *result)
{
	int status, failure;

	status = start_command(command, vpmc, result->records.events,
			       start_flags(options), options->command, saved);
	if (status)
		return status;
	intervals->begin = command->begin;
	status = empty_output(intervals->output);
	if (!status)
		status = watch_command(vpmc, options, command, intervals,
				       result);
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
	struct intervals intervals = { .ms = options->interval_ms,
				       .output = output };
	int status =
		run_command(vpmc, options, saved, &intervals, command, &result);
	struct report report = report_of(options, &result);

	report.command = options->resources ? command : NULL;
	report.with_regions = options->regions;
	report.regions = regions;
	report.raw = options->raw;
	if (!status)
		status = write_interval(&intervals, &result.counts, &report);
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
	struct intervals intervals = { .output = output };
	struct vpmc_error err;
	struct vpmc *vpmc;
	int status;

	if (vpmc_open(&vpmc, &err))
		return complain_vpmc(&err);
	*command = (struct command){ .has_ended = false };
	status =
		run_command(vpmc, options, saved, &intervals, command, &result);
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
