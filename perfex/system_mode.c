// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counting the whole system.
 *
 * The signals that end the wait are blocked and received by sigtimedwait(2), so
 * that none is lost between reading the clock and the wait.
 */
#include "system_mode.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>

#include "clock.h"

/**
 * struct watch - a count that is under way
 * @vpmc: the handle that has system mode
 * @events: what is counted
 * @options: the command line
 * @out: where to print the counts
 * @pid: the command, 0 without one
 * @begin: when it began, in nanoseconds
 * @printed: counts up to the last line printed
 */
struct watch {
	struct vpmc *vpmc;
	const struct events *events;
	const struct options *options;
	FILE *out;
	pid_t pid;
	uint64_t begin;
	struct vpmc_system_counts printed;
};

static struct timespec timeout(uint64_t end)
{
	uint64_t time = now();
	uint64_t left = end > time ? end - time : 0;

	return (struct timespec){ .tv_sec = (time_t)(left / NS_PER_S),
				  .tv_nsec = (long)(left % NS_PER_S) };
}

static sigset_t ending_signals(const struct watch *watch)
{
	sigset_t signals;

	sigemptyset(&signals);
	if (watch->pid) {
		sigaddset(&signals, SIGCHLD);
	} else {
		sigaddset(&signals, SIGINT);
		sigaddset(&signals, SIGTERM);
	}
	return signals;
}

/* When the next interval ends. Intervals that are over already are skipped. */
static uint64_t next_end(const struct watch *watch)
{
	uint64_t interval = watch->options->interval_ms * NS_PER_MS;

	return watch->begin +
	       ((now() - watch->begin) / interval + 1) * interval;
}

/* Returns false if the interval ends before the whole count does. */
static bool wait_for_end(const struct watch *watch)
{
	const bool intervals = watch->options->interval_ms != 0;
	const uint64_t end = intervals ? next_end(watch) : 0;
	const sigset_t signals = ending_signals(watch);
	struct timespec left;
	int ret;

	for (;;) {
		left = timeout(end);
		ret = sigtimedwait(&signals, NULL, intervals ? &left : NULL);
		if (ret < 0 && errno == EAGAIN)
			return false;
		if (ret >= 0 && (!watch->pid || command_has_ended(watch->pid)))
			return true;
	}
}

static void print_time(const struct watch *watch)
{
	uint64_t ms = (now() - watch->begin) / NS_PER_MS;

	fprintf(watch->out, "# %" PRIu64 ".%03" PRIu64 " seconds\n", ms / 1000,
		ms % 1000);
}

static int print_counts(struct watch *watch)
{
	struct vpmc_system_counts counts;
	struct vpmc_counts block = { .nr = 0 };
	struct vpmc_error err;

	if (vpmc_system_read(watch->vpmc, watch->options->cpu, &counts, &err))
		return complain_vpmc(&err);
	for (; block.nr < counts.nr; block.nr++)
		block.count[block.nr] =
			counts.count[block.nr] - watch->printed.count[block.nr];
	watch->printed = counts;

	if (watch->options->interval_ms)
		print_time(watch);
	print_report(watch->out, watch->events, &block);
	if (fflush(watch->out) || ferror(watch->out))
		return complain_output(watch->options->output);
	return 0;
}

static int watch_until_end(struct watch *watch)
{
	struct vpmc_error err;
	int status;

	while (!wait_for_end(watch)) {
		status = print_counts(watch);
		if (status)
			return status;
	}
	if (vpmc_system_stop(watch->vpmc, &err))
		return complain_vpmc(&err);
	return print_counts(watch);
}

static int begin(struct watch *watch)
{
	const struct options *options = watch->options;
	struct vpmc_system_counts counts;
	struct vpmc_error err;

	if (vpmc_system_start(watch->vpmc, watch->events->sel,
			      watch->events->nr,
			      options->force ? VPMC_FORCE : 0, &err))
		return complain_start(&err);
	watch->begin = now();

	/* Find out before the command runs whether the processor exists. */
	if (vpmc_system_read(watch->vpmc, options->cpu, &counts, &err))
		return complain_vpmc(&err);
	return 0;
}

int count_system(struct vpmc *vpmc, const struct events *events,
		 const struct options *options, FILE *out)
{
	struct watch watch = {
		.vpmc = vpmc, .events = events, .options = options, .out = out
	};
	sigset_t signals = ending_signals(&watch);
	int status, failure;

	if (!options->command[0])
		sigprocmask(SIG_BLOCK, &signals, NULL);
	status = begin(&watch);
	if (status)
		return status;
	if (!options->command[0])
		return watch_until_end(&watch);

	watch.pid = start_command(vpmc, NULL, 0, options->command, &status);
	if (watch.pid < 0)
		return status;
	failure = watch_until_end(&watch);
	status = finish_command(watch.pid);
	return failure ? failure : status;
}
