// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests perfex --system over a fake driver, whose counts grow by 100 at each read.
 * The first read is a check that reading works.
 */
#include "unit.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "fake_driver.h"
#include "run_perfex.h"
#include "util/status.h"

#define COUNTED(count) count "  0x16   instructions_executed:uk\n"

static void system_mode_counts_all_processors_in_both_modes(void **state)
{
	PERFEX_EXITS(3, "--system", "sh", "-c", "echo out; exit 3");
	assert_string_equal(stdout_text, "out\n");
	assert_string_equal(stderr_text, COUNTED("                 200"));
	assert_int_equal(fake->system_started.flags, 0);
	assert_int_equal(fake->system_started.nr_events, 1);
	assert_int_equal(fake->system_started.event[0].code, 0x16);
	assert_int_equal(fake->system_started.event[0].modes,
			 VPMC_MODE_USER | VPMC_MODE_KERNEL);
	assert_int_equal(fake->system_cpu, VPMC_ALL_CPUS);
	assert_int_equal(fake->system_stops, 1);
}

static void the_command_is_not_counted_apart(void **state)
{
	fake->start_errno = EBUSY;
	PERFEX_EXITS(0, "--system", "true");
	assert_int_equal(fake->started.size, 0);
	assert_int_equal(fake->scopes, 0);
}

static void events_can_have_modes(void **state)
{
	fake->system.nr_counts = 2;
	PERFEX_EXITS(0, "--system", "-e", "0x16:u", "-k", "-e", "branches",
		     "true");
	assert_int_equal(fake->system_started.event[0].modes, VPMC_MODE_USER);
	assert_int_equal(fake->system_started.event[1].modes,
			 VPMC_MODE_USER | VPMC_MODE_KERNEL);
	assert_string_equal(
		stderr_text,
		"                 200  0x16   instructions_executed:u\n"
		"                   0  0x12   branches:uk\n");
}

static void a_processor_and_force_can_be_chosen(void **state)
{
	PERFEX_EXITS(0, "--system", "--cpu", "1", "true");
	assert_int_equal(fake->system_cpu, 1);
	assert_int_equal(fake->system_started.flags, 0);
	PERFEX_EXITS(0, "--force", "--cpu=0", "--system", "true");
	assert_int_equal(fake->system_cpu, 0);
	assert_int_equal(fake->system_started.flags, VPMC_START_FORCE);
}

static void the_commands_end_passes_through(void **state)
{
	PERFEX_EXITS(128 + SIGKILL, "--system", "sh", "-c", "kill -KILL $$");
	assert_string_equal(stderr_text, COUNTED("                 200"));
	fake->system_reads = 0;
	PERFEX_EXITS(128 + SIGINT, "--system", "sh", "-c",
		     "kill -INT $PPID $$");
	assert_string_equal(stderr_text, COUNTED("                 200"));
}

/* When the command stops, perfex gets SIGCHLD, too. This does not end the first interval. */
static void a_command_that_stops_has_not_ended(void **state)
{
	static const char stop[] = "while kill -CONT $$; do sleep 0.05; done"
				   " 2>/dev/null & kill -STOP $$; sleep 1;"
				   " exit 4";

	PERFEX_EXITS(4, "--system", "--interval", "0.3", "sh", "-c", stop);
	assert_true(take_times(stderr_text) > 1);
}

/* The command does not inherit perfex's handling of signals. */
static void the_command_has_the_callers_signals(void **state)
{
	static const char none_blocked_and_sigchld_ignored[] =
		"^SigBlk:\t0*$|^SigIgn:.*[13579bdf].{4}$";

	caller_sigchld = SIG_IGN;
	PERFEX_EXITS(0, "--system", "grep", "-cE",
		     none_blocked_and_sigchld_ignored, "/proc/self/status");
	assert_string_equal(stdout_text, "2\n");
	PERFEX_EXITS(0, "grep", "-cE", none_blocked_and_sigchld_ignored,
		     "/proc/self/status");
	assert_string_equal(stdout_text, "2\n");
	caller_sigchld = SIG_DFL;
}

static void a_signal_ends_the_count_without_command(void **state)
{
	static const int signals[] = { SIGINT, SIGTERM };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(signals); i++) {
		fake->system_reads = 0;
		fake->system_stops = 0;
		fake->signal = signals[i];
		fake->signal_read = 1;
		PERFEX_EXITS(0, "--system");
		assert_string_equal(stderr_text,
				    COUNTED("                 200"));
		assert_int_equal(fake->system_stops, 1);
	}
}

