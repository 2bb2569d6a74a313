// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests perfex --compare: the runs of several commands, and the comparison of each
 * command with the first one.
 *
 * The driver's count grows with each run of any command. So a count shows the place of its run in
 * the order of runs.
 */
#include "unit.h"

#include <signal.h>
#include <string.h>

#include "events/count_spec.h"
#include "fake_driver.h"
#include "fake_system.h"
#include "run_files.h"
#include "run_perfex.h"
#include "util/status.h"

/*
 * A command line has perfex, options, and the maximum number of commands with words between them.
 */
#define MANY (4 + 2 * (COMMANDS_MAX + 1))

static int teardown(void **state)
{
	stdin_path = "/dev/null";
	return file_teardown(state);
}

/*
 * The counts of the first command are 1000, 1004, 1008, and of the second 1002, 1006, 1010. The
 * intervals are t(2) s / sqrt(3) with s = 4. test_ratio.c works out the interval of the ratio.
 */
static void commands_run_in_turn_and_are_compared(void **state)
{
	fake->self_step = 2;
	PERFEX_EXITS(0, "--compare", "-r3", "-n", "-e", "0x16,0x12", "echo",
		     "a", "::", "echo", "b c");
	assert_string_equal(stdout_text, "a\nb c\na\nb c\na\nb c\n");
	assert_string_equal(
		stderr_text,
		"# command 1: echo a\n"
		"                1004  0x16   instructions_executed:u"
		"  # mean of 3 runs +- 9.9 (95 %), 1000 to 1008\n"
		"18446744073709551615  0x12   branches:u"
		"  # the same in all 3 runs\n"
		"# command 2: echo 'b c'\n"
		"                1006  0x16   instructions_executed:u"
		"  # mean of 3 runs +- 9.9 (95 %), 1002 to 1010\n"
		"18446744073709551615  0x12   branches:u"
		"  # the same in all 3 runs\n"
		"# ratios to command 1\n"
		"            1.001992  0x16   instructions_executed:u"
		"  # command 2, 0.992992 to 1.011074 (95 %)\n"
		"            1.000000  0x12   branches:u"
		"  # command 2, the same in all runs\n");
}

static void each_command_has_a_ratio_to_the_first(void **state)
{
	fake->self_step = 1000;
	PERFEX_EXITS(0, "--compare", "-n", "true", "::", "true", "::", "true");
	assert_string_equal(
		stderr_text,
		"# command 1: true\n"
		"                1000  0x16   instructions_executed:u\n"
		"# command 2: true\n"
		"                2000  0x16   instructions_executed:u\n"
		"# command 3: true\n"
		"                3000  0x16   instructions_executed:u\n"
		"# ratios to command 1\n"
		"            2.000000  0x16   instructions_executed:u"
		"  # command 2, of one run\n"
		"            3.000000  0x16   instructions_executed:u"
		"  # command 3, of one run\n");
}

static void another_word_can_separate_commands(void **state)
{
	PERFEX_EXITS(0, "--compare=vs", "-n", "--", "echo", "::", "vs", "echo",
		     "--", "-e");
	assert_string_equal(stdout_text, "::\n-- -e\n");
}

static const struct {
	const char *line;
	const char *words;
} bad[] = {
	{ "perfex --compare true", "2 to 16 ... \"::\"" },
	{ "perfex --compare=vs true :: true", "2 to 16 ... \"vs\"" },
	{ "perfex --compare true ::", "2 to 16" },
	{ "perfex --compare -- :: true", "2 to 16" },
	{ "perfex --compare true :: :: true", "2 to 16" },
	{ "perfex --compare", "command" },
	{ "perfex --compare --compare=x true", "--compare is given twice" },
	{ "perfex --compare --system true :: true", "--compare ... --system" },
	{ "perfex --compare -p1", "--compare ... -p" },
	{ "perfex --compare -m true :: true", "--compare ... -m" },
	{ "perfex --compare --regions true :: true",
	  "--compare ... --regions" },
	{ "perfex --compare --interval=1 true :: true",
	  "--compare ... --interval" },
	{ "perfex --compare -l", "-l ... --compare" },
};

