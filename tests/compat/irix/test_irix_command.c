// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests the options, the reports and the errors of perfex.irix.
 */
#include "../../unit/lib/unit.h"
#include "check_says.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../unit/lib/fake_driver.h"
#include "../../unit/lib/run_files.h"
#include "../../unit/lib/run_perfex.h"

#define LINE(number, name, count) number " " name " " count "\n"
#define CLOCKS			  "clocks.........................................."
#define INSTRUCTIONS		  "instructions_executed..........................."
#define BRANCHES		  "branches........................................"

static char text[16384];

static const char *read_file(const char *name)
{
	FILE *file = fopen(name, "r");

	assert_non_null(file);
	read_back(file, text, sizeof(text));
	return text;
}

static void two_events_are_reported(void **state)
{
	fake->read.count[1] = 5000000000;
	fake->children.count[0] = 200;
	assert_int_equal(PERFEX("-e", "22", "-e", "18", "true", "a b", "\n"),
			 0);
	assert_string_equal(stderr_text,
			    "Summary for execution of true a b \\x0a\n\n"
			    "   22 " INSTRUCTIONS "                 1200\n"
			    "   18 " BRANCHES "           5000000000\n");
	assert_string_equal(stdout_text, "");
	assert_int_equal(fake->started.event[0].modes, VPMC_USER);
}

static void check_started(uint64_t first, uint64_t second)
{
	assert_int_equal(fake->started.nr_events, 2);
	assert_int_equal(fake->started.event[0].code, first);
	assert_int_equal(fake->started.event[1].code, second);
	assert_int_not_equal(fake->started.event[0].counter,
			     fake->started.event[1].counter);
}

/* The event of the R10000 for cycles is clocks here. */
static void cycles_are_counted_where_nothing_is_given(void **state)
{
	assert_int_equal(PERFEX("true"), 0);
	check_started(0x100, 0x100);
	check_says(stderr_text, "  256 " CLOCKS "                 1000\n");
	assert_int_equal(PERFEX("-e", "data_read", "true"), 0);
	check_started(0, 0x100);
	assert_int_equal(PERFEX("-e", "0x2b", "-e", "0x2b", "true"), 0);
	check_started(0x2b, 0x2b);
	assert_int_equal(PERFEX("-e", "mmx_instructions_v_pipe", "true"), 0);
	check_started(0x2b, 0x100);
	assert_int_equal(fake->started.event[0].counter, 1);
}

static void the_environment_gives_events_and_e_overrides_it(void **state)
{
	setenv("T5_EVENT0", "22", 1);
	assert_int_equal(PERFEX("true"), 0);
	check_started(0x16, 0x100);
	setenv("T5_EVENT1", "18", 1);
	assert_int_equal(PERFEX("true"), 0);
	check_started(0x16, 0x12);
	assert_int_equal(PERFEX("-e", "11", "true"), 0);
	check_started(0xb, 0x100);
	unsetenv("T5_EVENT0");
	assert_int_equal(PERFEX("true"), 0);
	check_started(0x100, 0x12);
	setenv("T5_EVENT1", "63", 1);
	assert_int_equal(PERFEX("true"), 201);
	check_sentence("T5_EVENT1 ... 0x3f");
	setenv("T5_EVENT1", "", 1);
	assert_int_equal(PERFEX("true"), 0);
	check_started(0x100, 0x100);
	unsetenv("T5_EVENT1");
}

static void kernel_mode_is_counted_with_k_and_x(void **state)
{
	assert_int_equal(PERFEX("-k", "true"), 0);
	assert_int_equal(fake->started.event[0].modes, VPMC_USER | VPMC_KERNEL);
	assert_int_equal(PERFEX("-T", "-x", "true"), 0);
	assert_int_equal(fake->started.event[1].modes, VPMC_USER | VPMC_KERNEL);
	fake->start_errno = EPERM;
	assert_int_equal(PERFEX("-k", "true"), 209);
}

static unsigned int count_of(const char *where, const char *what)
{
	unsigned int nr = 0;

	for (where = strstr(where, what); where; where = strstr(where, what)) {
		where += strlen(what);
		nr++;
	}
	return nr;
}

