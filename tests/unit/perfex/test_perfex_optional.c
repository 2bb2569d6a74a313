// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests perfex --optional: the command runs although it cannot be counted,
 * and the report does not show 0.
 */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fake_driver.h"
#include "run_files.h"
#include "run_perfex.h"
#include "util/status.h"

#define SAYS "perfex: the command runs without counts, as --optional allows\n"
#define NOTE                                                                  \
	"there are no counts: the counters could not be used, and --optional" \
	" ran the command without them"

/* Each row has the reason why there are no counters, and the status without the option. */
static const struct {
	int open_errno;
	int start_errno;
	uint32_t abi;
	int status;
} reasons[] = {
	{ ENOENT, 0, 0, PERFEX_NO_DEVICE }, { EACCES, 0, 0, PERFEX_PERMISSION },
	{ 0, 0, 9, PERFEX_UNSUPPORTED },    { 0, EBUSY, 0, PERFEX_BUSY },
	{ 0, EPERM, 0, PERFEX_PERMISSION },
};

static void take_away(size_t i)
{
	fake_setup(NULL);
	fake->open_errno = reasons[i].open_errno;
	fake->start_errno = reasons[i].start_errno;
	if (reasons[i].abi)
		fake->info.abi_version = reasons[i].abi;
}

/* Check the two sentences and the note. The first sentence gives the reason. */
static void check_text(void)
{
	const char *second = strchr(stderr_text, '\n');

	assert_memory_equal(stderr_text, "perfex: ", 8);
	assert_non_null(second);
	assert_string_equal(second + 1, SAYS "# " NOTE "\n");
}

static void the_command_runs_without_counters(void **state)
{
	char status[64];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(reasons); i++) {
		take_away(i);
		PERFEX_EXITS(reasons[i].status, "sh", "-c", "echo ran");
		assert_string_equal(stdout_text, "");
		PERFEX_EXITS(7, "--optional", "--status-file", path, "sh", "-c",
			     "echo ran; exit 7");
		assert_string_equal(stdout_text, "ran\n");
		check_text();
		snprintf(status, sizeof(status), "exit 7\nperfex %d\n",
			 reasons[i].status);
		assert_string_equal(content(path), status);
	}
}

static void no_report_says_zero(void **state)
{
	take_away(0);
	PERFEX_EXITS(0, "--optional", "--csv", "-o", path, "true");
	assert_string_equal(parse_report("csv", path),
			    "kind=note note=" NOTE "\n");
	PERFEX_EXITS(0, "--optional", "--json", "-o", path, "true");
	assert_string_equal(parse_report("json", path),
			    "kind=note note=" NOTE "\n");
	PERFEX_EXITS(0, "--optional", "--prometheus", "-o", path, "true");
	check_says(content(path), "vpmc_counting");
	assert_null(strstr(content(path), "vpmc_event"));
	PERFEX_EXITS(0, "--optional", "--times", "true");
	check_says(stderr_text, "elapsed_seconds");
	assert_null(strstr(stderr_text, "instructions"));
}

static void a_report_without_counts_says_why_it_is_not_used(void **state)
{
	static const char *const forms[] = { "--csv", "--json" };
	static const char why[] =
		" has no counts, because the counters could not be used when"
		" --optional ran its command";
	char report[sizeof(path) + sizeof(".json")];
	size_t i;

	snprintf(report, sizeof(report), "%s.json", path);
	for (i = 0; i < ARRAY_SIZE(forms); i++) {
		take_away(0);
		PERFEX_EXITS(0, "--optional", "--times", forms[i], "-o", report,
			     "true");
		PERFEX_EXITS(PERFEX_INPUT, "--merge", report);
		check_says(stderr_text, why);
		fake_setup(NULL);
		PERFEX_EXITS(PERFEX_INPUT, "--compare", report, "::", "true");
		check_says(stderr_text, why);
	}
	assert_int_equal(unlink(report), 0);
}

static void counters_that_are_there_are_used(void **state)
{
	fake_setup(NULL);
	PERFEX_EXITS(0, "--optional", "true");
	assert_string_equal(
		stderr_text,
		"                1000  0x16   instructions_executed:u\n");
	/* The command has already run, so it does not run again. */
	fake->read_errno = EPERM;
	PERFEX_EXITS(PERFEX_INVALID, "--optional", "echo", "ran");
	assert_string_equal(stdout_text, "ran\n");
}

/* A failed start may have blocked signals before. The command must not inherit this. */
static void the_command_has_its_signals(void **state)
{
	static const char asks[] =
		"while read -r name mask; do case $name in SigBlk:)"
		" echo $mask;; esac; done </proc/self/status";
	size_t i;

	for (i = 0; i < ARRAY_SIZE(reasons); i++) {
		take_away(i);
		PERFEX_EXITS(0, "--optional", "sh", "-c", asks);
		assert_string_equal(stdout_text, "0000000000000000\n");
	}
}

/*
 * Read a pipe like "cat" does. Then open it once more, so that a process that writes twice does
 * not block.
 */
static pid_t read_once(void)
{
	char text[512];
	pid_t pid = fork();
	int fd;

	if (pid)
		return pid;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (read(fd, text, sizeof(text)) > 0)
		_exit(0);
	close(fd);
	open(path, O_RDONLY | O_CLOEXEC);
	_exit(1);
}

/* A failed start may have opened the pipe before. */
static void a_pipe_has_one_report(void **state)
{
	size_t i;
	pid_t pid;

	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkfifo(path, 0600), 0);
	for (i = 0; i < ARRAY_SIZE(reasons); i++) {
		take_away(i);
		pid = read_once();
		PERFEX_EXITS(0, "--optional", "-o", path, "true");
		check_status(pid, 0);
	}
}

/* These failures have other causes than missing counters. */
static void wrong_command_lines_stay_wrong(void **state)
{
	fake_setup(NULL);
	PERFEX_EXITS(PERFEX_UNKNOWN_EVENT, "--optional", "-e", "nothing",
		     "true");
	PERFEX_EXITS(PERFEX_NOT_FOUND, "--optional", "/nowhere");
	PERFEX_EXITS(PERFEX_USAGE, "--optional");
	PERFEX_EXITS(PERFEX_USAGE, "--optional", "-r2", "true");
	PERFEX_EXITS(PERFEX_USAGE, "--optional", "-p", "1");
	PERFEX_EXITS(PERFEX_USAGE, "--optional", "-l");
	PERFEX_EXITS(PERFEX_USAGE, "--optional", "--pre", "true", "true");
}

static const struct CMUnitTest tests[] = {
	FILE_TEST(the_command_runs_without_counters),
	FILE_TEST(no_report_says_zero),
	FILE_TEST(a_report_without_counts_says_why_it_is_not_used),
	FILE_TEST(counters_that_are_there_are_used),
	FILE_TEST(the_command_has_its_signals),
	FILE_TEST(a_pipe_has_one_report),
	FILE_TEST(wrong_command_lines_stay_wrong),
};

UNIT_MAIN(tests)
