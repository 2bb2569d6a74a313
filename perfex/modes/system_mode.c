// SPDX-License-Identifier: GPL-2.0-only
/*
 * Count the whole system.
 *
 * The signals that end the wait are blocked, and sigtimedwait(2) receives them. So a signal
 * between reading the clock and the wait is not lost.
 */
#include "modes/system_mode.h"

#include <errno.h>
#include <stdlib.h>

#include "modes/interval.h"
#include "run/per_cpu.h"
#include "util/clock.h"

/**
 * struct watch - a count in progress
 * @vpmc: the handle that has system mode
 * @events: the events that are counted
 * @request: the request of the command line
 * @command: the command, if there is one
 * @intervals: the reports
 * @with_cpus: true if the reports have the counts of each processor
 * @cpus: the processors, if @with_cpus
 */
struct watch {
	struct vpmc *vpmc;
	const struct events *events;
	const struct request *request;
	struct command *command;
	struct intervals intervals;
	bool with_cpus;
	struct cpus cpus;
};

/*
 * Wait for a signal, at most until the time is over if it is limited. Returns whether a signal
 * has come.
 */
static bool wait_for_signal(const struct timespec *time)
{
	const sigset_t signals = ending_signals();
	int ret;

	do
		ret = sigtimedwait(&signals, NULL, time);
	while (ret < 0 && errno == EINTR);
	return ret >= 0;
}

/*
 * Wait for the end of the count. Returns whether the end has come before the time was over, if
 * the time is limited.
 */
static bool wait_until(const struct watch *watch, const struct timespec *time)
{
	return watch->command->pid ? wait_for_command(watch->command, time)
				   : wait_for_signal(time);
}

/*
 * Wait for the end of the count or of the interval. Returns false if the interval ends
 * first.
 */
static bool wait_for_end(const struct watch *watch)
{
	const struct intervals *intervals = &watch->intervals;
	const uint64_t end = intervals->ms ? interval_end(intervals) : 0;

	if (!end)
		return wait_until(watch, NULL);
	do {
		const struct timespec left =
			time_until(next_look(intervals, end));

		if (wait_until(watch, &left))
			return true;
		look(intervals);
	} while (now() < end);
	return false;
}

static int read_counts(struct watch *watch, struct vpmc_counts *all)
{
	const int cpu = watch->request->count.cpu;
	struct vpmc_system_counts counts;
	struct vpmc_error err;

	if (watch->with_cpus)
		return read_cpus(watch->vpmc, cpu, &watch->cpus, all);
	*all = (struct vpmc_counts){ .nr = 0 };
	if (vpmc_system_read(watch->vpmc, cpu, &counts, &err))
		return complain_vpmc(&err);
	for (; all->nr < counts.nr; all->nr++)
		all->count[all->nr] = counts.count[all->nr];
	return 0;
}

/* Report the counts. The report includes the resources of @command unless it is NULL. */
static int print_counts(struct watch *watch, const struct command *command,
			bool is_last)
{
	struct report report = {
		.events = watch->events,
		.command = command,
		.cpus = watch->with_cpus ? &watch->cpus : NULL,
	};
	struct counted all = { .spread.nr = 0 };
	int status = read_counts(watch, &all.counts);

	if (status)
		return status;
	return is_last ? write_rest(&watch->intervals, &all, &report)
		       : write_interval(&watch->intervals, &all, &report);
}

/* Report intervals until the count ends. The caller writes the last report. */
static int watch_until_end(struct watch *watch)
{
	struct vpmc_error err;
	int status = empty_output(watch->intervals.output);

	while (!status && !wait_for_end(watch))
		status = print_counts(watch, NULL, false);
	if (!status && vpmc_system_stop(watch->vpmc, &err))
		return complain_vpmc(&err);
	return status;
}

static int begin(struct watch *watch)
{
	const struct request *request = watch->request;
	struct vpmc_system_counts counts;
	struct vpmc_error err;

	if (vpmc_system_start(watch->vpmc, watch->events->sel,
			      watch->events->nr,
			      request->count.force ? VPMC_FORCE : 0, &err))
		return complain_start(&err);
	watch->intervals.begin = now();

	/* Check that the processor exists, before the command runs. */
	if (vpmc_system_read(watch->vpmc, request->count.cpu, &counts, &err))
		return complain_vpmc(&err);
	return 0;
}

static int watch_command(struct watch *watch, const struct signals *saved)
{
	const struct request *request = watch->request;
	int status, failure;

	status = start_command(watch->command, watch->vpmc, NULL, 0,
			       request->count.command, saved);
	if (status)
		return status;
	status = watch_until_end(watch);
	failure = finish_command(watch->command);
	watch->intervals.end = watch->command->end;
	if (status || failure)
		return status ? status : failure;
	return print_counts(
		watch, request->report.resources ? watch->command : NULL, true);
}

int count_system(struct vpmc *vpmc, const struct events *events,
		 const struct request *request, struct output *output,
		 struct command *command)
{
	struct watch watch = {
		.vpmc = vpmc,
		.events = events,
		.request = request,
		.command = command,
		.intervals = { .ms = request->report.interval_ms,
			       .output = output },
		.with_cpus = request->report.live ||
			     is_exposition(request->report.format),
	};
	struct signals saved;
	int status;

	hold_signals(&saved);
	status = begin(&watch);
	if (!status && request->count.command[0]) {
		status = watch_command(&watch, &saved);
	} else if (!status) {
		status = watch_until_end(&watch);
		if (!status)
			status = print_counts(&watch, NULL, true);
	}
	free(watch.cpus.cpu);
	return status;
}