static void what_cannot_be_compared_is_refused(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		check_refused(bad[i].line, PERFEX_USAGE, bad[i].words);
		assert_int_equal(fake->started.size, 0);
	}
}

static void there_is_a_largest_number_of_commands(void **state)
{
	const char *args[MANY] = { "perfex", "--compare", "-n" };
	size_t nr = 3, i;

	for (i = 0; i < COMMANDS_MAX; i++) {
		args[nr++] = "true";
		args[nr++] = "::";
	}
	args[nr - 1] = NULL;
	assert_true(nr <= MAX_ARGS);
	assert_int_equal(perfex(args), 0);
	check_says(stderr_text, "# command 16: true\n");
	args[nr - 1] = "::";
	args[nr] = "true";
	assert_int_equal(perfex(args), PERFEX_USAGE);
	check_sentence("2 to 16");
}

static void warmups_and_lines_around_belong_to_each_run(void **state)
{
	fake->self_step = 1;
	PERFEX_EXITS(0, "--compare", "--warmup=1", "--pre", "echo pre",
		     "--post", "echo post", "-n", "echo", "a", "::", "echo",
		     "b");
	assert_string_equal(stdout_text, "pre\na\npost\npre\nb\npost\n"
					 "pre\na\npost\npre\nb\npost\n");
	/* The warm-ups have had the counts 1000 and 1001. */
	check_says(stderr_text, "                1002  0x16 ");
	check_says(stderr_text, "                1003  0x16 ");
	PERFEX_EXITS(PERFEX_AROUND, "--compare", "-r2", "--post", "exit 9",
		     "-n", "echo", "a", "::", "echo", "b");
	assert_string_equal(stdout_text, "a\n");
	check_says(stderr_text, "# 1 of 2 runs are counted");
	check_says(stderr_text, "# command 2, its run did not take place\n");
}

static void each_run_reads_the_same_input(void **state)
{
	fill(path, "text\n");
	stdin_path = path;
	PERFEX_EXITS(0, "--compare", "-r2", "-n", "cat", "::", "cat", "-");
	assert_string_equal(stdout_text, "text\ntext\ntext\ntext\n");
	stdin_path = "/dev/zero";
	PERFEX_EXITS(PERFEX_USAGE, "--compare", "-n", "true", "::", "true");
	check_sentence("standard input");
}

/* perfex exits with the status of the first failed run of the first command with a failed run. */
static void the_exit_status_is_that_of_a_failure(void **state)
{
	static const char third[] =
		"echo x >> $0; test $(wc -l < $0) -lt 3 || exit 3";

	PERFEX_EXITS(4, "--compare", "-r2", "-n", "true", "::", "sh", "-c",
		     "exit 4", "::", "false");
	check_says(stderr_text, "# command 3: false\n"
				"                1000  0x16   "
				"instructions_executed:u"
				"  # the same in all 2 runs\n"
				"# 2 runs have ended otherwise than with exit"
				" status 0\n");
	/* The first command fails in its last run, after a failure of the second command. */
	fill(path, "");
	PERFEX_EXITS(3, "--compare", "-r3", "-n", "sh", "-c", third, path,
		     "::", "sh", "-c", "exit 4");
	/* A warm-up is not counted, and its failure does not matter. */
	fill(path, "");
	PERFEX_EXITS(0, "--compare", "--warmup=1", "-n", "sh", "-c",
		     "test -s $0 || { echo >> $0; exit 3; }", path,
		     "::", "true");
}

static void a_signal_ends_the_runs_of_all(void **state)
{
	PERFEX_EXITS(128 + SIGINT, "--compare", "-r3", "-n", "sh", "-c",
		     "echo a; exit 3", "::", "sh", "-c",
		     "echo b; kill -INT $$");
	assert_string_equal(stdout_text, "a\nb\n");
	check_says(stderr_text, "# 1 of 3 runs are counted");
	PERFEX_EXITS(128 + SIGINT, "--compare", "--warmup=3", "-n", "sh", "-c",
		     "echo a; kill -INT $$", "::", "echo", "b");
	assert_string_equal(stdout_text, "a\n");
	assert_string_equal(stderr_text, "");
}