static void each_interval_has_its_own_counts(void **state)
{
	fake->signal = SIGTERM;
	fake->signal_read = 3;
	PERFEX_EXITS(0, "--system", "--interval", "0.001");
	assert_memory_equal(stderr_text, "# ", 2);
	assert_int_equal(take_times(stderr_text), 3);
	/* The first interval also has the 100 events of the checking read. */
	assert_string_equal(stderr_text,
			    COUNTED("                 200")
				    COUNTED("                 100")
					    COUNTED("                 100"));
}

static void the_last_interval_ends_with_the_command(void **state)
{
	PERFEX_EXITS(1, "--system", "--interval=1000", "false");
	assert_int_equal(take_times(stderr_text), 1);
	assert_string_equal(stderr_text, COUNTED("                 200"));
}

static const struct {
	int start_errno;
	int read_errno;
	int stop_errno;
	uint32_t system;
	enum perfex_status status;
	const char *words;
} errors[] = {
	{ EPERM, 0, 0, 0, PERFEX_PERMISSION, "CAP_PERFMON" },
	{ EBUSY, 0, 0, 0, PERFEX_BUSY, "threads ... force" },
	{ EBUSY, 0, 0, 1, PERFEX_BUSY, "another process" },
	{ 0, EINVAL, 0, 0, PERFEX_USAGE, "no processor 7" },
	{ 0, 0, ENODATA, 0, PERFEX_SYSTEM, "never started" },
};

static void every_refusal_has_its_status(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(errors); i++) {
		fake->system_start_errno = errors[i].start_errno;
		fake->system_read_errno = errors[i].read_errno;
		fake->system_stop_errno = errors[i].stop_errno;
		fake->info.system = errors[i].system;
		PERFEX_EXITS(errors[i].status, "--system", "--cpu", "7",
			     "true");
		check_sentence("%s", errors[i].words);
	}
}

static void the_counters_are_taken(void **state)
{
	PERFEX_EXITS(0, "--release");
	assert_int_equal(fake->releases, 1);
	assert_string_equal(stdout_text, "");
	assert_string_equal(stderr_text, "");
	fake->release_errno = EPERM;
	PERFEX_EXITS(PERFEX_PERMISSION, "--release");
	check_sentence("CAP_PERFMON");
	PERFEX_EXITS(PERFEX_USAGE, "--release", "true");
	check_sentence("--release cannot be combined");
	PERFEX_EXITS(PERFEX_USAGE, "--release", "-i");
	check_sentence("--release cannot be combined");
	assert_int_equal(fake->releases, 2);
}

static void a_command_does_not_run_in_vain(void **state)
{
	fake->system_start_errno = EBUSY;
	PERFEX_EXITS(PERFEX_BUSY, "--system", "echo", "ran");
	assert_string_equal(stdout_text, "");
	fake->system_start_errno = 0;
	fake->system_read_errno = EINVAL;
	PERFEX_EXITS(PERFEX_USAGE, "--system", "--cpu=3", "echo", "ran");
	assert_string_equal(stdout_text, "");
}

static void a_command_that_does_not_exist_is_no_count(void **state)
{
	PERFEX_EXITS(PERFEX_NOT_FOUND, "--system", "no-such-command-anywhere");
	check_sentence("find ... no-such-command");
}

/* The command continues to its end. */
static void a_full_disk_ends_the_report_not_the_command(void **state)
{
	PERFEX_EXITS(PERFEX_OUTPUT, "--system", "-o", "/dev/full", "--interval",
		     "0.001", "sh", "-c", "sleep 0.1; echo end");
	assert_string_equal(stdout_text, "end\n");
	check_says(stderr_text, "/dev/full: No space");
}

#define DRIVER_TEST(f) cmocka_unit_test_setup(f, fake_setup)

static const struct CMUnitTest tests[] = {
	DRIVER_TEST(system_mode_counts_all_processors_in_both_modes),
	DRIVER_TEST(the_command_is_not_counted_apart),
	DRIVER_TEST(events_can_have_modes),
	DRIVER_TEST(a_processor_and_force_can_be_chosen),
	DRIVER_TEST(the_commands_end_passes_through),
	DRIVER_TEST(a_command_that_stops_has_not_ended),
	DRIVER_TEST(the_command_has_the_callers_signals),
	DRIVER_TEST(a_signal_ends_the_count_without_command),
	DRIVER_TEST(each_interval_has_its_own_counts),
	DRIVER_TEST(the_last_interval_ends_with_the_command),
	DRIVER_TEST(every_refusal_has_its_status),
	DRIVER_TEST(the_counters_are_taken),
	DRIVER_TEST(a_command_does_not_run_in_vain),
	DRIVER_TEST(a_command_that_does_not_exist_is_no_count),
	DRIVER_TEST(a_full_disk_ends_the_report_not_the_command),
};

UNIT_MAIN(tests)
