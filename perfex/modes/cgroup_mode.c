// SPDX-License-Identifier: GPL-2.0-only
/*
 * Count the processes of a cgroup.
 *
 * perfex starts a count of itself that would begin at its next execve(2). perfex does not execute
 * another program, so it is not counted. Its handle only collects the processes of the cgroup,
 * which the driver starts.
 */
#include "modes/cgroup_mode.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "modes/interval.h"
#include "profile/profile.h"
#include "report/report.h"
#include "run/result.h"
#include "run/root_cgroup.h"
#include "util/clock.h"

/**
 * struct watch - a count in progress
 * @vpmc: the handle that collects the processes
 * @path: the path of the cgroup
 * @fd: its directory
 * @request: the request of the command line
 * @command: the command, if there is one
 * @intervals: the reports
 * @result: the counts so far
 */
struct watch {
	struct vpmc *vpmc;
	const char *path;
	int fd;
	const struct request *request;
	struct command *command;
	struct intervals intervals;
	struct result result;
};

/* Open the cgroup of --cgroup, or of --system the one that all processes are in. */
static int open_cgroup(struct watch *watch)
{
	const struct count_spec *count = &watch->request->count;
	const char *path = count->system ? root_cgroup() : count->cgroup;

	if (!path)
		return PERFEX_SYSTEM;
	watch->path = path;
	watch->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (watch->fd >= 0)
		return 0;
	complain("cannot open the cgroup %s: %s (give its directory, which"
		 " is below /sys/fs/cgroup)",
		 path, strerror(errno));
	return PERFEX_SYSTEM;
}

/* Return whether the cgroup has been removed from its path. */
static bool is_removed(const struct watch *watch)
{
	struct stat now, then;

	return fstat(watch->fd, &then) || stat(watch->path, &now) ||
	       now.st_dev != then.st_dev || now.st_ino != then.st_ino;
}

static int begin(struct watch *watch)
{
	const struct events *events = watch->result.records.events;
	const unsigned int flags = VPMC_AT_EXEC | VPMC_RECORDS |
				   start_flags(&watch->request->count);
	struct profile *profile = watch->intervals.profile;
	struct vpmc_event_sel sel[EVENTS_MAX];
	struct vpmc_error err;
	int status = profile ? add_rings(profile, watch->vpmc) : 0;

	if (status)
		return status;
	if (vpmc_start(watch->vpmc, sel, started_events(events, sel), flags,
		       &err))
		return complain_start(&err);
	if (vpmc_cgroup(watch->vpmc, watch->fd, &err))
		return complain_vpmc(&err);
	watch->intervals.begin = now();
	begin_parts(&watch->result.parts, watch->intervals.begin, false);
	return 0;
}

/*
 * Wait for the end of the count: the end of the command, or without a command a signal. Returns
 * whether the end has come before @moment.
 */
static bool wait_until(const struct watch *watch, uint64_t moment)
{
	const sigset_t signals = ending_signals();
	const struct timespec left = time_until(moment);
	int ret;

	if (watch->command->pid)
		return wait_for_command(watch->command, &left);
	do
		ret = sigtimedwait(&signals, NULL, &left);
	while (ret < 0 && errno == EINTR);
	return ret >= 0;
}

/*
 * Return @nr - @known, at least 0. @known can be larger than @nr, because more records may have
 * come after the counts were read.
 */
static unsigned int without(unsigned int nr, unsigned int known)
{
	return nr > known ? nr - known : 0;
}

static int read_counts(struct watch *watch)
{
	struct result *result = &watch->result;
	struct counted *counted = &result->counted;
	struct vpmc_error err;
	int ret;

	counted->spread.nr = 0;
	if (watch->request->count.multiplex)
		ret = vpmc_read_spread(watch->vpmc, VPMC_ALL, &counted->counts,
				       &counted->spread, &err);
	else
		ret = vpmc_read(watch->vpmc, VPMC_ALL, &counted->counts, &err);
	if (ret)
		return complain_vpmc(&err);
	place_counted(result->records.events, counted);
	/*
	 * perfex is one of the running processes, unless it has lost the counters. The other
	 * processes need no note, because processes of a cgroup usually continue to run.
	 */
	result->running = without(counted->counts.running, 1);
	counted->counts.running = 0;
	ret = take_records(watch->vpmc, &result->records);
	/* The report names these threads, so they need no second note. */
	counted->counts.other_events = without(counted->counts.other_events,
					       result->records.missing_threads);
	return ret;
}

