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
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "clock.h"
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

/* Milliseconds for poll(2), rounded up. */
static int time_left(uint64_t end)
{
	const uint64_t time = now();

	return end > time ? (int)((end - time + NS_PER_MS - 1) / NS_PER_MS) : 0;
}

/* Takes records while it waits. */
static int wait_for_end(const int fds[NR_ENDS], struct vpmc *vpmc,
			const struct options *options, struct records *records)
{
	const uint64_t end = now() + options->for_ms * NS_PER_MS;
	struct pollfd polled[NR_ENDS];
	int i, ret, left = -1, status = 0;

	for (i = 0; i < NR_ENDS; i++)
		polled[i] = (struct pollfd){ .fd = fds[i], .events = POLLIN };
	do {
		if (options->for_ms)
			left = time_left(end);
		if (options->processes)
			status = take_records(vpmc, records);
		ret = poll(polled, NR_ENDS,
			   options->processes && (unsigned int)left > RECORDS_MS
				   ? (int)RECORDS_MS
				   : left);
	} while (!status && left && (!ret || (ret < 0 && errno == EINTR)));
	return status;
}

/* If the process has exited by itself, there is nothing to stop. */
static int finish(struct vpmc *vpmc, const struct options *options,
		  struct result *result, struct output *output)
{
	struct vpmc_error err;
	int stopped = vpmc_stop(vpmc, &err);
	int status = read_result(vpmc, options, result);
	struct report report = report_of(options, result);

	if (!status)
		status = write_report(output, &report);
	if (!status && stopped && stopped != VPMC_E_NO_PROCESS)
		return complain_vpmc(&err);
	return status;
}

static int count_until_end(const int fds[NR_ENDS], struct vpmc *vpmc,
			   const struct events *events,
			   const struct options *options, struct output *output)
{
	struct result result = { .records = { .events = events } };
	int status = empty_output(output);

	if (!status)
		status = wait_for_end(fds, vpmc, options, &result.records);
	if (status)
		vpmc_stop(vpmc, NULL);
	else
		status = finish(vpmc, options, &result, output);
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
