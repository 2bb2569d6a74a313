// SPDX-License-Identifier: GPL-2.0-only
/* Run the command without counting if there are no counters. */
#include "modes/optional.h"

#include "run/address_layout.h"
#include "run/signals.h"

static bool lacks_counters(int status)
{
	return status == PERFEX_NO_DEVICE || status == PERFEX_UNSUPPORTED ||
	       status == PERFEX_BUSY || status == PERFEX_PERMISSION;
}

bool goes_uncounted(const struct request *request,
		    const struct command *command, int status)
{
	return request->count.optional && !command->pid &&
	       lacks_counters(status);
}

/* Report that there are no counts, because even 0 would be a wrong number. */
static int write_without_counts(const struct request *request,
				struct output *output,
				const struct command *command)
{
	static const struct events no_events;
	static const struct vpmc_counts no_counts;
	struct report report = {
		.events = &no_events,
		.counts = &no_counts,
		.is_uncounted = true,
		.command = request->report.resources ? command : NULL,
		.elapsed_us = elapsed_us(command),
		.program = request->count.command[0],
	};

	return write_report(output, &report);
}

static int run_to(const struct request *request, struct output *output,
		  struct command *command)
{
	struct signals saved;
	int status = request->count.fixed_layout ? fix_layout() : 0;
	int failure;

	if (status)
		return status;
	hold_signals(&saved);
	status = start_command(command, NULL, NULL, 0, request->count.command,
			       &saved);
	if (status)
		return status;
	status = empty_output(output);
	failure = finish_command(command);
	if (!status)
		status = failure;
	return status ? status : write_without_counts(request, output, command);
}

/*
 * Run the command with an output that is already open. If a pipe were closed and opened again,
 * its reader would see the end of file.
 */
int run_uncounted(const struct request *request, struct output *output,
		  struct command *command, int why)
{
	complain("the command runs without counts, as --optional allows");
	command->uncounted = why;
	/* The count has already closed the files of these two. */
	output->chart = NULL;
	output->live = NULL;
	return run_to(request, output, command);
}

int open_and_run_uncounted(const struct request *request,
			   const struct output *beside, struct command *command,
			   int why)
{
	struct output output;
	int status, failure;

	status = open_report_output(&output, &request->report, beside);
	if (status)
		return status;
	status = run_uncounted(request, &output, command, why);
	failure = close_output(&output);
	return status ? status : failure;
}
