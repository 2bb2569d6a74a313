// SPDX-License-Identifier: GPL-2.0-only
/* This file tests perfex --cgroup over a fake driver. */
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_driver.h"
#include "run_perfex.h"
#include "util/status.h"

#define COUNT_TMP "--cgroup", "/tmp", "--for", "0.01"

/* Let the driver have records of @nr threads of one process, none of which could be started. */
static void miss(unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		fake->record[i] = (struct vpmc_record){
			.pid = 7,
			.tid = (int)i + 7,
			.comm = "other",
			.nr_counts = 1,
			.what = VPMC_RECORD_MISSING,
		};
	}
	fake->nr_records = nr;
	fake->records_taken = 0;
}

static void the_directory_is_collected(void **state)
{
	(void)state;
	fake->all.count[0] = 1000;
	assert_int_equal(PERFEX(COUNT_TMP), 0);
	assert_string_equal(
		stderr_text,
		"                1000  0x16   instructions_executed:u\n");
	assert_int_equal(fake->cgroups, 1);
	assert_int_equal(fake->started.flags, VPMC_START_COLLECT |
						      VPMC_START_RECORDS |
						      VPMC_START_AT_EXEC);
}

static void a_process_that_is_missing_is_named_once(void **state)
{
	(void)state;
	fake->all.other_events = 2;
	miss(2);
	assert_int_equal(PERFEX(COUNT_TMP), 0);
	check_says(stderr_text, "process 7 (other) is missing");
	assert_null(strstr(strstr(stderr_text, "(other)") + 1, "(other)"));
	assert_null(strstr(stderr_text, "threads"));
}

/* The process is not in perfex's PID namespace. */
static void a_process_without_an_id_is_one_of_a_number(void **state)
{
	(void)state;
	fake->all.other_events = 2;
	miss(2);
	fake->record[0].pid = 0;
	assert_int_equal(PERFEX(COUNT_TMP), 0);
	assert_null(strstr(stderr_text, "process 0"));
	check_says(stderr_text, "process 7 (other) is missing");
	check_says(stderr_text, "1 thread");
}

static void an_id_may_be_used_again(void **state)
{
	(void)state;
	fake->all.other_events = 2;
	miss(2);
	strcpy(fake->record[1].comm, "later");
	assert_int_equal(PERFEX(COUNT_TMP), 0);
	check_says(stderr_text, "process 7 (other) is missing");
	check_says(stderr_text, "process 7 (later) is missing");
}

static void a_cgroup_may_be_removed(void **state)
{
	char path[] = "/tmp/cgroup-XXXXXX";

	(void)state;
	assert_non_null(mkdtemp(path));
	assert_int_equal(PERFEX("--cgroup", path, "rmdir", path), 0);
	check_says(stderr_text, path);
	check_says(stderr_text, "has been removed");
}

/* A process that enters after the counts were read, but before the records, has only records. */
static void records_may_be_more_than_the_counts_say(void **state)
{
	(void)state;
	fake->all.other_events = 1;
	miss(3);
	assert_int_equal(PERFEX(COUNT_TMP), 0);
	check_says(stderr_text, "process 7 (other) is missing");
	assert_null(strstr(stderr_text, "42949672"));
}

/* perfex itself has lost its counters, so it is not among the running processes. */
static void nobody_may_run_any_more(void **state)
{
	(void)state;
	fake->all.running = 0;
	assert_int_equal(PERFEX("-m", COUNT_TMP), 0);
	assert_null(strstr(stderr_text, "42949672"));
	assert_null(strstr(stderr_text, "still running"));
}

static void refusals_are_sentences(void **state)
{
	static const struct {
		int number;
		int status;
		const char *word;
	} refusals[] = {
		{ EPERM, PERFEX_PERMISSION, "needs CAP_PERFMON" },
		{ EBADF, PERFEX_SYSTEM, "cgroup version 2" },
		{ EBUSY, PERFEX_BUSY, "has one already" },
		{ EOPNOTSUPP, PERFEX_UNSUPPORTED, "CONFIG_CGROUPS" },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		fake->cgroup_errno = refusals[i].number;
		assert_int_equal(PERFEX(COUNT_TMP), refusals[i].status);
		check_sentence("%s", refusals[i].word);
	}
}

#define DRIVER_TEST(f) cmocka_unit_test_setup(f, fake_setup)

static const struct CMUnitTest tests[] = {
	DRIVER_TEST(the_directory_is_collected),
	DRIVER_TEST(a_process_that_is_missing_is_named_once),
	DRIVER_TEST(a_process_without_an_id_is_one_of_a_number),
	DRIVER_TEST(an_id_may_be_used_again),
	DRIVER_TEST(a_cgroup_may_be_removed),
	DRIVER_TEST(records_may_be_more_than_the_counts_say),
	DRIVER_TEST(nobody_may_run_any_more),
	DRIVER_TEST(refusals_are_sentences),
};

UNIT_MAIN(tests)
