// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counting a process that runs already.
 *
 * It must not be left counting when perfex ends. So all signals that would end
 * perfex are blocked before it starts, and read from a descriptor while it
 * waits.
 */
#include "process.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "clock.h"
#include "interval.h"
#include "result.h"

/* Descriptors that become readable when the wait has ended. */
enum end { PROCESS_ENDS, SIGNAL_COMES, NR_ENDS };

static int open_signals(int *fd)
{
	const sigset_t signals = ending_signals();

	*fd = signalfd(-1, &signals, SFD_CLOEXEC);
	if (*fd >= 0)
		return 0;
	complain("cannot wait for signals: %s", strerror(errno));
	return PERFEX_SYSTEM;
}

/*
 * The number may have been given to another process after the handle was attached.
 * Then the attached one has exited, and the start fails.
 */
static int open_process(int *fd, int pid)
{
	*fd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (*fd >= 0)
		return 0;
	/* EINVAL: the number is that of a thread. */
	if (errno == ESRCH || errno == EINVAL) {
		complain("there is no process %d: check the number, or it has"
			 " exited",
			 pid);
		return PERFEX_NO_PROCESS;
	}
	complain("cannot wait for process %d: %s", pid, strerror(errno));
	return PERFEX_SYSTEM;
}

static int start(struct vpmc *vpmc, const struct events *events,
		 const struct options *options)
{
	struct vpmc_error err;

	if (!vpmc_start(vpmc, events->sel, events->nr, start_flags(options),
			&err))
		return 0;
	return complain_hint(&err, err.code == VPMC_E_BUSY && !options->force &&
						   counts_already(vpmc)
					   ? " (perfex --force)"
					   : "");
}

/* Milliseconds for poll(2), rounded up, and no more than it takes. */
static int time_left(uint64_t end)
{
	const uint64_t time = now();
	const uint64_t left =
		end > time ? (end - time + NS_PER_MS - 1) / NS_PER_MS : 0;

	return left < INT_MAX ? (int)left : INT_MAX;
}

/* Returns whether one of the ends has come before the moment, or a wait of INT_MAX. */
static bool wait_until(const int fds[NR_ENDS], uint64_t moment)
{
	struct pollfd polled[NR_ENDS];
	int i, ret;

	for (i = 0; i < NR_ENDS; i++)
		polled[i] = (struct pollfd){ .fd = fds[i], .events = POLLIN };
	do
		ret = poll(polled, NR_ENDS, time_left(moment));
	while (ret < 0 && errno == EINTR);
	return ret;
}

/* When the next records are to be taken, or the interval ends; at the latest @end. */
static uint64_t next_task(const struct options *options,
			  const struct intervals *intervals, uint64_t end)
{
	uint64_t task = end;

	if (options->processes)
		task = now() + RECORDS_MS * NS_PER_MS;
	else if (intervals->ms)
		task = interval_end(intervals);
	return task < end ? task : end;
}

static int do_task(struct vpmc *vpmc, const struct options *options,
		   struct intervals *intervals, struct result *result)
{
	struct report report = report_of(options, result);
	int status;

	if (options->processes)
		return take_records(vpmc, &result->records);
	status = read_result(vpmc, options, result);
	return status ? status
		      : write_interval(intervals, &result->counts, &report);
}

/* Takes records while it waits, or reports each interval. */
static int wait_for_end(const int fds[NR_ENDS], struct vpmc *vpmc,
			const struct options *options,
			struct intervals *intervals, struct result *result)
{
	const uint64_t end =
		options->for_ms ? intervals->begin + options->for_ms * NS_PER_MS
				: UINT64_MAX;
	uint64_t task = next_task(options, intervals, end);
	int status = 0;

	while (!status && !wait_until(fds, next_look(intervals, task)) &&
	       now() < end) {
		look(intervals);
		if (now() < task)
			continue;
		status = do_task(vpmc, options, intervals, result);
		task = next_task(options, intervals, end);
	}
	return status;
}

/* If the process has exited by itself, there is nothing to stop. */
static int finish(struct vpmc *vpmc, const struct options *options,
		  struct result *result, struct intervals *intervals)
{
	struct vpmc_error err;
	int stopped = vpmc_stop(vpmc, &err);
	int status = read_result(vpmc, options, result);
	struct report report = report_of(options, result);

	if (!status)
		status = write_rest(intervals, &result->counts, &report);
	if (!status && stopped && stopped != VPMC_E_NO_PROCESS)
		return complain_vpmc(&err);
	return status;
}

static int count_until_end(const int fds[NR_ENDS], struct vpmc *vpmc,
			   const struct events *events,
			   const struct options *options, struct output *output)
{
	struct result result = { .records = { .events = events } };
	struct intervals intervals = { .ms = options->interval_ms,
				       .output = output,
				       .begin = now() };
	int status = empty_output(output);

	if (!status)
		status = wait_for_end(fds, vpmc, options, &intervals, &result);
	if (status)
		vpmc_stop(vpmc, NULL);
	else
		status = finish(vpmc, options, &result, &intervals);
	free(result.records.memory);
	return status;
}

int count_process(struct vpmc *vpmc, const struct events *events,
		  const struct options *options, struct output *output)
{
	int fds[NR_ENDS] = { -1, -1 };
	struct vpmc_error err;
	struct signals saved;
	int status;

	if (vpmc_attach(vpmc, options->pid, 0, &err))
		return complain_vpmc(&err);

	hold_signals(&saved);
	status = open_process(&fds[PROCESS_ENDS], options->pid);
	if (!status)
		status = open_signals(&fds[SIGNAL_COMES]);
	if (!status)
		status = start(vpmc, events, options);
	if (!status)
		status = count_until_end(fds, vpmc, events, options, output);
	return status;
}