/* A Pentium without MMX projects all events, except mispredictions and a few other events. */
static void all_events_are_projected(void **state)
{
	unsigned int i;

	fake->per_code = 10;
	fake->read.tsc = 1600;
	fake->read.nr_turns = VPMC_COUNTS_MAX;
	for (i = 0; i < VPMC_COUNTS_MAX; i++) {
		fake->read.time[i] = 100;
		fake_turns(&fake->read.turn[i], 10, 100, 20);
	}
	fake->read.time[1] = 0;
	assert_int_equal(PERFEX("-a", "true"), 0);
	assert_int_equal(fake->started.nr_events, 32);
	assert_memory_equal(stderr_text, "WARNING: Multiplexing", 21);
	assert_int_equal(count_of(stderr_text, ".. "), 32);
	check_says(stderr_text, " 22 " INSTRUCTIONS "                 3520\n");
	check_says(stderr_text, "    0 data_read");
	check_says(stderr_text,
		   "                    -  # its turn never came\n");
	/* -a ignores events of -e or of the environment. */
	setenv("T5_EVENT0", "63", 1);
	assert_int_equal(PERFEX("-e", "22", "-a", "-e", "nonsense", "true"), 0);
	assert_int_equal(fake->started.nr_events, 32);
	unsetenv("T5_EVENT0");
	/* There are 75 events. Interrupts do not happen in user mode. */
	check_says(stderr_text, "# 42 events more do not fit");
	assert_null(strstr(stderr_text, "breakpoint"));
	assert_null(strstr(stderr_text, "hardware_interrupts"));
	snprintf(fake->info.pmu, sizeof(fake->info.pmu), "p5");
	assert_int_equal(PERFEX("-a", "-k", "true"), 0);
	assert_int_equal(fake->started.nr_events, 32);
	check_says(stderr_text, "hardware_interrupts");
}

/*
 * On a processor with many more events, the common ones are present. Clocks come first, and
 * the others follow in order of their numbers.
 */
static void the_common_events_are_among_all(void **state)
{
	unsigned int i;

	snprintf(fake->info.pmu, sizeof(fake->info.pmu), "p6");
	assert_int_equal(PERFEX("-a", "true"), 0);
	assert_int_equal(fake->started.nr_events, 32);
	check_says(stderr_text, " cpu_clk_unhalted.");
	check_says(stderr_text, " inst_retired.");
	check_says(stderr_text, " br_inst_retired.");
	check_says(stderr_text, " br_miss_pred_retired.");
	assert_int_equal(fake->started.event[0].code, 0x79);
	for (i = 2; i < 32; i++)
		assert_true(fake->started.event[i].code >
			    fake->started.event[i - 1].code);
}

static void add_thread(int pid, int tid, uint64_t count, unsigned int what)
{
	struct vpmc_record *record = &fake->record[fake->nr_records++];

	*record = (struct vpmc_record){ .pid = pid,
					.tid = tid,
					.nr_counts = 2,
					.count = { count, 2 * count },
					.what = what };
	snprintf(record->comm, sizeof(record->comm), "thread%d", tid);
}

static void three_threads(void)
{
	add_thread(100, 102, 7, 0);
	add_thread(100, 101, 8, 0);
	add_thread(100, 100, 9, VPMC_RECORD_LAST);
}

static void threads_are_listed(void **state)
{
	three_threads();
	assert_int_equal(PERFEX("-mp", "-e", "22", "-e", "18", "true"), 0);
	assert_string_equal(stderr_text,
			    "Process 100, thread 3 (102), thread102\n\n"
			    "   22 " INSTRUCTIONS "                    7\n"
			    "   18 " BRANCHES "                   14\n\n"
			    "Process 100, thread 2 (101), thread101\n\n"
			    "   22 " INSTRUCTIONS "                    8\n"
			    "   18 " BRANCHES "                   16\n\n"
			    "Process 100, thread 1 (100), thread100\n\n"
			    "   22 " INSTRUCTIONS "                    9\n"
			    "   18 " BRANCHES "                   18\n\n"
			    "Summary for execution of true\n\n"
			    "   22 " INSTRUCTIONS "                 1000\n"
			    "   18 " BRANCHES " 18446744073709551615\n");
}

static void one_thread_is_listed(void **state)
{
	three_threads();
	assert_int_equal(PERFEX("-pp", "2", "-e", "22", "true"), 0);
	assert_int_equal(count_of(stderr_text, "Process "), 1);
	assert_memory_equal(stderr_text, "Process 100, thread 2 (101)", 27);
	fake->records_taken = 0;
	assert_int_equal(PERFEX("-pp", "-e", "22", "true"), 0);
	assert_int_equal(count_of(stderr_text, "Process "), 3);
}

static void a_file_keeps_what_it_has_until_the_command_runs(void **state)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs("before\n", file);
	fclose(file);
	assert_int_equal(PERFEX("-o", path, "/nowhere/command"), 127);
	assert_string_equal(read_file(path), "before\n");
	assert_int_equal(PERFEX("-o", path, "-e", "22", "true"), 0);
	assert_memory_equal(read_file(path), "Summary for execution of true\n",
			    30);
	assert_null(strstr(text, "before"));
}

static void each_thread_has_a_file(void **state)
{
	char name[160];

	add_thread(100, 101, 8, 0);
	add_thread(100, 100, 9, VPMC_RECORD_LAST);
	fake->record[0].what |= VPMC_RECORD_OTHER;
	assert_int_equal(PERFEX("-mp", "-o", path, "-e", "22", "true"), 0);
	assert_string_equal(stderr_text, "");
	assert_memory_equal(read_file(path), "Summary for execution of true\n",
			    30);
	snprintf(name, sizeof(name), "%s.100", path);
	assert_memory_equal(read_file(name), "Process 100, thread 1 (100)", 27);
	assert_int_equal(unlink(name), 0);
	snprintf(name, sizeof(name), "%s.101", path);
	check_says(read_file(name), "# not counted: ");
	assert_int_equal(unlink(name), 0);
}

