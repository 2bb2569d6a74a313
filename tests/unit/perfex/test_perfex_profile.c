// SPDX-License-Identifier: GPL-2.0-only
/* This file tests perfex --profile over rings that the test fills. */
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check_says.h"
#include "fake_driver.h"
#include "labelled.h"
#include "run_files.h"
#include "run_perfex.h"
#include "symbols/symbols.h"
#include "util/status.h"

#define PROG "/nowhere/prog"

static int setup(void **state)
{
	if (file_setup(state))
		return -1;
	fake->all.nr_counts = 1;
	fake->read.nr_counts = 1;
	fake->children.nr_counts = 1;
	fake->all.count[0] = 12345678;
	return 0;
}

static void fill_map(uint64_t tsc, uint32_t pid, uint64_t begin,
		     const char *file)
{
	const struct vpmc_change map = { .tsc = tsc,
					 .pid = pid,
					 .begin = begin,
					 .end = begin + 0x1000,
					 .inode = *file ? 5 : 0 };

	fake_change(1, VPMC_CHANGE_MAP, &map, file);
}

/* The command executes a program, which forks a child with other memory. */
static void fill_two_processes(void)
{
	const struct vpmc_change exec = { .tsc = 1, .pid = 101 };
	const struct vpmc_change fork = { .tsc = 4, .pid = 101, .begin = 9 };
	const struct vpmc_change born = { .tsc = 5, .pid = 102, .begin = 9 };
	uint64_t i;

	fake_change(1, VPMC_CHANGE_EXEC, &exec, "prog");
	fill_map(2, 101, 0x1000, PROG);
	for (i = 0; i < 6; i++)
		fake_sample(0, 3, 1, 0x1000 + i);
	fake_change(0, VPMC_CHANGE_FORK, &fork, NULL);
	fake_change(0, VPMC_CHANGE_BORN, &born, NULL);
	fill_map(6, 102, 0x2000, "");
	fake_sample(0, 7, 2, 0x1004);
	fake_sample(0, 7, 2, 0x2004);
	fake_sample(0, 8, 2, 0x3004);
	fake_sample(0, 9, 1, 0x2004);
	fake_ring(1)->lost = 2;
}

static const char *reason(void)
{
	static char text[256];
	struct symbols *symbols = symbols_open();
	struct symbols_place place;

	symbols_expect(symbols, PROG, 0, 5, UINT64_MAX);
	snprintf(text, sizeof(text), "%s",
		 symbols_reason((enum symbols_result)symbols_find(symbols, PROG,
								  0, &place)));
	symbols_close(symbols);
	return text;
}

static const char *table(void)
{
	static char text[2048];

	snprintf(text, sizeof(text),
		 "# profile of instructions_executed:u, a sample every 1000000"
		 " events\n"
		 "# share                samples  function  object         "
		 "program\n"
		 " 70.00%% +- 30.32%%           7  -         " PROG "  prog\n"
		 " 20.00%% +- 30.98%%           2  -         [unknown]      "
		 "prog\n"
		 " 10.00%% +- 30.42%%           1  -         [anonymous]    "
		 "prog\n"
		 "# 10 samples, at most 12 expected from 12345678 events\n"
		 "# 2 of them are in memory of which no mapping is known\n"
		 "# 2 samples are lost: there was no room for them\n"
		 "# " PROG ": %s\n",
		 reason());
	return text;
}

#define COUNT "            12345678  0x16   instructions_executed:u\n"

static void the_table_follows_the_report(void **state)
{
	char text[4096];

	fake->fill_rings = fill_two_processes;
	PERFEX_EXITS(0, "--profile", "-e", "0x16/1000000", "true");
	snprintf(text, sizeof(text), COUNT "%s", table());
	assert_string_equal(stderr_text, text);
	assert_int_equal(fake->started.nr_events, 1);
	assert_int_equal(fake->started.event[0].period, 1000000);
	assert_true(fake->started.flags & VPMC_START_COLLECT);
}

static void the_default_event_has_a_period(void **state)
{
	PERFEX_EXITS(0, "--profile", "true");
	assert_int_equal(fake->started.event[0].period, 1000000);
}

static void the_table_can_have_a_file(void **state)
{
	char option[256];

	fake->fill_rings = fill_two_processes;
	snprintf(option, sizeof(option), "--profile=%s", path);
	PERFEX_EXITS(0, option, "-e", "0x16/1000000", "true");
	assert_string_equal(stderr_text, COUNT);
	check_file(path, table());
}

static void the_options_reach_the_driver(void **state)
{
	PERFEX_EXITS(0, "--profile", "--call-graph=7", "--seed", "4294967295",
		     "-e", "0x16/5000~700", "true");
	assert_int_equal(fake->started.event[0].period, 5000);
	assert_int_equal(fake->sampling.jitter[0], 700);
	assert_int_equal(fake->sampling.seed, UINT32_MAX);
	assert_int_equal(fake->sampling.callers, 7);
	check_says(stderr_text,
		   "every 5000 events on average, 700 more or less,"
		   " --seed 4294967295 ... 0 samples, about 2469 expected");
	PERFEX_EXITS(0, "--profile", "--call-graph", "true");
	assert_int_equal(fake->sampling.callers, 127);
	assert_int_equal(fake->sampling.jitter[0], 0);
}