/*
 * Report the counts. Take samples first, because processes continue to run. Then the counts limit
 * the number of samples.
 */
static int report(struct watch *watch, bool is_last)
{
	const struct request *request = watch->request;
	struct report report = report_of(&request->count, &watch->result);
	int status;

	if (is_last && watch->intervals.profile)
		empty_rings(watch->intervals.profile, true);
	status = read_counts(watch);
	if (status)
		return status;
	report.running = request->count.processes ? watch->result.running : 0;
	if (is_removed(watch))
		report.removed = watch->path;
	if (is_last && request->report.resources)
		report.command = watch->command;
	return is_last ? write_rest(&watch->intervals, &watch->result.counted,
				    &report)
		       : write_interval(&watch->intervals,
					&watch->result.counted, &report);
}

/*
 * End the command, because the time is over. Returns true if there is no command, so that the
 * count ends at once.
 */
static bool end_time(const struct watch *watch)
{
	if (!watch->command->pid)
		return true;
	watch->command->time_is_over = true;
	kill(watch->command->pid, SIGTERM);
	return false;
}

/* Report intervals until the count ends, and take records while it lasts. */
static int watch_until_end(struct watch *watch)
{
	const unsigned int for_ms = watch->request->count.for_ms;
	struct intervals *intervals = &watch->intervals;
	uint64_t end = for_ms ? intervals->begin + for_ms * NS_PER_MS : NEVER;
	uint64_t task, next;
	int status = empty_output(intervals->output);

	while (!status) {
		task = intervals->ms ? interval_end(intervals) : NEVER;
		next = now() + RECORDS_MS * NS_PER_MS;
		next = next_look(intervals, next < task ? next : task);
		if (wait_until(watch, next < end ? next : end))
			break;
		look(intervals);
		if (now() >= end) {
			if (end_time(watch))
				break;
			end = NEVER;
		}
		status = now() < task ? take_records(watch->vpmc,
						     &watch->result.records)
				      : report(watch, false);
	}
	return status;
}

static int run_command(struct watch *watch, const struct signals *saved)
{
	struct command *command = watch->command;
	int status, failure;

	status = start_command(command, watch->vpmc, NULL, 0,
			       watch->request->count.command, saved);
	if (status)
		return status;
	status = watch_until_end(watch);
	failure = finish_command(command);
	watch->intervals.end = command->end;
	return status ? status : failure;
}

/* Count until the end, and write the last report and the profile. */
static int count_until_end(struct watch *watch, const struct signals *saved)
{
	struct profile *profile = watch->intervals.profile;
	int status = begin(watch);

	if (!status)
		status = watch->request->count.command[0]
				 ? run_command(watch, saved)
				 : watch_until_end(watch);
	if (!status)
		status = report(watch, true);
	if (status || !profile)
		return status;
	return write_profile(profile, &watch->result.counted.counts);
}

int count_cgroup(struct vpmc *vpmc, const struct events *events,
		 const struct request *request, struct output *output,
		 struct command *command)
{
	static struct watch watch;
	struct signals saved;
	int status, failure;

	watch.vpmc = vpmc;
	watch.request = request;
	watch.command = command;
	watch.intervals.ms = request->report.interval_ms;
	watch.intervals.output = output;
	watch.result.records.events = events;
	watch.result.records.only_missing = !request->count.processes;
	status = open_cgroup(&watch);
	if (status)
		return status;
	hold_signals(&saved);
	if (request->count.profile)
		status = open_profile(&watch.intervals.profile, events, request,
				      output);
	if (!status)
		status = count_until_end(&watch, &saved);
	failure = close_profile(watch.intervals.profile);
	close(watch.fd);
	free(watch.result.records.memory);
	return status ? status : failure;
}
