// SPDX-License-Identifier: GPL-2.0-only
/*
 * start_failure STARTS: test that a start with VPMC_START_COLLECT that fails does not leave the
 * process collected.
 *
 * The test tries to start and collect a process that starts and stops itself all the time. Whenever
 * the start fails, another handle must be able to collect the process.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hold.h"

#define COLLECT VPMC_START_COLLECT

/* Test starts of the calling process that are refused because of its state. */
static void test_refused(void)
{
	static const struct {
		const char *why;
		unsigned int flags;
		int result;
	} refused[] = {
		{ "counts already", COLLECT, -EBUSY },
		{ "counts already", COLLECT | VPMC_START_RECORDS, -EBUSY },
		{ "nothing to resume with", COLLECT | VPMC_START_RESUME,
		  -EINVAL },
	};
	int fd = open_device(), failing = open_device(), other = open_device();
	unsigned int i;
	int result;

	must_start(fd, FIRST, 0);
	for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		result = start(failing, FIRST, refused[i].flags, NULL);
		check(result == refused[i].result, "%s: %d want %d",
		      refused[i].why, result, refused[i].result);
	}
	check(try_read(failing, VPMC_SCOPE_ALL) == -ENODATA,
	      "it collects nothing");
	must_start(other, FIRST, COLLECT | VPMC_START_FORCE);
	check(!try_read(other, VPMC_SCOPE_ALL), "another handle collects");
}

/* Test a start that fails because of system mode. */
static void test_system_mode(void)
{
	int fd = open_device(), failing = open_device(), other = open_device();

	check(!request(fd, VPMC_SYSTEM_START, start_arg(FIRST, 0)),
	      "system mode");
	check(start(failing, FIRST, COLLECT, NULL) == -EBUSY,
	      "start in system mode");
	check(!request(fd, VPMC_SYSTEM_STOP, stop_arg()), "and its end");
	must_start(other, FIRST, COLLECT);
	check(!try_read(other, VPMC_SCOPE_ALL), "another handle collects");
}

static _Noreturn void start_and_stop(void)
{
	int fd = open_device();

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (sysconf(_SC_NPROCESSORS_ONLN) > 1)
		stay_on(1);
	for (;;) {
		start(fd, FIRST, 0, NULL);
		stop(fd, NULL);
	}
}

static unsigned int starts;

static void test_race(void)
{
	unsigned int i, failures = 0, left = 0;
	int failing, other;
	pid_t pid;

	stay_on(0);
	pid = fork();
	if (!pid)
		start_and_stop();
	for (i = 0; i < starts; i++) {
		failing = hold(pid, 0);
		if (start(failing, OTHER, COLLECT, NULL)) {
			failures++;
			other = hold(pid, 0);
			left += start(other, OTHER, COLLECT | VPMC_START_FORCE,
				      NULL) == -EBUSY;
			stop(other, NULL);
			close(other);
		}
		stop(failing, NULL);
		close(failing);
	}
	check(failures && failures < starts && !left,
	      "%u of %u starts fail; after %u of them it is still collected",
	      failures, starts, left);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

int main(int argc, char **argv)
{
	starts = argc > 1 ? (unsigned int)strtoul(argv[1], NULL, 10) : 0;
	run(test_refused);
	run(test_system_mode);
	run(test_race);
	return check_status();
}
