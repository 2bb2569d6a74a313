// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests perfex with several -p, and with -t, over a fake driver. It counts real
 * processes.
 */
#include "unit.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake_driver.h"
#include "fake_system.h"
#include "run_perfex.h"
#include "util/status.h"

#define NR 2

/*
 * These processes wait until they are killed. Their numbers are also kept as texts and as a
 * list.
 */
static pid_t target[NR];
static char number[NR][16], list[40];

static pid_t start_target(void)
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (!pid) {
		prctl(PR_SET_NAME, "target");
		pause();
		_exit(0);
	}
	return pid;
}

static int start_targets(void **state)
{
	int i;

	for (i = 0; i < NR; i++) {
		target[i] = start_target();
		if (target[i] < 0)
			return -1;
		snprintf(number[i], sizeof(number[i]), "%d", (int)target[i]);
	}
	snprintf(list, sizeof(list), "%s,%s", number[0], number[1]);
	return fake_system_setup(state);
}

static void kill_target(int i)
{
	siginfo_t info;

	kill(target[i], SIGKILL);
	waitid(P_PID, (id_t)target[i], &info, WEXITED | WNOWAIT);
}

static int reap_targets(void **state)
{
	int i;

	for (i = 0; i < NR; i++) {
		kill(target[i], SIGKILL);
		waitpid(target[i], NULL, 0);
	}
	return 0;
}

/* Return the expected report of two processes that have counted 1000 each. */
static const char *two(void)
{
	static char text[400];

	snprintf(text, sizeof(text),
		 "# process      pid  instructions_executed:u  command\n"
		 "process    %7s                  1000  target\n"
		 "process    %7s                  1000  target\n"
		 "                2000  0x16   instructions_executed:u\n",
		 number[0], number[1]);
	return text;
}

static void several_are_counted_each_and_together(void **state)
{
	PERFEX_EXITS(0, "-p", list, "--for", "0.01");
	assert_string_equal(stderr_text, two());
	assert_int_equal(fake->stops, 2);
	PERFEX_EXITS(0, "-p", number[0], "-p", number[1], "--for=0.01");
	assert_string_equal(stderr_text, two());
	/*
	 * Without VPMC_START_COLLECT, the counts of waited-for children might be in the sum
	 * twice.
	 */
	assert_int_equal(fake->started.flags, VPMC_START_COLLECT);
	PERFEX_EXITS(0, "-np", list, "--for", "0.01");
	assert_string_equal(stderr_text, two());
	assert_int_equal(fake->started.flags, 0);
}

/* Start a process that ends the targets one after the other. */
static pid_t kill_in_turn(void)
{
	pid_t pid;
	int i;

	fflush(NULL);
	pid = fork();
	if (pid)
		return pid;
	for (i = 0; i < NR; i++) {
		usleep(150000);
		kill(target[i], SIGKILL);
	}
	_exit(0);
}