static void a_full_disk_is_told_of(void **state)
{
	assert_int_equal(PERFEX("-o", "/dev/full", "-e", "22", "true"), 210);
	check_sentence("cannot write to /dev/full ... No space left");
	assert_int_equal(PERFEX("-p", "1", "-o", "/dev/full", "sleep", "0.1"),
			 210);
	check_sentence("cannot write to /dev/full ... No space left");
}

/* The samples have the counts of all processes. The command ends after the third sample. */
static void samples_are_written_while_it_runs(void **state)
{
	char script[200];

	fake->all.count[0] = 77;
	snprintf(script, sizeof(script),
		 "until grep -q 'Sample 3' %s; do :; done", path);
	assert_int_equal(PERFEX("-p", "1", "-e", "22", "-o", path, "sh", "-c",
				script),
			 0);
	assert_memory_equal(read_file(path), "Sample 1 at ", 12);
	check_says(text, "                   77\n");
	check_says(text, "\nSample 2 at ");
	check_says(text, "Summary for execution of sh -c");
}

static void without_a_signal_nothing_is_counted(void **state)
{
	assert_int_equal(PERFEX("-s", "true"), 0);
	assert_string_equal(stderr_text, "WARNING: nothing was counted, because"
					 " no SIGUSR1 has come\n");
}

static const struct {
	const char *args[6];
	int status;
	const char *word;
} errors[] = {
	{ { "-e", "1", "-e", "2", "-e" }, 200, "-e needs an argument" },
	{ { "-q", "true" }, 200, "unknown option \"-q\"" },
	{ { "-m", "true" }, 200, "unknown option \"-m\"" },
	{ { "-e", "22" }, 200, "give a command" },
	{ { "-mp", "-s", "true" }, 200, "-s cannot be combined" },
	{ { "-pp", "-s", "true" }, 200, "-s cannot be combined" },
	{ { "-mp", "-p", "10", "true" }, 200, "-p cannot be combined" },
	{ { "-s", "-p", "10", "true" }, 200, "-p cannot be combined with -s" },
	{ { "-p", "0", "true" }, 200, "\"0\" of -p" },
	{ { "-p", "-1", "true" }, 200, "\"-1\" of -p" },
	{ { "-p", "5ms", "true" }, 200, "\"5ms\" of -p" },
	{ { "-c", "file", "true" }, 200, "-c needs -y or -t" },
	{ { "-o" }, 200, "-o needs an argument" },
	{ { "-e", "63", "true" }, 201, "unknown event" },
	{ { "-e", "nonsense", "true" }, 201, "unknown event" },
	{ { "-e", "emms_executed", "-e", "fp_stalls", "true" },
	  204,
	  "conflicting counters: " },
	{ { "-o", "/nowhere/file", "true" }, 210, "/nowhere/file" },
	{ { "/nowhere/command" }, 127, "cannot find the command" },
};

static void each_error_has_its_sentence(void **state)
{
	const char *args[8] = { "perfex.irix" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(errors); i++) {
		memcpy(args + 1, errors[i].args, sizeof(errors[i].args));
		assert_int_equal(perfex(args), errors[i].status);
		check_sentence("%s", errors[i].word);
	}
	assert_int_equal(PERFEX("-e", "1", "-e", "2", "-e", "3", "true"), 200);
	check_sentence("-e can be given twice");
	fake->open_errno = ENOENT;
	assert_int_equal(PERFEX("true"), 206);
	check_sentence("/dev/vpmc");
}

static void the_status_is_the_commands(void **state)
{
	assert_int_equal(PERFEX("--", "sh", "-c", "exit 7"), 7);
	assert_int_equal(PERFEX("-h"), 0);
	assert_memory_equal(stdout_text, "usage: perfex.irix ", 19);
	assert_string_equal(stderr_text, "");
}

static const struct CMUnitTest tests[] = {
	DIRECTORY_TEST(two_events_are_reported),
	DIRECTORY_TEST(cycles_are_counted_where_nothing_is_given),
	DIRECTORY_TEST(the_environment_gives_events_and_e_overrides_it),
	DIRECTORY_TEST(kernel_mode_is_counted_with_k_and_x),
	DIRECTORY_TEST(all_events_are_projected),
	DIRECTORY_TEST(the_common_events_are_among_all),
	DIRECTORY_TEST(threads_are_listed),
	DIRECTORY_TEST(one_thread_is_listed),
	DIRECTORY_TEST(a_file_keeps_what_it_has_until_the_command_runs),
	DIRECTORY_TEST(each_thread_has_a_file),
	DIRECTORY_TEST(a_full_disk_is_told_of),
	DIRECTORY_TEST(samples_are_written_while_it_runs),
	DIRECTORY_TEST(without_a_signal_nothing_is_counted),
	DIRECTORY_TEST(each_error_has_its_sentence),
	DIRECTORY_TEST(the_status_is_the_commands),
};

UNIT_MAIN(tests)
