// SPDX-License-Identifier: GPL-2.0-only
/*
 * Count processes that already run.
 *
 * perfex must not leave processes counting when it ends. So all signals that would end perfex are
 * blocked before a count is started. During the wait, perfex reads the signals from a descriptor.
 */
#include "modes/attach_mode.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "modes/interval.h"
#include "profile/profile.h"
#include "run/control.h"
#include "run/target.h"
#include "util/clock.h"

/*
 * These are the indexes of the descriptors that wake perfex. The descriptors of targets follow.
 */
enum wake { SIGNAL_COMES, ORDER_COMES, TARGET_ENDS };

/**
 * struct watch - the processes that are counted
 * @events: the events that are counted
 * @request: the request of the command line
 * @target: the processes
 * @nr: number of processes
 * @started: number of processes whose counts were started
 * @running: number of processes that have not ended
 * @fds: descriptors, indexed by enum wake; -1 for a descriptor that is not needed any more
 * @control: source of requests to start and stop the count
 * @intervals: the reports
 * @list: counts of each process, if there are several processes
 */
struct watch {
	const struct events *events;
	const struct request *request;
	struct target target[PIDS_MAX];
	size_t nr;
	size_t started;
	size_t running;
	struct pollfd fds[TARGET_ENDS + PIDS_MAX];
	struct control control;
	struct intervals intervals;
	struct records list;
};

/* Open a descriptor for signals, except for the signals that start and stop the count. */
static int open_signals(struct watch *watch, int *fd)
{
	sigset_t signals = ending_signals();
	int status =
		open_control(&watch->control, &watch->request->count, NULL);

	leave_control_signals(&watch->control, &signals);
	if (status)
		return status;
	*fd = signalfd(-1, &signals, SFD_CLOEXEC);
	if (*fd >= 0)
		return 0;
	complain("cannot wait for signals: %s", strerror(errno));
	return PERFEX_SYSTEM;
}

static void watch_descriptor(struct watch *watch, size_t i, int fd)
{
	watch->fds[i] = (struct pollfd){ .fd = fd, .events = POLLIN };
}

/* Rings must exist before the handle is attached. */
static int open_and_attach(struct watch *watch, struct target *target)
{
	int status = open_target(target);

	if (!status && watch->intervals.profile)
		status = add_rings(watch->intervals.profile, target->vpmc);
	return status ? status : attach_target(target);
}

/* Open all targets before any of them is started. */
static int open_targets(struct watch *watch)
{
	int status = 0;
	size_t i;

	for (i = 0; !status && i < watch->request->count.nr_pids; i++) {
		watch->target[i] =
			(struct target){ .id = watch->request->count.pids[i],
					 .spec = &watch->request->count };
		status = open_and_attach(watch, &watch->target[i]);
		watch_descriptor(watch, TARGET_ENDS + i, watch->target[i].fd);
		watch->nr++;
	}
	watch->running = watch->nr;
	return status;
}

/*
 * Start the targets. Read each target's mappings after its start, because the driver reports only
 * later mappings.
 */
static int start_targets(struct watch *watch)
{
	struct profile *profile = watch->intervals.profile;
	int status = 0;

	while (!status && watch->started < watch->nr) {
		struct target *target = &watch->target[watch->started];

		status = start_target(target, watch->events);
		if (status)
			break;
		watch->started++;
		if (profile)
			status = add_process(profile, target->id);
	}
	return status;
}

/* Stop all targets that were started. A target that has exited need not be stopped. */
static void stop_targets(struct watch *watch)
{
	size_t i;

	for (i = 0; i < watch->started; i++)
		vpmc_stop(watch->target[i].vpmc, NULL);
}

static int read_targets(struct watch *watch)
{
	struct target *target = watch->target;
	int status = 0;
	size_t i;

	for (i = 0; !status && i < watch->nr; i++, target++)
		status = read_result(target->vpmc, &watch->request->count,
				     &target->result);
	return status;
}

/* Stop and read all targets, even if one fails. */
static int finish_targets(struct watch *watch)
{
	int status = 0, failure;
	size_t i;

	for (i = 0; i < watch->nr; i++) {
		failure = finish_target(&watch->target[i]);
		status = status ? status : failure;
	}
	return status;
}

static int check_all_stopped(const struct watch *watch)
{
	int status = 0, failure;
	size_t i;

	for (i = 0; i < watch->nr; i++) {
		failure = check_stopped(&watch->target[i]);
		status = status ? status : failure;
	}
	return status;
}

static int set_targets(bool counting, void *arg)
{
	struct watch *watch = arg;
	struct target *target = watch->target;
	int status = 0;
	size_t i;

	for (i = 0; !status && i < watch->nr; i++, target++)
		status = set_counting(target->vpmc, &watch->request->count,
				      &target->result, counting);
	return status;
}

/* Report the last counts. For several processes, report their sum and a list. */
static int report_targets(struct watch *watch, bool is_last)
{
	struct target *target = watch->target;
	struct counted sum = target->result.counted;
	struct report report =
		report_of(&watch->request->count, &target->result);
	/*
	 * The display of --live does not have a list. The last report of --live covers the whole
	 * time.
	 */
	const bool lists =
		watch->nr > 1 && (is_last || !watch->intervals.output->live);
	size_t i;

	for (i = 1; i < watch->nr; i++)
		add_counted(&sum, &target[i].result.counted, NULL);
	watch->list.nr = 0;
	for (i = 0; lists && i < watch->nr; i++)
		list_target(&target[i], &watch->list);
	if (watch->nr > 1) {
		report.records = &watch->list;
		report.running = 0;
	}
	return is_last ? write_rest(&watch->intervals, &sum, &report)
		       : write_interval(&watch->intervals, &sum, &report);
}