static void the_count_ends_when_all_have_ended(void **state)
{
	siginfo_t info = { .si_pid = 0 };
	pid_t pid = kill_in_turn();
	int i;

	fake->stop_errno = ESRCH;
	PERFEX_EXITS(0, "-p", list, "--for", "100");
	for (i = 0; i < NR; i++) {
		assert_int_equal(waitid(P_PID, (id_t)target[i], &info,
					WEXITED | WNOHANG | WNOWAIT),
				 0);
		assert_int_equal(info.si_pid, target[i]);
	}
	assert_string_equal(stderr_text, two());
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* The counts of the process are the sums over all blocks. */
static void each_interval_has_a_list(void **state)
{
	PERFEX_EXITS(0, "-p", list, "--interval=0.1", "--for=1.0");
	assert_true(take_times(stderr_text) >= 2);
	assert_memory_equal(stderr_text, two(), strlen(two()));
	check_says(stderr_text + strlen(two()),
		   "                     0  target\n");
	assert_null(strstr(stderr_text + strlen(two()), "1000"));
}

static void lists_are_for_programs_too(void **state)
{
	char want[64];

	snprintf(want, sizeof(want), "process,,%s,,target,", number[1]);
	PERFEX_EXITS(0, "--csv", "-p", list, "--for", "0.01");
	check_says(stderr_text, want);
	PERFEX_EXITS(0, "--json", "-p", list, "--for", "0.01");
	check_says(stderr_text, "\"value\":2000");
}

static void what_is_wrong_is_said_of_whom(void **state)
{
	char gone[64], who[40];

	snprintf(gone, sizeof(gone), "%s,999999999", number[0]);
	PERFEX_EXITS(PERFEX_NO_PROCESS, "-p", gone);
	check_sentence("no process 999999999");
	assert_int_equal(fake->started.size, 0);
	snprintf(who, sizeof(who), "perfex: process %s: ", number[0]);
	fake->start_errno = EBUSY;
	fake->read.state = VPMC_STATE_RUNNING;
	PERFEX_EXITS(PERFEX_BUSY, "-np", list);
	check_sentence("%s ... counts already ... --force", who);
	fake->start_errno = 0;
	fake->read.generation = 8;
	PERFEX_EXITS(PERFEX_INVALID, "-np", list, "--for", "0.01");
	assert_memory_equal(stderr_text, who, strlen(who));
	assert_int_equal(fake->stops, 2);
}

static void a_thread_is_counted_alone(void **state)
{
	PERFEX_EXITS(0, "-t", number[0], "--for", "0.01");
	assert_int_equal(fake->attached.id, target[0]);
	assert_int_equal(fake->attached.flags, VPMC_ATTACH_THREAD);
	assert_int_equal(fake->scopes, 1U << VPMC_SCOPE_THREAD);
	assert_string_equal(stderr_text, "                1000  0x16   "
					 "instructions_executed:u\n");
}

static void a_thread_is_counted_until_it_ends(void **state)
{
	kill_target(0);
	fake->stop_errno = ESRCH;
	PERFEX_EXITS(0, "--tid", number[0]);
	assert_int_equal(fake->started.nr_events, 1);
}

/*
 * The kernel does not notify perfex of the end of a thread, so perfex polls as often as it
 * takes records.
 */
static void an_older_kernel_does_for_threads(void **state)
{
	fake_system->no_thread_fd = true;
	fake->read.state = VPMC_STATE_RUNNING;
	PERFEX_EXITS(0, "-t", number[0], "--for", "0.3");
	assert_int_equal(fake->stops, 1);
	fake->read.state = VPMC_STATE_EXITED;
	fake->stop_errno = ESRCH;
	PERFEX_EXITS(0, "-t", number[0]);
	check_says(stderr_text, "                1000  0x16 ");
}

static void a_thread_that_is_gone_is_named(void **state)
{
	PERFEX_EXITS(PERFEX_NO_PROCESS, "-t", "999999999");
	check_sentence("no thread 999999999");
}

static const struct {
	const char *line;
	const char *words;
} mistakes[] = {
	{ "perfex -p 1,1", "process 1 is given twice" },
	{ "perfex -p 1,x", "\"x\" ... -p" },
	{ "perfex -p 1,", "\"\" ... -p" },
	{ "perfex -m -p 1,2", "-m ... several" },
	{ "perfex -t x", "\"x\" is not a thread ... -t" },
	{ "perfex -t 1,2", "\"1,2\"" },
	{ "perfex -t 1 -t 2", "--tid is given twice" },
	{ "perfex -t 1 -p 2", "-t ... -p" },
	{ "perfex -p 2 -t 1", "-t ... -p" },
	{ "perfex -t 1 true", "command" },
	{ "perfex -lt 1", "-l" },
	{ "perfex -t 1 --system", "--system" },
};

static void a_wrong_command_line_is_refused(void **state)
{
	char many[400] = "1";
	int i;

	for (i = 0; i < (int)ARRAY_SIZE(mistakes); i++) {
		check_refused(mistakes[i].line, PERFEX_USAGE,
			      mistakes[i].words);
	}
	for (i = 2; i <= 65; i++)
		snprintf(many + strlen(many), sizeof(many) - strlen(many),
			 ",%d", i);
	PERFEX_EXITS(PERFEX_USAGE, "-p", many);
	check_says(stderr_text, "too many processes");
}

#define TARGET_TEST(f) \
	cmocka_unit_test_setup_teardown(f, start_targets, reap_targets)

static const struct CMUnitTest tests[] = {
	TARGET_TEST(several_are_counted_each_and_together),
	TARGET_TEST(the_count_ends_when_all_have_ended),
	TARGET_TEST(each_interval_has_a_list),
	TARGET_TEST(lists_are_for_programs_too),
	TARGET_TEST(what_is_wrong_is_said_of_whom),
	TARGET_TEST(a_thread_is_counted_alone),
	TARGET_TEST(a_thread_is_counted_until_it_ends),
	TARGET_TEST(an_older_kernel_does_for_threads),
	TARGET_TEST(a_thread_that_is_gone_is_named),
	TARGET_TEST(a_wrong_command_line_is_refused),
};

/* valgrind does not know pidfd_open(2). */
UNIT_MAIN_UNLESS(under_valgrind(), tests)
