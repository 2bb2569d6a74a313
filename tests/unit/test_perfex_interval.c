// SPDX-License-Identifier: GPL-2.0-only
/*
 * perfex --interval and --for with a command or a process, over a driver that is not
 * there.
 */
#include "unit.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake_driver.h"
#include "run_perfex.h"
#include "status.h"

#define ONE_EVENT "                1000  0x16   instructions_executed:u\n"

/* A first block, and others with what each read of the counts gains. */
static void check_blocks(unsigned int least)
{
	unsigned int times = take_times(stderr_text);
	const char *line = stderr_text;

	assert_true(times >= least);
	assert_int_equal(strtoull(line, NULL, 10), 1000);
	while (--times) {
		line = strchr(line, '\n') + 1;
		assert_int_equal(strtoull(line, NULL, 10), 100);
	}
	assert_string_equal(strchr(line, '\n'), "\n");
}

static void a_command_has_a_report_of_each_interval(void **state)
{
	(void)state;
	fake->self_step = 100;
	assert_int_equal(PERFEX("--interval", "0.001", "sleep", "0.1"), 0);
	check_blocks(2);
}

static void a_process_has_a_report_of_each_interval(void **state)
{
	char number[16];

	(void)state;
	fake->self_step = 100;
	snprintf(number, sizeof(number), "%d", (int)getppid());
	assert_int_equal(
		PERFEX("-p", number, "--interval", "0.001", "--for", "0.1"), 0);
	check_blocks(2);
}

/* As all lines of the command are of the whole. */
static void instructions_per_cycle_are_of_all_intervals(void **state)
{
	(void)state;
	fake->read.count[0] = 3000;
	fake->read.count[1] = 1000;
	assert_int_equal(PERFEX("-n", "--times", "-e", "instructions,cycles",
				"--interval=0.01", "sleep", "0.1"),
			 0);
	assert_non_null(
		strstr(stderr_text, "3.000  -      instructions_per_cycle\n"));
}

static void the_last_interval_ends_with_the_command(void **state)
{
	(void)state;
	assert_int_equal(PERFEX("--interval=1000", "false"), 1);
	assert_int_equal(take_times(stderr_text), 1);
	assert_string_equal(stderr_text, ONE_EVENT);
}

/* In a process of its own: what a thread had counted is taken out of the sum. */
static pid_t lose_later(void)
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid)
		return pid;
	usleep(500000);
	fake->all.revoked = 1;
	fake->all.count[0] = 300;
	_exit(0);
}

static void a_sum_that_has_shrunk_makes_no_number(void **state)
{
	pid_t pid = lose_later();
	char *line;

	(void)state;
	assert_int_equal(PERFEX("-a", "--interval=0.1", "sleep", "1"), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	line = strstr(stderr_text, "                   -  0x16   "
				   "instructions_executed:u  # not known: ");
	assert_non_null(line);
	assert_null(strstr(strchr(line, '\n'), "# not known: "));
	/* 2^64 - 700 */
	assert_null(strstr(stderr_text, "18446744073709550916"));
}

/* What is not counted any more does not keep the command from going on. */
static void lost_counts_end_the_reports(void **state)
{
	(void)state;
	fake->read.generation = 8;
	assert_int_equal(PERFEX("--interval", "0.001", "sh", "-c",
				"sleep 0.1; echo done"),
			 PERFEX_INVALID);
	assert_string_equal(stdout_text, "done\n");
	assert_int_equal(take_times(stderr_text), 0);
}

static void a_command_is_ended_when_its_time_is_over(void **state)
{
	(void)state;
	assert_int_equal(PERFEX("--for", "0.01", "sleep", "1000"),
			 PERFEX_SIGNAL_BASE + SIGTERM);
	assert_string_equal(stderr_text, ONE_EVENT);
}

/* Once: what it does then is its own matter. */
static void a_command_may_take_longer(void **state)
{
	static const char script[] =
		"trap 'echo told' TERM; sleep 2; echo done";

	(void)state;
	assert_int_equal(PERFEX("--for", "1", "sh", "-c", script), 0);
	assert_string_equal(stdout_text, "told\ndone\n");
	assert_string_equal(stderr_text, ONE_EVENT);
}

/* It is not the user who ends it. */
static void a_run_whose_time_is_over_is_not_the_last(void **state)
{
	(void)state;
	assert_int_equal(PERFEX("-n", "--for=0.01", "--runs", "-e",
				"0x16,0x12,0x00", "sleep", "1000"),
			 PERFEX_SIGNAL_BASE + SIGTERM);
	assert_null(strstr(stderr_text, "did not take place"));
	assert_int_equal(PERFEX("-n", "--for=0.01", "-r3", "--warmup=1",
				"sleep", "1000"),
			 PERFEX_SIGNAL_BASE + SIGTERM);
	assert_non_null(strstr(stderr_text, "in all 3 runs"));
}

static void each_run_has_its_time(void **state)
{
	(void)state;
	assert_int_equal(PERFEX("--for", "1000", "-r", "2", "true"), 0);
	assert_non_null(strstr(stderr_text, "in all 2 runs"));
}

static const struct {
	const char *option;
	const char *other;
} refused[] = {
	{ "--interval=1", "-m" },	 { "--interval=1", "-mp" },
	{ "--interval=1", "--regions" }, { "--interval=1", "-r2" },
	{ "--interval=1", "-l" },
};

static void what_has_one_report_is_refused(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		assert_int_equal(PERFEX(refused[i].option, refused[i].other,
					"true"),
				 PERFEX_USAGE);
		assert_non_null(strstr(stderr_text, "--interval"));
	}
}

#define TEST(f) cmocka_unit_test_setup(f, fake_setup)

static const struct CMUnitTest tests[] = {
	TEST(a_command_has_a_report_of_each_interval),
	TEST(a_process_has_a_report_of_each_interval),
	TEST(instructions_per_cycle_are_of_all_intervals),
	TEST(the_last_interval_ends_with_the_command),
	TEST(a_sum_that_has_shrunk_makes_no_number),
	TEST(lost_counts_end_the_reports),
	TEST(a_command_is_ended_when_its_time_is_over),
	TEST(a_command_may_take_longer),
	TEST(a_run_whose_time_is_over_is_not_the_last),
	TEST(each_run_has_its_time),
	TEST(what_has_one_report_is_refused),
};

UNIT_MAIN(tests)