/* Return the time until @end in milliseconds for poll(2), rounded up, and at most INT_MAX. */
static int time_left(uint64_t end)
{
	const uint64_t time = now();
	const uint64_t left =
		end > time ? (end - time + NS_PER_MS - 1) / NS_PER_MS : 0;

	return left < INT_MAX ? (int)left : INT_MAX;
}

static void note_ended(struct watch *watch)
{
	struct pollfd *fd = &watch->fds[TARGET_ENDS];
	size_t i;

	for (i = 0; i < watch->nr; i++, fd++) {
		if (fd->fd >= 0 && fd->revents) {
			fd->fd = -1;
			watch->running--;
		}
	}
}

/*
 * Wait until a time, for INT_MAX milliseconds, or until a descriptor is readable. Returns
 * whether the count has ended.
 */
static bool wait_until(struct watch *watch, uint64_t moment)
{
	int ret;

	do
		ret = poll(watch->fds, TARGET_ENDS + watch->nr,
			   time_left(moment));
	while (ret < 0 && errno == EINTR);
	if (ret > 0)
		note_ended(watch);
	return !watch->running || ret < 0 ||
	       (ret > 0 && watch->fds[SIGNAL_COMES].revents);
}

/* Tell whether perfex must poll to learn that the target has ended. */
static bool needs_polling(const struct watch *watch)
{
	return watch->request->count.thread && watch->target[0].fd < 0;
}

/* Return the time to take records, or the end of the interval. */
static uint64_t next_task(const struct watch *watch)
{
	if (watch->request->count.processes || needs_polling(watch))
		return now() + RECORDS_MS * NS_PER_MS;
	return watch->intervals.ms ? interval_end(&watch->intervals) : NEVER;
}

static int do_task(struct watch *watch)
{
	struct target *target = watch->target;
	int status;

	if (needs_polling(watch) && target_has_ended(target))
		watch->running = 0;
	if (watch->request->count.processes)
		return take_records(target->vpmc, &target->result.records);
	if (!watch->intervals.ms)
		return 0;
	status = read_targets(watch);
	return status ? status : report_targets(watch, false);
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/*
 * Wait for the end of the count. During the wait, take records or report each interval, and obey
 * control requests.
 */
static int wait_for_end(struct watch *watch)
{
	const unsigned int for_ms = watch->request->count.for_ms;
	const uint64_t end =
		for_ms ? watch->intervals.begin + for_ms * NS_PER_MS : NEVER;
	uint64_t task = next_task(watch);
	int status = 0;

	while (!status && now() < end &&
	       !wait_until(watch,
			   next_look(&watch->intervals,
				     earlier(earlier(task, end),
					     watch->control.start_at)))) {
		look(&watch->intervals);
		status = obey_control(&watch->control, set_targets, watch);
		if (status || now() < task || now() >= end)
			continue;
		status = do_task(watch);
		task = next_task(watch);
	}
	return status;
}

static void begin(struct watch *watch)
{
	const struct request *request = watch->request;
	const uint64_t time = now();
	size_t i;

	watch->intervals.begin = time;
	for (i = 0; i < watch->nr; i++)
		begin_parts(&watch->target[i].result.parts, time,
			    begins_stopped(&request->count));
	begin_control(&watch->control, &request->count, time);
}

/* Write the profile of all targets, with the sum of their counts. */
static int write_targets_profile(struct watch *watch)
{
	struct counted sum = watch->target[0].result.counted;
	size_t i;

	if (!watch->intervals.profile)
		return 0;
	for (i = 1; i < watch->nr; i++)
		add_counted(&sum, &watch->target[i].result.counted, NULL);
	empty_rings(watch->intervals.profile, true);
	return write_profile(watch->intervals.profile, &sum.counts);
}

static int count_until_end(struct watch *watch)
{
	int status = empty_output(watch->intervals.output);

	begin(watch);
	if (!status)
		status = wait_for_end(watch);
	if (status) {
		stop_targets(watch);
		return status;
	}
	status = finish_targets(watch);
	if (!status)
		status = report_targets(watch, true);
	if (!status)
		status = write_targets_profile(watch);
	return status ? status : check_all_stopped(watch);
}

static int count_targets(struct watch *watch, int signals)
{
	int status;

	watch_descriptor(watch, SIGNAL_COMES, signals);
	watch_descriptor(watch, ORDER_COMES, watch->control.fd);
	status = start_targets(watch);
	if (status)
		stop_targets(watch);
	return status ? status : count_until_end(watch);
}

static void close_watch(struct watch *watch)
{
	size_t i;

	for (i = 0; i < watch->nr; i++)
		close_target(&watch->target[i]);
	close_control(&watch->control);
	free(watch->list.memory);
}

int count_processes(const struct events *events, const struct request *request,
		    struct output *output)
{
	static struct watch watch;
	struct signals saved;
	int signals = -1, status, failure;

	watch.events = events;
	watch.request = request;
	watch.intervals.ms = request->report.interval_ms;
	watch.intervals.output = output;
	watch.list.events = events;
	hold_signals(&saved);
	status = open_signals(&watch, &signals);
	if (!status && request->count.profile)
		status = open_profile(&watch.intervals.profile, events, request,
				      output);
	if (!status)
		status = open_targets(&watch);
	if (!status)
		status = count_targets(&watch, signals);
	if (signals >= 0)
		close(signals);
	close_watch(&watch);
	failure = close_profile(watch.intervals.profile);
	return status ? status : failure;
}
