// SPDX-License-Identifier: GPL-2.0-only
/* This file tests perfex -p over a fake driver. It counts a real process. */
#include "unit.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake_driver.h"
#include "run_perfex.h"
#include "util/status.h"

#define ONE_EVENT "                1000  0x16   instructions_executed:u\n"

/* This process waits until it is killed; its number is also kept as a text. */
static pid_t target;
static char number[16];

static int start_target(void **state)
{
	target = fork();
	if (!target) {
		pause();
		_exit(0);
	}
	snprintf(number, sizeof(number), "%d", (int)target);
	return target < 0 ? -1 : fake_setup(state);
}

/* The process has exited, but its id cannot be used again yet. */
static void kill_target(void)
{
	siginfo_t info;

	kill(target, SIGKILL);
	waitid(P_PID, (id_t)target, &info, WEXITED | WNOWAIT);
}

static int reap_target(void **state)
{
	kill_target();
	return waitpid(target, NULL, 0) == target ? 0 : -1;
}

static void a_process_is_counted_for_some_time(void **state)
{
	fake->read.state = VPMC_STATE_STOPPED;
	fake->read.running = 1;
	PERFEX_EXITS(0, "-p", number, "--for", "0.01");
	assert_int_equal(fake->attached.id, target);
	assert_int_equal(fake->attached.flags, 0);
	assert_int_equal(fake->started.flags, 0);
	assert_int_equal(fake->started.nr_events, 1);
	assert_int_equal(fake->started.event[0].modes, VPMC_MODE_USER);
	assert_int_equal(fake->stops, 1);
	assert_int_equal(fake->scopes,
			 1U << VPMC_SCOPE_SELF | 1U << VPMC_SCOPE_CHILDREN);
	assert_string_equal(stdout_text, "");
	assert_string_equal(stderr_text, ONE_EVENT);
}

static void a_process_is_counted_until_it_exits(void **state)
{
	kill_target();
	fake->stop_errno = ESRCH;
	fake->children.count[0] = 5;
	PERFEX_EXITS(0, "-p", number);
	assert_string_equal(
		stderr_text,
		"                1005  0x16   instructions_executed:u\n");
}

/* The kernel adds up all counts of the target, but perfex reports only the present count. */
static void processes_of_an_earlier_count_are_not_missing(void **state)
{
	fake->children.unwaited = 3;
	PERFEX_EXITS(0, "-p", number, "--for", "0.01");
	assert_string_equal(stderr_text, ONE_EVENT);
}

static void a_process_is_counted_until_a_signal_comes(void **state)
{
	static const int signals[] = { SIGINT,	SIGTERM, SIGHUP,
				       SIGQUIT, SIGUSR1, SIGALRM };
	size_t i;

	fake->signal_start = 1;
	for (i = 0; i < ARRAY_SIZE(signals); i++) {
		/*
		 * The parent of the test, for example nohup(1), may have ignored some of these
		 * signals.
		 */
		signal(signals[i], SIG_DFL);
		fake->stops = 0;
		fake->signal = signals[i];
		PERFEX_EXITS(0, "-p", number);
		assert_int_equal(fake->stops, 1);
		assert_string_equal(stderr_text, ONE_EVENT);
	}
}

/* Start a process that ends the target after a while. */
static pid_t kill_later(void)
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid)
		return pid;
	usleep(200000);
	kill(target, SIGKILL);
	_exit(0);
}

/* nohup(1) starts programs in this state. */
static void a_signal_that_is_ignored_does_not_end_the_count(void **state)
{
	siginfo_t info = { .si_pid = 0 };
	pid_t pid;

	fake->signal_start = 1;
	fake->signal = SIGHUP;
	signal(SIGHUP, SIG_IGN);
	pid = kill_later();
	PERFEX_EXITS(0, "-p", number);
	signal(SIGHUP, SIG_DFL);
	assert_int_equal(waitid(P_PID, (id_t)target, &info,
				WEXITED | WNOHANG | WNOWAIT),
			 0);
	assert_int_equal(info.si_pid, target);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_string_equal(stderr_text, ONE_EVENT);
}

static void options_go_with_a_process_as_with_a_command(void **state)
{
	fake->all.running = 2;
	PERFEX_EXITS(0, "-amp", "-k", "--force", "--multiplex", "-e", "0x16@1",
		     "-p", number, "--for=0.001");
	assert_int_equal(fake->started.flags,
			 VPMC_START_COLLECT | VPMC_START_RECORDS |
				 VPMC_START_FORCE | VPMC_START_MULTIPLEX);
	assert_int_equal(fake->started.event[0].modes,
			 VPMC_MODE_USER | VPMC_MODE_KERNEL);
	check_says(stderr_text, "# process ");
	check_says(stderr_text, "# 2 processes are still running:"
				" these counts");

	fake->children.count[0] = 5;
	PERFEX_EXITS(0, "-np", number, "--for=0.001");
	assert_int_equal(fake->started.flags, 0);
	assert_string_equal(stderr_text, ONE_EVENT);
}