static void a_command_that_is_not_there_takes_nothing_of_others(void **state)
{
	PERFEX_EXITS(PERFEX_NOT_FOUND, "--compare", "-r2", "-n", "--times",
		     "--status-file", path, "true",
		     "::", "no-such-command-anywhere");
	check_file(path, "perfex 127\n");
	check_says(stderr_text, "# command 1: true\n                1000 ");
	check_says(stderr_text, "# command 2: no-such-command-anywhere\n"
				"                   -  0x16   "
				"instructions_executed:u"
				"  # its run did not take place\n"
				"# 0 of 2 runs are counted");
	check_says(stderr_text, "                   -  -      elapsed_seconds"
				"  # command 2, its run did not take place\n");
	/* Without any run, there is no report. */
	PERFEX_EXITS(PERFEX_NOT_FOUND, "--compare", "-n",
		     "no-such-command-anywhere", "::", "true");
	check_sentence("no-such-command");
}

static void the_status_file_names_the_run_that_decides(void **state)
{
	PERFEX_EXITS(4, "--compare", "--status-file", path, "-n", "true",
		     "::", "sh", "-c", "exit 4", "::", "true");
	check_file(path, "exit 4\n");
}

static void several_sets_of_events_are_compared(void **state)
{
	fake->per_code = 10;
	PERFEX_EXITS(0, "--compare", "--runs", "-r2", "--warmup=1", "-n", "-e",
		     "0x16,0x12,0x1", "echo", "a", "::", "echo", "b");
	assert_string_equal(stdout_text, "a\nb\na\na\nb\nb\na\na\nb\nb\n");
	check_says(
		stderr_text,
		"# command 2: echo b\n"
		"                 220  0x16   instructions_executed:u"
		"  # the same in all 2 runs\n"
		"                 180  0x12   branches:u"
		"  # the same in all 2 runs\n"
		"                  10  0x01   data_write:u"
		"  # the same in all 2 runs\n"
		"# the events were counted in 4 runs of the command, each all"
		" the time\n"
		"# ratios to command 1\n"
		"            1.000000  0x16   instructions_executed:u"
		"  # command 2, the same in all runs\n");
}

static void what_has_no_ratio_says_why(void **state)
{
	fake->read.count[0] = 0;
	fake->read.count[1] = 0;
	fake->self_step = 5;
	PERFEX_EXITS(0, "--compare", "-n", "-e", "0x16,0x27", "true",
		     "::", "true");
	check_says(stderr_text,
		   "# ratios to command 1\n"
		   "                   -  0x16   instructions_executed:u"
		   "  # command 2, command 1 has none\n"
		   "                   -  0x27   hardware_interrupts:u"
		   "  # command 2, command 1: never in user mode\n");
	/* The runs have 1 and 2001, so the mean of more runs might be 0. */
	fake->read.count[0] = 1;
	fake->self_step = 1000;
	PERFEX_EXITS(0, "--compare", "-r2", "-n", "true", "::", "true");
	check_says(stderr_text,
		   "            1.999001  0x16   instructions_executed:u"
		   "  # command 2, no interval: the runs of command 1"
		   " differ too much\n");
}

static void what_is_projected_is_marked(void **state)
{
	fake_shared_counter();
	PERFEX_EXITS(0, "--compare", "-r2", "-n", "--multiplex", "-e",
		     "0x16@0,0x12@0", "true", "::", "true");
	check_says(
		stderr_text,
		"            1.000000  0x16   instructions_executed:u"
		"  # command 2, projected from 75.0% of the time, the same in"
		" all runs\n");
}

static const char *const formats[][2] = {
	{ "csv", "--csv" },
	{ "json", "--json" },
};

/* This is the form in which read_report.py prints a row of an event with its number. */
#define ROW(kind, command, event, value, number)                        \
	"kind=" kind " command=" command " name=" event " value=" value \
	" number=" number "\n"
