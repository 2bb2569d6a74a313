// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests the destinations of perfex's report, and the files that perfex must not
 * overwrite.
 */
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fake_driver.h"
#include "fake_system.h"
#include "run_files.h"
#include "run_perfex.h"
#include "util/status.h"

#define ONE_EVENT "                1000  0x16   instructions_executed:u\n"

/* One write for each report keeps the reports of several perfex processes apart. */
static void a_report_is_one_write(void **state)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(fake->record); i++)
		fake->record[i] = (struct vpmc_record){ .pid = (int)i + 1,
							.nr_counts = 1 };
	fake->nr_records = i;
	fake->all.running = 1;
	PERFEX_EXITS(0, "-amp", "--times", "-e", "0x16,branches", "true");
	assert_int_equal(fake_system->writes, 1);
	assert_true(strlen(stderr_text) > 12000);
}

static void a_complaint_is_one_write(void **state)
{
	PERFEX_EXITS(PERFEX_UNKNOWN_EVENT, "-e", "nonsense", "true");
	assert_int_equal(fake_system->writes, 1);
}

static void a_complaint_has_no_control_characters(void **state)
{
	PERFEX_EXITS(PERFEX_NOT_FOUND, "no\nsuch\033");
	check_sentence("no\\x0asuch\\x1b");
	PERFEX_EXITS(PERFEX_OUTPUT, "-o", "/no\nsuch\033/file", "true");
	check_sentence("no\\x0asuch\\x1b");
}

static void a_program_is_no_file_for_a_report(void **state)
{
	fill_program(path, "#!/bin/sh\n");
	PERFEX_EXITS(PERFEX_OUTPUT, "-o", path, path);
	check_sentence("%s ... program ... -o", path);
	check_file(path, "#!/bin/sh\n");
	assert_int_equal(fake->started.size, 0);
}

static void a_file_is_emptied_when_the_command_runs(void **state)
{
	fill(path,
	     "what was there before and is longer than a report is, as a table "
	     "of figures may be\n");
	PERFEX_EXITS(0, "-o", path, "cat", path);
	assert_int_equal(strlen(stdout_text) > 0 ? *stdout_text : 'w', 'w');
	check_file(path, ONE_EVENT);
}

static void a_file_is_kept_if_nothing_runs(void **state)
{
	fill(path, "before\n");
	PERFEX_EXITS(PERFEX_NOT_FOUND, "-o", path, "no-such-command-anywhere");
	check_file(path, "before\n");
	fake->start_errno = EBUSY;
	PERFEX_EXITS(PERFEX_BUSY, "-o", path, "true");
	check_file(path, "before\n");
	fake->start_errno = 0;
	PERFEX_EXITS(PERFEX_NO_PROCESS, "-o", path, "-p", "999999999");
	check_file(path, "before\n");
	fake->system_start_errno = EBUSY;
	PERFEX_EXITS(PERFEX_BUSY, "-o", path, "--system", "true");
	check_file(path, "before\n");
}

static void no_file_is_left_if_nothing_runs(void **state)
{
	PERFEX_EXITS(PERFEX_NOT_FOUND, "-o", path, "no-such-command-anywhere");
	assert_int_equal(access(path, F_OK), -1);
}

static void a_report_can_be_appended(void **state)
{
	PERFEX_EXITS(0, "-o", path, "--append", "true");
	PERFEX_EXITS(0, "-o", path, "--append", "true");
	check_file(path, ONE_EVENT ONE_EVENT);
}

/* Return a line of the shell with the file's name instead of "FILE". */
static const char *with_path(const char *line)
{
	static char text[400];
	const char *at = strstr(line, "FILE");

	snprintf(text, sizeof(text), "%.*s%s%s", (int)(at - line), line, path,
		 at + 4);
	return text;
}

static void a_removed_file_is_made_again(void **state)
{
	fill(path, "before\n");
	PERFEX_EXITS(0, "-o", path, "--pre", with_path("rm FILE"), "true");
	check_file(path, ONE_EVENT);
	PERFEX_EXITS(0, "-o", path, "rm", path);
	check_file(path, ONE_EVENT);
	PERFEX_EXITS(0, "-o", path, "--append", "rm", path);
	check_file(path, ONE_EVENT);
	PERFEX_EXITS(0, "-o", path, "-r", "2", "--post",
		     with_path("rm -f FILE"), "true");
	check_file(path,
		   "                1000  0x16   instructions_executed:u  # the"
		   " same in all 2 runs\n");
}

/* The report goes to the name, so a file that was moved away stays unchanged. */
static void a_replaced_file_gets_the_report(void **state)
{
	fill(path, "before\n");
	PERFEX_EXITS(0, "-o", path, "--append", "mv", path, other);
	check_file(path, ONE_EVENT);
	assert_int_equal(rename(other, path), 0);
	check_file(path, "before\n");
}