static const struct {
	int attach_errno;
	int start_errno;
	int stop_errno;
	uint32_t state;
	uint64_t generation;
	enum perfex_status status;
	const char *words;
} errors[] = {
	{ ESRCH, 0, 0, 0, 7, PERFEX_NO_PROCESS, "no process" },
	{ EPERM, 0, 0, 0, 7, PERFEX_PERMISSION, "CAP_SYS_PTRACE" },
	{ 0, ESRCH, 0, 0, 7, PERFEX_NO_PROCESS, "exited" },
	{ 0, EPERM, 0, 0, 7, PERFEX_PERMISSION, "CAP_SYS_PTRACE" },
	{ 0, EBUSY, 0, VPMC_STATE_RUNNING, 7, PERFEX_BUSY,
	  "the process counts already ... (perfex --force)" },
	{ 0, 0, 0, 0, 8, PERFEX_INVALID, "invalid ... 7 ... 8" },
};

static void every_refusal_has_its_status(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(errors); i++) {
		fake->attach_errno = errors[i].attach_errno;
		fake->start_errno = errors[i].start_errno;
		fake->stop_errno = errors[i].stop_errno;
		fake->read.state = errors[i].state;
		fake->read.generation = errors[i].generation;
		PERFEX_EXITS(errors[i].status, "-p", number, "--for", "0.001");
		check_sentence("%s", errors[i].words);
	}
}

/* The counts are valid, but the process may still be counting. */
static void a_process_that_cannot_be_stopped_is_no_success(void **state)
{
	fake->stop_errno = EPERM;
	PERFEX_EXITS(PERFEX_PERMISSION, "-p", number, "--for", "0.001");
	assert_memory_equal(stderr_text, ONE_EVENT, strlen(ONE_EVENT));
	check_says(stderr_text, "perfex: process ");
	check_says(stderr_text, ": cannot stop counting");
}

static void force_is_no_remedy_for_system_mode(void **state)
{
	fake->start_errno = EBUSY;
	fake->info.system = 1;
	fake->read.state = VPMC_STATE_REVOKED;
	PERFEX_EXITS(PERFEX_BUSY, "-p", number);
	check_sentence("system mode");
	assert_null(strstr(stderr_text, "--force"));
}

/* The process may end between the driver's check and the start. */
static void a_process_that_is_gone_is_not_started(void **state)
{
	PERFEX_EXITS(PERFEX_NO_PROCESS, "-p", "999999999");
	check_sentence("no process 999999999");
	assert_int_equal(fake->started.size, 0);
}

static void
a_report_that_cannot_be_written_leaves_nothing_counting(void **state)
{
	PERFEX_EXITS(PERFEX_OUTPUT, "-p", number, "--for", "0.001", "-o",
		     "/dev/full");
	assert_int_equal(fake->stops, 1);
}

/* Start a process that ends the target when all records have been taken. */
static pid_t kill_when_taken(void)
{
	pid_t pid;
	bool taken;

	fflush(NULL);
	pid = fork();
	if (pid)
		return pid;
	taken = fake_wait_for_records();
	kill(target, SIGKILL);
	_exit(!taken);
}

static void records_are_taken_while_the_process_runs(void **state)
{
	pid_t pid;

	fake->nr_records = 2;
	fake->record[0] = (struct vpmc_record){ .pid = 5, .nr_counts = 1 };
	fake->record[1] = fake->record[0];
	pid = kill_when_taken();
	PERFEX_EXITS(0, "-p", number, "-m");
	check_status(pid, 0);
}

/* perfex stops the count of the target even if it fails. */
static void records_that_cannot_be_taken_end_the_count(void **state)
{
	fake->nr_records = 1;
	fake->record_errno = EIO;
	PERFEX_EXITS(PERFEX_SYSTEM, "-p", number, "-m");
	check_sentence("take a record");
	assert_int_equal(fake->stops, 1);
}

#define TARGET_TEST(f) \
	cmocka_unit_test_setup_teardown(f, start_target, reap_target)

static const struct CMUnitTest tests[] = {
	TARGET_TEST(a_process_is_counted_for_some_time),
	TARGET_TEST(a_process_is_counted_until_it_exits),
	TARGET_TEST(processes_of_an_earlier_count_are_not_missing),
	TARGET_TEST(a_process_is_counted_until_a_signal_comes),
	TARGET_TEST(a_signal_that_is_ignored_does_not_end_the_count),
	TARGET_TEST(options_go_with_a_process_as_with_a_command),
	TARGET_TEST(every_refusal_has_its_status),
	TARGET_TEST(a_process_that_cannot_be_stopped_is_no_success),
	TARGET_TEST(force_is_no_remedy_for_system_mode),
	TARGET_TEST(a_process_that_is_gone_is_not_started),
	TARGET_TEST(a_report_that_cannot_be_written_leaves_nothing_counting),
	TARGET_TEST(records_are_taken_while_the_process_runs),
	TARGET_TEST(records_that_cannot_be_taken_end_the_count),
};

/* valgrind does not know pidfd_open(2). */
UNIT_MAIN_UNLESS(under_valgrind(), tests)