#define RUNS(command, event, median, first, second, third, number) \
	ROW("median", command, event, median, number)              \
	ROW("outliers", command, event, "0", number)               \
	ROW("run", command, event, first, number)                  \
	ROW("run", command, event, second, number)                 \
	ROW("run", command, event, third, number)
#define SH "sh -c 'exit 0 # \"a\",\\x0a\\x1b'"

/* This is the output for programs if the second of two commands fails. */
static const char two_commands[] =
	"kind=event command=sh -c 'exit 0 #"
	" \"a\",\\x0a\\x1b' name=instructions_executed modes=u"
	" code=22 value=1004 share=1.000 runs=3 interval=22.9"
	" min=1000 max=1008 number=1 confidence=99\n" RUNS(
		SH, "instructions_executed modes=u code=22", "1004.0", "1000",
		"1004", "1008",
		"1") "kind=event command=sh -c 'exit 0 #"
		     " \"a\",\\x0a\\x1b' name=branches modes=u code=18"
		     " value=18446744073709551615 share=1.000 runs=3"
		     " interval=0.0 min=18446744073709551615"
		     " max=18446744073709551615 number=1 confidence=99\n" RUNS(
			     SH, "branches modes=u code=18",
			     "18446744073709551615.0", "18446744073709551615",
			     "18446744073709551615", "18446744073709551615",
			     "1") "kind=event command=false"
				  " name=instructions_executed modes=u code=22"
				  " value=1006 share=1.000 runs=3 interval=22.9"
				  " min=1002 max=1010 number=2 confidence=99\n" RUNS(
					  "false",
					  "instructions_executed modes=u code=22",
					  "1006.0", "1002", "1006", "1010",
					  "2") "kind=event command=false name=branches"
					       " modes=u code=18 value=18446744073709551615"
					       " share=1.000 runs=3 interval=0.0"
					       " min=18446744073709551615 max=18446744073709551615"
					       " number=2 confidence=99\n" RUNS(
						       "false",
						       "branches modes=u code=18",
						       "18446744073709551615.0",
						       "18446744073709551615",
						       "18446744073709551615",
						       "18446744073709551615",
						       "2") "kind=note command=false note=3 runs have"
							    " ended otherwise than with exit status 0"
							    " number=2\n"
							    "kind=ratio command=false"
							    " name=instructions_executed modes=u code=22"
							    " value=1.001992 share=1.000"
							    " number=2 low=0.987111"
							    " high=1.017098 confidence=99\n"
							    "kind=ratio command=false name=branches"
							    " modes=u code=18 value=1.000000 share=1.000"
							    " note=the same in all runs number=2\n";

static void programs_read_the_same(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(formats); i++) {
		fake->read.count[0] = 1000;
		fake->self_step = 2;
		PERFEX_EXITS(1, formats[i][1], "--compare", "-r3", "-n",
			     "--confidence=99", "-o", path, "-e", "0x16,0x12",
			     "sh", "-c", "exit 0 # \"a\",\n\x1b",
			     "::", "false");
		assert_string_equal(parse_report(formats[i][0], path),
				    two_commands);
	}
}

static void programs_read_the_times(void **state)
{
	const char *found;
	char *times;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(formats); i++) {
		PERFEX_EXITS(0, formats[i][1], "--compare", "-n", "-o", path,
			     "--times", "true", "::", "true");
		found = parse_report(formats[i][0], path);
		times = strstr(found, "kind=ratio command=true"
				      " name=elapsed_seconds value=");
		assert_non_null(times);
		check_says(times, " share=1.000 note=of one run"
				  " number=2\n");
		check_says(found, "kind=resource"
				  " command=true"
				  " name=max_memory_kib value=");
	}
}