static void a_file_that_cannot_be_made_again_is_a_failure(void **state)
{
	PERFEX_EXITS(PERFEX_OUTPUT, "-o", path, "rm", "-r", directory);
	check_sentence("cannot write the report to %s ... No such file", path);
	assert_int_equal(mkdir(directory, 0700), 0);
}

static void a_removed_file_of_the_status_is_made_again(void **state)
{
	PERFEX_EXITS(0, "--status-file", path, "rm", path);
	check_file(path, "exit 0\n");
}

/* The sentence says which of the outputs failed. The report, in another file, is complete. */
static void a_sentence_names_what_cannot_be_written(void **state)
{
	PERFEX_EXITS(PERFEX_OUTPUT, "--status-file", "/dev/full", "-o", path,
		     "true");
	check_sentence("cannot write the status to /dev/full: ... No space");
	check_file(path, ONE_EVENT);
	fill_program(other, "");
	PERFEX_EXITS(PERFEX_OUTPUT, "--status-file", other, "true");
	check_sentence(
		"cannot write the status to ... give another FILE after --status-file");
}

static void a_dash_is_standard_output(void **state)
{
	PERFEX_EXITS(0, "-o", "-", "echo", "out");
	assert_string_equal(stdout_text, "out\n" ONE_EVENT);
	assert_string_equal(stderr_text, "");
}

static void a_device_is_a_file_for_a_report(void **state)
{
	PERFEX_EXITS(0, "-o", "/dev/stdout", "echo", "out");
	PERFEX_EXITS(0, "-o", "/dev/null", "true");
}

/* perfex first allocates 64 records. There is no memory to enlarge this for 100 processes. */
static void without_memory_there_are_the_totals(void **state)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(fake->record); i++)
		fake->record[i] = (struct vpmc_record){ .pid = (int)i + 1,
							.nr_counts = 1 };
	fake->nr_records = i;
	fake_system->most = 4096;
	PERFEX_EXITS(0, "-m", "true");
	assert_int_equal(fake->records_taken, 100);
	check_says(stderr_text, "\nprocess         64 ");
	assert_null(strstr(stderr_text, "\nprocess         65 "));
	check_says(stderr_text, ONE_EVENT "# 36 threads are not listed: perfex"
					  " had no memory for more records\n");

	fake->records_taken = 0;
	fake_system->no_stream = true;
	PERFEX_EXITS(0, "-m", "true");
	assert_string_equal(stderr_text,
			    ONE_EVENT "# there are no lists: perfex had no"
				      " memory for them\n");
}

/* If both outputs went to one file, only the last status would remain. */
static void a_status_does_not_take_the_place_of_a_report(void **state)
{
	PERFEX_EXITS(200, "--status-file", path, "-o", path, "echo", "ran");
	check_sentence(
		"cannot write several things to ... give -o a FILE of its own");
	assert_string_equal(stdout_text, "");
	check_file(path, "perfex 200\n");
	PERFEX_EXITS(200, "--status-file", path, "-r2", "--plot", path, "true");
}

/*
 * Writing the picture truncates the file. With -o, the user has chosen another file for the
 * report.
 */
static void a_picture_does_not_take_the_place_of_a_report(void **state)
{
	PERFEX_EXITS(200, "-r2", "--plot", "/dev/fd/2", "true");
	check_sentence(
		"cannot write several things to /dev/fd/2 ... give --plot a FILE of its own");
	PERFEX_EXITS(0, "-r2", "--plot", "/dev/fd/2", "-o", path, "true");
	assert_int_equal(stderr_text[0], '<');
}

static const struct CMUnitTest tests[] = {
	DIRECTORY_TEST(a_report_is_one_write),
	DIRECTORY_TEST(a_complaint_is_one_write),
	DIRECTORY_TEST(a_complaint_has_no_control_characters),
	DIRECTORY_TEST(a_program_is_no_file_for_a_report),
	DIRECTORY_TEST(a_file_is_emptied_when_the_command_runs),
	DIRECTORY_TEST(a_file_is_kept_if_nothing_runs),
	DIRECTORY_TEST(no_file_is_left_if_nothing_runs),
	DIRECTORY_TEST(a_report_can_be_appended),
	DIRECTORY_TEST(a_removed_file_is_made_again),
	DIRECTORY_TEST(a_replaced_file_gets_the_report),
	DIRECTORY_TEST(a_file_that_cannot_be_made_again_is_a_failure),
	DIRECTORY_TEST(a_removed_file_of_the_status_is_made_again),
	DIRECTORY_TEST(a_sentence_names_what_cannot_be_written),
	DIRECTORY_TEST(a_status_does_not_take_the_place_of_a_report),
	DIRECTORY_TEST(a_picture_does_not_take_the_place_of_a_report),
	DIRECTORY_TEST(a_dash_is_standard_output),
	DIRECTORY_TEST(a_device_is_a_file_for_a_report),
	DIRECTORY_TEST(without_memory_there_are_the_totals),
};

UNIT_MAIN(tests)
