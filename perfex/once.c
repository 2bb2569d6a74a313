// SPDX-License-Identifier: GPL-2.0-only
/* See once.h. */
#include "once.h"

#include <signal.h>
#include <sys/wait.h>

#include "around.h"
#include "clock.h"

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
			 struct command *command, struct intervals *intervals,
			 struct result *result)
{
	uint64_t limit = options->for_ms
				 ? command->begin + options->for_ms * NS_PER_MS
				 : NEVER;
	uint64_t task = next_task(options, intervals);
	int status = 0;

	while (!status &&
	       !wait_until(command,
			   next_look(intervals, task < limit ? task : limit))) {
		look(intervals);
		if (now() >= limit) {
			command->time_is_over = true;
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

int run_once(struct vpmc *vpmc, const struct options *options,
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
	intervals->end = command->end;
	if (!status && !failure)
		status = read_result(vpmc, options, result);
	return status ? status : failure;
}

int run_before(struct vpmc *vpmc, const struct options *options,
	       const struct signals *saved)
{
	return run_around(vpmc, "--pre", options->before, saved);
}

int run_after(struct vpmc *vpmc, const struct options *options,
	      const struct signals *saved, const struct command *command,
	      int status)
{
	int failure = 0;

	if (command->has_ended)
		failure = run_around(vpmc, "--post", options->after, saved);
	return status ? status : failure;
}

int run_again(const struct events *events, const struct options *options,
	      const struct signals *saved, struct output *output,
	      struct command *command, struct series *series,
	      struct series *total)
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
	status = run_before(vpmc, options, saved);
	if (!status)
		status = run_once(vpmc, options, saved, &intervals, command,
				  &result);
	if (!status && series)
		add_run(series, &report, command);
	if (!status && total)
		add_ending(total, &result.counts, command);
	status = run_after(vpmc, options, saved, command, status);
	vpmc_close(vpmc);
	return status;
}

bool is_killed(const struct command *command)
{
	return command->has_ended && WIFSIGNALED(command->status) &&
	       !(command->time_is_over && WTERMSIG(command->status) == SIGTERM);
}