static void fill_ticks(void)
{
	const struct vpmc_change several = { .tsc = 20,
					     .pid = 100,
					     .tid = 100,
					     .begin = VPMC_WHERE_LATE | 0x10,
					     .end = 6 };

	fake_sample(0, 10, 0, VPMC_WHERE_LATE | 0x20);
	fake_change(0, VPMC_CHANGE_SAMPLES, &several, NULL);
}

/* Seven samples of two moments have the error of 7 * 7 / (1 + 6 * 6) of them. */
static const char *const at_ticks =
	"a sample every 1000000 events, at clock ticks ..."
	" 100.00% +- 74.36%           7 ... # 7 samples, at most 12 expected from"
	" 12345678 events\n# 7 of them are in memory";

static void
samples_are_taken_at_ticks_if_counters_do_not_interrupt(void **state)
{
	fake->fill_rings = fill_ticks;
	fake->samples_errno = EOPNOTSUPP;
	PERFEX_EXITS(0, "--profile", "-e", "0x16/1000000", "true");
	assert_int_equal(fake->sampling.flags, VPMC_SAMPLES_TICKS);
	check_says(stderr_text, at_ticks);
	PERFEX_EXITS(PERFEX_UNSUPPORTED, "--profile", "--call-graph", "true");
	check_says(stderr_text, "interrupt ... samples at ticks");
}

static void samples_are_taken_at_ticks_on_request(void **state)
{
	fake->fill_rings = fill_ticks;
	PERFEX_EXITS(0, "--profile", "--ticks", "-e", "0x16/1000000", "true");
	assert_int_equal(fake->sampling.flags, VPMC_SAMPLES_TICKS);
	check_says(stderr_text, at_ticks);
}

static const char *in_directory(const char *name)
{
	static char text[2][512];
	static unsigned int last;

	last = !last;
	snprintf(text[last], sizeof(text[last]), "%s.%s", path, name);
	return text[last];
}

static void remove_profiles(void)
{
	unlink(in_directory("1.profile"));
	unlink(in_directory("2.profile"));
	unlink(in_directory("3.profile"));
}

/* Names have other numbers here than in the profile of fill_two_processes(). */
static void fill_another_program(void)
{
	const struct vpmc_change exec = { .tsc = 1, .pid = 101 };
	uint64_t i;

	fake_change(0, VPMC_CHANGE_EXEC, &exec, "other");
	fill_map(2, 101, 0x1000, "/nowhere/other");
	for (i = 0; i < 10; i++)
		fake_sample(0, 3, 1, 0x1000 + i);
}

static void save_as(const char *name, void (*fill_all)(void), const char *event)
{
	char option[512];

	fake->fill_rings = fill_all;
	snprintf(option, sizeof(option), "--profile=%s", in_directory(name));
	PERFEX_EXITS(0, option, "-e", event, "true");
}

static void saved_profiles_are_merged(void **state)
{
	static char text[sizeof(stderr_text)];
	char merged[512];

	save_as("1.profile", fill_two_processes, "0x16/1000000");
	snprintf(text, sizeof(text), COUNT "%s", table());
	assert_string_equal(stderr_text, text);
	save_as("2.profile", fill_another_program, "0x16/1000000");
	snprintf(merged, sizeof(merged), "--profile=%s",
		 in_directory("3.profile"));
	PERFEX_EXITS(0, "--merge", merged, in_directory("1.profile"),
		     in_directory("2.profile"));
	check_says(stderr_text,
		   " 50.00% +- 20.07%          10  - ... /nowhere/other  other"
		   " ... 7  - ... " PROG
		   " ... prog ... # 20 samples, at most 24"
		   " expected from 24691356 events ... # 2 of them are in"
		   " memory ... # 2 samples are lost");
	snprintf(text, sizeof(text), "%s", stderr_text);
	/* The sum alone is the same as before. */
	PERFEX_EXITS(0, "--merge", "--profile", in_directory("3.profile"));
	assert_string_equal(stderr_text, text);
	PERFEX_EXITS(PERFEX_INPUT, "--merge", "--profile",
		     in_directory("1.profile"), in_directory("1.profile"));
	check_sentence("the same file");
	save_as("3.profile", fill_another_program, "0x16/1000001");
	PERFEX_EXITS(PERFEX_INPUT, "--merge", "--profile",
		     in_directory("1.profile"), in_directory("3.profile"));
	check_sentence("3.profile ... events and periods of the others");
	remove_profiles();
}

/* A file that ends early is not merged. */
static void damaged_profiles_are_refused(void **state)
{
	struct stat status;
	off_t bytes;

	save_as("1.profile", fill_two_processes, "0x16/1000000");
	assert_int_equal(stat(in_directory("1.profile"), &status), 0);
	for (bytes = 0; bytes < status.st_size; bytes += 7) {
		run_shell("head -c %d %s >%s", (int)bytes,
			  in_directory("1.profile"), in_directory("2.profile"));
		PERFEX_EXITS(PERFEX_INPUT, "--merge", "--profile",
			     in_directory("2.profile"));
		check_sentence("2.profile ... not a whole profile");
	}
	PERFEX_EXITS(PERFEX_INPUT, "--merge", "--profile", "/nowhere");
	check_sentence("/nowhere: No such file");
	remove_profiles();
}

