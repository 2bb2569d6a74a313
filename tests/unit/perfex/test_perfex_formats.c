// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests reports for programs: Python's parsers must find the same values in CSV and
 * in JSON.
 */
#include "unit.h"

#include <regex.h>
#include <signal.h>
#include <stdio.h>

#include "fake_driver.h"
#include "run_files.h"
#include "run_perfex.h"

#define EVENT "kind=event name=instructions_executed modes=u code=22"
#define NO    "kind=event name=hardware_interrupts modes=u code=39"

static const char *const formats[][2] = {
	{ "csv", "--csv" },
	{ "json", "--json" },
};

static void add_record(int pid, int tid, const char *command, uint32_t what)
{
	struct vpmc_record *record = &fake->record[fake->nr_records++];

	*record = (struct vpmc_record){
		.pid = pid,
		.tid = tid,
		.what = what,
		.nr_counts = 1,
		.count = { UINT64_MAX },
	};
	snprintf(record->comm, sizeof(record->comm), "%s", command);
}

static void a_count_is_the_same_in_both_formats(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(formats); i++) {
		fake->read.count[0] = UINT64_MAX;
		fake->read.count[1] = 0;
		fake->children.count[0] = 0;
		fake->children.other_events = 2;
		fake->children.stopped = 3;
		PERFEX_EXITS(0, formats[i][1], "-o", path, "-e", "0x16,0x27",
			     "true");
		assert_string_equal(
			parse_report(formats[i][0], path), EVENT
			" value=18446744073709551615 share=1.000\n" NO
			" note=never in user mode\n"
			"kind=note note=2 threads are missing in these counts:"
			" other events were counted there\n"
			"kind=note note=counting was stopped 3 times in between:"
			" what was executed then is missing in these counts\n");
	}
}

/* A command can have any name. */
static void lists_hold_any_command_name(void **state)
{
	size_t i;

	add_record(7, 8, "a,\"b\"\\\n\xff", 0);
	add_record(7, 7, "\xc3\xa9", VPMC_RECORD_OTHER);
	for (i = 0; i < ARRAY_SIZE(formats); i++) {
		fake->records_taken = 0;
		PERFEX_EXITS(0, formats[i][1], "-mp", "-o", path, "true");
		assert_string_equal(
			parse_report(formats[i][0], path),
			"kind=thread pid=7 tid=8 command=a,\"b\"\\\\x0a\\xff"
			" name=instructions_executed modes=u code=22"
			" value=18446744073709551615 share=1.000\n"
			"kind=thread pid=7 tid=7 command=\xc3\xa9"
			" name=instructions_executed modes=u code=22"
			" note=other events were counted there, or a privileged"
			" program\n"
			"kind=process pid=7 command=\xc3\xa9"
			" name=instructions_executed modes=u code=22"
			" value=18446744073709551615 share=1.000\n" EVENT
			" value=1000 share=1.000\n");
	}
}

static void what_is_projected_has_its_share(void **state)
{
	size_t i;

	fake_shared_counter();
	for (i = 0; i < ARRAY_SIZE(formats); i++) {
		PERFEX_EXITS(0, formats[i][1], "-no", path, "--multiplex", "-e",
			     "0x16@0,0x27@0:k", "true");
		assert_string_equal(parse_report(formats[i][0], path), EVENT
				    " value=400 share=0.750 low=334 high=466"
				    " confidence=95\n"
				    "kind=event name=hardware_interrupts"
				    " modes=k code=39 value=800 share=0.250"
				    " low=668 high=932 confidence=95\n");
	}
}

static void check_lines(const char *text, const char *pattern)
{
	regex_t regex;

	assert_int_equal(regcomp(&regex, pattern, REG_EXTENDED), 0);
	if (regexec(&regex, text, 0, NULL, 0))
		fail_msg("\"%s\" does not match \"%s\"", text, pattern);
	regfree(&regex);
}

/* Each interval is a report of its own. */
static void intervals_have_their_time(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(formats); i++) {
		fake->signal = SIGTERM;
		fake->signal_read = 3;
		fake->system_reads = 0;
		PERFEX_EXITS(0, formats[i][1], "-o", path, "--system",
			     "--interval", "0.001");
		check_lines(parse_report(formats[i][0], path),
			    "^(kind=event seconds=[0-9]+\\.[0-9]{3}"
			    " name=instructions_executed modes=uk code=22"
			    " value=[12]00 share=1.000\n){3}$");
	}
}

