// SPDX-License-Identifier: GPL-2.0-only
/* Run a command once and count it. */
#include "modes/single_run.h"

#include <signal.h>
#include <sys/wait.h>

#include "profile/profile.h"
#include "run/control.h"
#include "run/pre_post.h"
#include "util/clock.h"

/* Return the time of the next task, in nanoseconds of now(), or NEVER if there is none. */
static uint64_t next_task(const struct request *request,
			  const struct intervals *intervals)
{
	if (request->count.processes)
		return now() + RECORDS_MS * NS_PER_MS;
	return intervals->ms ? interval_end(intervals) : NEVER;
}

static int report_interval(struct vpmc *vpmc, const struct request *request,
			   const struct command *command,
			   struct intervals *intervals, struct result *result)
{
	int status = read_result(vpmc, &request->count, result);
	struct report report = report_of(&request->count, result);

	/* The command is still running, so do not report it as missing. */
	result->counted.counts.running = 0;
	if (intervals->usage)
		read_present_usage(intervals->usage, command->pid);
	return status ? status
		      : write_interval(intervals, &result->counted, &report);
}

/*
 * Wait until the command ends, or until @moment unless that is NEVER. Returns whether the command
 * has ended.
 */
static bool wait_until(const struct command *command, uint64_t moment)
{
	const struct timespec time = time_until(moment);

	return wait_for_command(command, moment == NEVER ? NULL : &time);
}

/**
 * struct watch - a command that is counted
 * @vpmc: the handle that stands for the command
 * @request: the request of the command line
 * @result: the counts
 */
struct watch {
	struct vpmc *vpmc;
	const struct request *request;
	struct result *result;
};

static int set_watched(bool counting, void *arg)
{
	const struct watch *watch = arg;

	return set_counting(watch->vpmc, &watch->request->count, watch->result,
			    counting);
}

static uint64_t earliest(uint64_t a, uint64_t b, uint64_t c)
{
	const uint64_t least = a < b ? a : b;

	return least < c ? least : c;
}

/* Do the task whose time next_task() has returned. */
static int do_task(struct watch *watch, const struct command *command,
		   struct intervals *intervals)
{
	if (watch->request->count.processes)
		return take_records(watch->vpmc, &watch->result->records);
	return report_interval(watch->vpmc, watch->request, command, intervals,
			       watch->result);
}

/*
 * Until the command has ended, take the records of threads that have ended or report each
 * interval, and obey control requests. End the command when its time is over.
 */
static int watch_command(struct watch *watch, struct control *control,
			 struct command *command, struct intervals *intervals)
{
	const struct request *request = watch->request;
	uint64_t limit =
		request->count.for_ms
			? command->begin + request->count.for_ms * NS_PER_MS
			: NEVER;
	uint64_t task = next_task(request, intervals);
	int status = 0;

	while (!status &&
	       !wait_until(command,
			   next_look(intervals, earliest(task, limit,
							 control->start_at)))) {
		look(intervals);
		if (now() >= limit) {
			command->time_is_over = true;
			kill(command->pid, SIGTERM);
			limit = NEVER;
		}
		status = obey_control(control, set_watched, watch);
		if (status || now() < task)
			continue;
		status = do_task(watch, command, intervals);
		task = next_task(request, intervals);
	}
	return status;
}

/* Run the command from its start to its end, and obey control requests. */
static int run_controlled(struct watch *watch, const struct signals *saved,
			  struct control *control, struct intervals *intervals,
			  struct command *command)
{
	const struct request *request = watch->request;
	int status, failure;

	status = start_command(command, watch->vpmc,
			       watch->result->records.events,
			       start_flags(&request->count),
			       request->count.command, saved);
	if (status)
		return status;
	intervals->begin = command->begin;
	begin_parts(&watch->result->parts, command->begin,
		    begins_stopped(&request->count));
	begin_control(control, &request->count, command->begin);
	command->control = control;
	status = empty_output(intervals->output);
	if (!status)
		status = watch_command(watch, control, command, intervals);
	command->control = NULL;
	failure = finish_command(command);
	intervals->end = command->end;
	if (intervals->usage && !failure)
		end_present_usage(intervals->usage, &command->usage);
	if (!status && !failure)
		status = read_result(watch->vpmc, &request->count,
				     watch->result);
	if (intervals->profile)
		empty_rings(intervals->profile, true);
	return status ? status : failure;
}

int run_once(struct vpmc *vpmc, const struct request *request,
	     const struct signals *saved, struct intervals *intervals,
	     struct command *command, struct result *result)
{
	struct watch watch = { .vpmc = vpmc,
			       .request = request,
			       .result = result };
	sigset_t signals = command_signals();
	struct control control;
	int status;

	status = open_control(&control, &request->count, &signals);
	if (!status)
		status = run_controlled(&watch, saved, &control, intervals,
					command);
	close_control(&control);
	return status;
}

int run_before(struct vpmc *vpmc, const struct request *request,
	       const struct signals *saved)
{
	return run_around(vpmc, "--pre", request->count.before, saved);
}

int run_after(struct vpmc *vpmc, const struct request *request,
	      const struct signals *saved, const struct command *command,
	      int status)
{
	int failure = 0;

	if (command->has_ended)
		failure =
			run_around(vpmc, "--post", request->count.after, saved);
	return status ? status : failure;
}

int run_again(const struct events *events, const struct request *request,
	      const struct signals *saved, struct output *output,
	      struct command *command, struct series *series,
	      struct series *total)
{
	struct result result = { .records = { .events = events } };
	struct report report = report_of(&request->count, &result);
	struct intervals intervals = { .output = output };
	struct vpmc_error err;
	struct vpmc *vpmc;
	int status;

	if (vpmc_open(&vpmc, &err))
		return complain_vpmc(&err);
	*command = (struct command){ .has_ended = false };
	show_progress(&output->progress);
	status = run_before(vpmc, request, saved);
	if (!status)
		status = run_once(vpmc, request, saved, &intervals, command,
				  &result);
	if (!status && series)
		add_run(series, &report, command);
	if (!status && total)
		add_ending(total, &result.counted.counts, command);
	status = run_after(vpmc, request, saved, command, status);
	hide_progress(&output->progress);
	vpmc_close(vpmc);
	return status;
}

bool is_killed(const struct command *command)
{
	return command->has_ended && WIFSIGNALED(command->status) &&
	       !(command->time_is_over && WTERMSIG(command->status) == SIGTERM);
}