/* The rings become smaller until they fit into RLIMIT_MEMLOCK. */
static void rings_that_do_not_fit_are_refused(void **state)
{
	fake->samples_errno = ENOMEM;
	PERFEX_EXITS(PERFEX_SYSTEM, "--profile", "true");
	check_sentence("RLIMIT_MEMLOCK");
	assert_int_equal(fake->sampling.ring_size, 16384);
}

/* A stack that is too small for elfutils is refused before the command runs. */
static void a_small_stack_is_refused(void **state)
{
	struct rlimit limit;
	rlim_t before;

	assert_int_equal(getrlimit(RLIMIT_STACK, &limit), 0);
	before = limit.rlim_cur;
	limit.rlim_cur = 511 << 10;
	assert_int_equal(setrlimit(RLIMIT_STACK, &limit), 0);
	PERFEX_EXITS(PERFEX_SYSTEM, "--profile", "true");
	limit.rlim_cur = before;
	assert_int_equal(setrlimit(RLIMIT_STACK, &limit), 0);
	check_sentence("511 KB ... needs 512 ... ulimit -s 512");
}

/* Each of these command lines exits with PERFEX_USAGE. */
static const struct {
	const char *line;
	const char *words;
} refusals[] = {
	{ "perfex --profile -e 0x16 true", "needs an event with a period" },
	{ "perfex -e 0x16/1000 true", "0x16 ... only --profile ... /1000" },
	{ "perfex --profile -e 0x16/ true", "\"\" is not a period" },
	{ "perfex --profile -e 0x16/0 true", "\"0\" is not a period" },
	{ "perfex --profile -e 0x16/x true", "\"x\" ... 1000 to 2147483647" },
	{ "perfex --profile -e 0x16/-5 true", "\"-5\" is not a period" },
	{ "perfex --profile -e 0x16/2147483648 true", "\"2147483648\"" },
	{ "perfex --profile -e 0x16/5000~ true", "\"5000~\" is not a period" },
	{ "perfex --profile -e 0x16/5000~x true", "\"5000~x\" ... after a" },
	{ "perfex --profile -e 0x16/5000~0 true",
	  "\"5000~0\" is not a period" },
	{ "perfex --profile --seed 1 true", "--seed needs an event" },
	{ "perfex --profile --seed -1 true", "\"-1\" is not a seed" },
	{ "perfex --profile --seed 4294967296 true", "0 to 4294967295" },
	{ "perfex --profile --call-graph=0 true", "\"0\" ... from 1 to 127" },
	{ "perfex --profile --call-graph=128 true",
	  "\"128\" ... from 1 to 127" },
	{ "perfex --call-graph true", "--call-graph ... --profile" },
	{ "perfex --ticks true", "--ticks ... --profile" },
	{ "perfex --profile --delay 1 true",
	  "--delay ... stopped processes do not report their mappings" },
	{ "perfex --profile --signals true", "--signals ... stopped" },
	{ "perfex --profile --control a true", "--control ... stopped" },
	{ "perfex --profile --live true", "--live ... when the count ends" },
	{ "perfex --profile --ticks --seed 1 true", "--ticks ... --seed" },
	{ "perfex --profile --csv true", "--profile ... --csv" },
	{ "perfex --profile -n true", "--profile ... -n" },
	{ "perfex --profile --system --cpu 0 true", "--profile ... --cpu" },
	{ "perfex --profile --system --force true", "--profile ... --force" },
	{ "perfex --profile -t 1", "--profile ... -t" },
	{ "perfex --lines true", "--lines ... --profile" },
	{ "perfex --profile --lines --annotate true",
	  "--lines ... --annotate" },
};

static void every_refusal_is_a_sentence(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(refusals); i++)
		check_refused(refusals[i].line, PERFEX_USAGE,
			      refusals[i].words);
}

static void a_short_period_is_refused(void **state)
{
	PERFEX("--profile", "-e", "0x16/999", "true");
	check_sentence("999 ... short ... 1000");
	PERFEX("--profile", "-e", "0x16/5000~4001", "true");
	check_sentence("jitter 4001 ... 5000 give at most 4000");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, file_teardown)

static const struct CMUnitTest tests[] = {
	TEST(the_table_follows_the_report),
	TEST(the_default_event_has_a_period),
	TEST(the_table_can_have_a_file),
	TEST(the_options_reach_the_driver),
	TEST(samples_are_taken_at_ticks_if_counters_do_not_interrupt),
	TEST(samples_are_taken_at_ticks_on_request),
	TEST(saved_profiles_are_merged),
	TEST(damaged_profiles_are_refused),
	TEST(rings_that_do_not_fit_are_refused),
	TEST(a_small_stack_is_refused),
	TEST(every_refusal_is_a_sentence),
	TEST(a_short_period_is_refused),
};

UNIT_MAIN(tests)