/* Check the share of a ratio. The first command is counted for @first quarters of the time. */
static void check_share_of_ratio(uint64_t first, uint64_t step)
{
	const char *found;

	fake->read.tsc = 4 << 20;
	fake->read.time[0] = first << 20;
	fake->read.time[1] = 4 << 20;
	fake->time_step = step << 20;
	fake_equal_turns(&fake->read, 40);
	PERFEX_EXITS(0, "--csv", "--compare", "-n", "-o", path, "--multiplex",
		     "-e", "0x16@0,0x12@0:k", "true", "::", "true");
	found = strstr(parse_report("csv", path), "kind=ratio");
	assert_non_null(found);
	found = strstr(found, " share=");
	assert_non_null(found);
	assert_memory_equal(found, " share=0.250 ", 13);
}

static void a_ratio_has_the_least_share_of_both(void **state)
{
	check_share_of_ratio(1, 1);
	check_share_of_ratio(2, UINT64_MAX);
}

static void a_long_command_is_cut_off(void **state)
{
	static char word[300];
	const char *line, *end;

	memset(word, 'x', sizeof(word) - 1);
	PERFEX_EXITS(0, "--compare", "-n", "true", word, "::", "true", "don't",
		     "");
	line = strstr(stderr_text, "# command 1: true xxx");
	assert_non_null(line);
	end = strchr(line, '\n');
	assert_int_equal(end - line, 13 + 239);
	assert_memory_equal(end - 4, "x...", 4);
	check_says(stderr_text, "# command 2: true 'don'\\''t' ''\n");
}

/* If there is no memory for the whole text, none of it is printed. */
static void without_memory_a_report_is_whole_or_none(void **state)
{
	const char *args[MANY] = { "perfex", "--compare", "--json", "--times",
				   "-nr2" };
	static char word[220] = "/bin/";
	size_t nr = 5, i;

	fake_system->no_stream = true;
	PERFEX_EXITS(0, "--compare", "-n", "true", "::", "true");
	check_says(stderr_text, "# command 2, of one run\n");
	memset(word + 5, '/', sizeof(word) - 10);
	memcpy(word + sizeof(word) - 5, "true", 5);
	for (i = 0; i < COMMANDS_MAX; i++) {
		args[nr++] = word;
		args[nr++] = "::";
	}
	args[nr - 1] = NULL;
	assert_true(nr - 1 <= MAX_ARGS);
	assert_int_equal(perfex(args), PERFEX_SYSTEM);
	check_sentence("no memory");
}

static void a_comparison_is_one_write(void **state)
{
	PERFEX_EXITS(0, "--compare", "-n", "-r2", "true", "::", "true");
	assert_int_equal(fake_system->writes, 1);
}

#define COMPARE_TEST(f) cmocka_unit_test_setup_teardown(f, file_setup, teardown)

static const struct CMUnitTest tests[] = {
	COMPARE_TEST(commands_run_in_turn_and_are_compared),
	COMPARE_TEST(each_command_has_a_ratio_to_the_first),
	COMPARE_TEST(another_word_can_separate_commands),
	COMPARE_TEST(what_cannot_be_compared_is_refused),
	COMPARE_TEST(there_is_a_largest_number_of_commands),
	COMPARE_TEST(warmups_and_lines_around_belong_to_each_run),
	COMPARE_TEST(each_run_reads_the_same_input),
	COMPARE_TEST(the_exit_status_is_that_of_a_failure),
	COMPARE_TEST(a_signal_ends_the_runs_of_all),
	COMPARE_TEST(a_command_that_is_not_there_takes_nothing_of_others),
	COMPARE_TEST(the_status_file_names_the_run_that_decides),
	COMPARE_TEST(several_sets_of_events_are_compared),
	COMPARE_TEST(what_has_no_ratio_says_why),
	COMPARE_TEST(what_is_projected_is_marked),
	COMPARE_TEST(programs_read_the_same),
	COMPARE_TEST(programs_read_the_times),
	COMPARE_TEST(a_ratio_has_the_least_share_of_both),
	COMPARE_TEST(a_long_command_is_cut_off),
	COMPARE_TEST(without_memory_a_report_is_whole_or_none),
	COMPARE_TEST(a_comparison_is_one_write),
};

UNIT_MAIN(tests)
