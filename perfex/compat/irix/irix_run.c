// SPDX-License-Identifier: GPL-2.0-only
/*
 * Count a command for perfex.irix. perfex's own functions start the command, wait for it
 * and read its counts.
 */
#include "irix_run.h"

#include <stdlib.h>

#include "irix_threads.h"
#include "run/control.h"
#include "run/result.h"
#include "util/clock.h"

/**
 * struct watch - a command that is counted
 * @vpmc: the handle that stands for the command
 * @output: output of reports
 * @control: source of requests to start and stop the count
 * @command: the command
 * @result: the counts
 */
struct watch {
	struct vpmc *vpmc;
	struct irix_output *output;
	struct control control;
	struct command *command;
	struct result result;
};

static const struct count_spec *count_spec_of(const struct watch *watch)
{
	return &watch->output->options->count;
}

static int set_watched(bool counting, void *arg)
{
	struct watch *watch = arg;

	return set_counting(watch->vpmc, count_spec_of(watch), &watch->result,
			    counting);
}

/* Return the time between tasks in milliseconds, or 0 if there are no tasks. */
static unsigned int task_ms(const struct irix_options *options)
{
	return options->threads ? RECORDS_MS : options->period_ms;
}

static int do_task(struct watch *watch, uint64_t time)
{
	int status;

	if (watch->output->options->threads)
		return take_records(watch->vpmc, &watch->result.records);
	status = read_result(watch->vpmc, count_spec_of(watch), &watch->result);
	if (!status)
		irix_write_sample(watch->output, &watch->result.counted,
				  (time - watch->command->begin) / NS_PER_MS);
	return status;
}

/* Obey control requests, write samples and take records until the command has ended. */
static int watch_command(struct watch *watch)
{
	const uint64_t ns = task_ms(watch->output->options) * NS_PER_MS;
	uint64_t task = ns ? watch->command->begin + ns : NEVER;
	struct timespec left = time_until(task);
	uint64_t time;
	int status = 0;

	while (!status &&
	       !wait_for_command(watch->command, ns ? &left : NULL)) {
		status = obey_control(&watch->control, set_watched, watch);
		time = now();
		if (!status && time >= task) {
			status = do_task(watch, time);
			task = time + ns;
		}
		left = time_until(task);
	}
	return status;
}

static int run_command(struct watch *watch, const struct signals *saved)
{
	const struct count_spec *spec = count_spec_of(watch);
	int status, failure;

	status = start_command(watch->command, watch->vpmc,
			       watch->result.records.events, start_flags(spec),
			       spec->command, saved);
	if (status)
		return status;
	irix_empty_output(watch->output);
	begin_parts(&watch->result.parts, watch->command->begin,
		    begins_stopped(spec));
	watch->command->control = &watch->control;
	status = watch_command(watch);
	watch->command->control = NULL;
	failure = finish_command(watch->command);
	status = status ? status : failure;
	return status ? status : read_result(watch->vpmc, spec, &watch->result);
}

static int write_reports(struct watch *watch)
{
	int status = 0;

	if (watch->output->options->threads)
		status = irix_write_threads(watch->output,
					    &watch->result.records);
	irix_write_summary(watch->output, &watch->result.counted,
			   !watch->result.parts.nr);
	return status;
}

int irix_count(struct vpmc *vpmc, struct irix_output *output,
	       struct command *command)
{
	struct watch watch = {
		.vpmc = vpmc,
		.output = output,
		.command = command,
		.result = { .records = { .events = output->events } },
	};
	sigset_t signals;
	struct signals saved;
	int status;

	hold_signals(&saved);
	signals = ending_signals();
	sigaddset(&signals, SIGCHLD);
	status = open_control(&watch.control, count_spec_of(&watch), &signals);
	if (!status)
		status = run_command(&watch, &saved);
	close_control(&watch.control);
	if (!status)
		status = write_reports(&watch);
	free(watch.result.records.memory);
	return status;
}