static void times_and_resources_are_added(void **state)
{
	static const char pattern[] =
		"kind=resource name=elapsed_seconds value=[0-9]+\\.[0-9]+\n"
		"kind=resource name=user_seconds value=[0-9]+\\.[0-9]+\n"
		"kind=resource name=system_seconds value=[0-9]+\\.[0-9]+\n"
		"kind=resource name=minor_faults value=[1-9][0-9]*\n"
		"kind=resource name=major_faults value=[0-9]+\n"
		"kind=resource name=voluntary_switches value=[0-9]+\n"
		"kind=resource name=involuntary_switches value=[0-9]+\n"
		"kind=resource name=max_memory_kib value=[1-9][0-9]*\n"
		"kind=resource name=instructions_per_cycle value=2\\.50*\n$";
	size_t i;

	fake->read.count[0] = 1000;
	fake->read.count[1] = 400;
	for (i = 0; i < ARRAY_SIZE(formats); i++) {
		PERFEX_EXITS(0, formats[i][1], "-no", path, "--times", "-e",
			     "instructions,clocks", "true");
		check_lines(parse_report(formats[i][0], path), pattern);
	}
}

#define RUN(kind, value) \
	"kind=" kind     \
	" name=instructions_executed modes=u code=22 value=" value "\n"

static void runs_have_their_statistics(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(formats); i++) {
		fake->read.count[0] = 1000;
		fake->self_step = 2;
		PERFEX_EXITS(0, formats[i][1], "-no", path, "-r3", "--times",
			     "true");
		check_lines(
			parse_report(formats[i][0], path),
			"^" EVENT " value=1002 share=1.000 runs=3"
			" interval=5.0 min=1000 max=1004 confidence=95\n" RUN(
				"median",
				"1002\\.0") RUN("outliers",
						"0") RUN("run",
							 "1000") RUN("run",
								     "1002")
				RUN("run",
				    "1004") "kind=resource name=elapsed_seconds"
					    " value=[0-9.]+ runs=3 interval=[0-9.e-]+"
					    " min=[0-9.e-]+ max=[0-9.e-]+ confidence=95\n");
	}
}

/* Each event is counted for some quarters of the time, and its count grows by 100 per quarter. */
static void count_quarters(uint64_t first, uint64_t step)
{
	fake->read.tsc = 4 << 20;
	fake->read.time[0] = first << 20;
	fake->read.time[1] = 4 << 20;
	fake->read.count[0] = first * 100;
	fake->self_step = step * 100;
	fake->time_step = step << 20;
	fake_equal_turns(&fake->read, 100);
}

static void check_least_share(uint64_t first, uint64_t step)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(formats); i++) {
		count_quarters(first, step);
		PERFEX_EXITS(0, formats[i][1], "-no", path, "-r3",
			     "--multiplex", "-e", "0x16@0,0x27@0:k", "true");
		check_lines(parse_report(formats[i][0], path),
			    "^" EVENT " value=400 share=0\\.250 runs=3 "
			    "interval=0.0 min=400 max=400 confidence=95\n");
	}
}

/* In one case the first run has the smallest share, and in the other case the last one. */
static void a_mean_has_the_least_share_of_its_runs(void **state)
{
	check_least_share(1, 1);
	check_least_share(3, UINT64_MAX);
}

/* The names of the columns are printed once, at the beginning. */
static void appended_rows_have_no_second_header(void **state)
{
	PERFEX_EXITS(0, "--csv", "-o", path, "--append", "true");
	PERFEX_EXITS(0, "--csv", "-o", path, "--append", "true");
	assert_string_equal(parse_report("csv", path),
			    EVENT " value=1000 share=1.000\n" EVENT
				  " value=1000 share=1.000\n");
}

static const struct CMUnitTest tests[] = {
	FILE_TEST(a_count_is_the_same_in_both_formats),
	FILE_TEST(lists_hold_any_command_name),
	FILE_TEST(what_is_projected_has_its_share),
	FILE_TEST(intervals_have_their_time),
	FILE_TEST(times_and_resources_are_added),
	FILE_TEST(runs_have_their_statistics),
	FILE_TEST(a_mean_has_the_least_share_of_its_runs),
	FILE_TEST(appended_rows_have_no_second_header),
};

UNIT_MAIN(tests)
