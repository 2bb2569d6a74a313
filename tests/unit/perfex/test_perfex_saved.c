// SPDX-License-Identifier: GPL-2.0-only
/* This file tests perfex --compare with a saved report, and with limits for ratios. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "fake_driver.h"
#include "run_files.h"
#include "run_perfex.h"
#include "util/status.h"

static int setup(void **state)
{
	const int failure = directory_setup(state);

	snprintf(path, sizeof(path), "%s/old.json", directory);
	return failure;
}

#define PROCESSOR \
	",\"processor\":\"unknown family 0 model 0\",\"machine\":\"hardware\"}\n"
#define EVENT(name, modes, code, rest)                                  \
	"{\"name\":\"" name "\",\"modes\":\"" modes "\",\"code\":" code \
	",\"value\":" rest "}"
#define WHOLE_TIME     ",\"share\":1.000,\"note\":null"
#define REPORT(events) "{\"events\":[" events "],\"notes\":[]" PROCESSOR
#define ONE	       REPORT(EVENT("instructions_executed", "u", "22", "1000" WHOLE_TIME))

static void a_saved_report_is_compared_with(void **state)
{
	PERFEX_EXITS(0, "--json", "-n", "-e", "0x16,0x12", "-o", path, "true");
	fake->read.count[0] = 1100;
	/* Without -e, perfex counts the events of the report. */
	PERFEX_EXITS(0, "--compare", "-n", path, "::", "echo", "a");
	assert_string_equal(stdout_text, "a\n");
	check_says(stderr_text,
		   "old.json\n"
		   "                1000  0x16   instructions_executed:u\n"
		   "18446744073709551615  0x12   branches:u\n"
		   "# command 2: echo a\n"
		   "                1100  0x16   instructions_executed:u\n"
		   "18446744073709551615  0x12   branches:u\n"
		   "# ratios to command 1\n"
		   "            1.100000  0x16   instructions_executed:u"
		   "  # command 2, of one run\n"
		   "            1.000000  0x12   branches:u"
		   "  # command 2, of one run\n");
	/* The saved report may replace any command, and -e selects from its events. */
	PERFEX_EXITS(0, "--compare", "-n", "-e", "0x16", "true", "::", path);
	check_says(stderr_text, "# ratios to command 1\n"
				"            0.909091  0x16   "
				"instructions_executed:u"
				"  # command 2, of one run\n");
}

/* The interval is the same as in test_perfex_compare.c for two commands with these runs. */
static void each_run_of_it_counts(void **state)
{
	fake->self_step = 4;
	PERFEX_EXITS(0, "--json", "--times", "-r3", "-n", "-o", path, "true");
	fake->read.count[0] = 1002;
	PERFEX_EXITS(0, "--compare", "-r3", "-n", "--times", path,
		     "::", "true");
	check_says(stderr_text,
		   "                1004  0x16   instructions_executed:u"
		   "  # mean of 3 runs +- 9.9 (95 %), 1000 to 1008\n");
	check_says(stderr_text, "            1.001992  0x16   "
				"instructions_executed:u"
				"  # command 2, 0.992992 to 1.011074 (95 %)\n");
	check_says(stderr_text, "  elapsed_seconds  # command 2");
	/* A report of one run has no interval, however many runs the other command has. */
	fill(path, ONE);
	PERFEX_EXITS(0, "--compare", "-r3", "-n", path, "::", "true");
	check_says(stderr_text, "# command 2, of one run\n");
}

static void its_notes_are_reported(void **state)
{
	fill(path,
	     "{\"events\":[" EVENT("instructions_executed", "u", "22",
				   "1000" WHOLE_TIME) "],\"notes\":["
						      "\"a note\"]" PROCESSOR);
	PERFEX_EXITS(0, "--compare", "-n", path, "::", "true");
	check_says(stderr_text, "instructions_executed:u\n# a note\n"
				"# command 2: true\n");
}

/* Each row has a saved text and the error that it causes. No command runs. */
static const struct {
	const char *file;
	int status;
	const char *words;
} bad[] = {
	{ "", PERFEX_INPUT, "old.json: it is empty" },
	{ "{\"events\":[{\"name\":\"instr\n", PERFEX_INPUT, "cut off" },
	{ "{\"events\":[{\"name\":\"instr\"", PERFEX_INPUT, "cut off" },
	{ "x\n", PERFEX_INPUT, "line 1 is not a report" },
	{ ONE ONE, PERFEX_INPUT, "line 2 is a second report" },
	{ "{\"commands\":[],\"ratios\":[]}\n", PERFEX_INPUT,
	  "is of a comparison" },
	{ REPORT(EVENT("instructions_executed", "u", "22",
		       "1" WHOLE_TIME ",\"runs\":2,\"values\":[1,-1]")),
	  PERFEX_INPUT, "has a count of a run" },
	{ "{\"events\":[],\"resources\":[{\"name\":\"a\",\"value\":1e300}]}\n",
	  PERFEX_INPUT, "has a resource" },
	/* The report is from another processor, or does not name a processor. */
	{ "{\"events\":[" EVENT("instructions_executed", "u", "22",
				"1" WHOLE_TIME) "],\"notes\":[]}\n",
	  PERFEX_UNLIKE, "does not say which processor ... --json" },
	{ "{\"events\":[" EVENT(
		  "instructions_executed", "u", "22",
		  "1" WHOLE_TIME) "],\"processor\":\"unknown family 0 model"
				  " 0\",\"machine\":\"emulated\"}\n",
	  PERFEX_UNLIKE, "unknown family 0 model 0 (emulated) ... (hardware)" },
	{ "{\"events\":[" EVENT(
		  "instructions_executed", "u", "22",
		  "1" WHOLE_TIME) "],\"processor\":\"x family 6 model"
				  " 0\",\"machine\":\"hardware\"}\n",
	  PERFEX_UNLIKE, "x family 6 ... unknown family 0" },
	/*
	 * These reports have other events, modes or codes, or counts that are missing or not
	 * exact.
	 */
	{ REPORT(EVENT("branches", "u", "18", "1" WHOLE_TIME)), PERFEX_UNLIKE,
	  "instructions_executed:u is missing there" },
	{ REPORT(EVENT("instructions_executed", "uk", "22", "1" WHOLE_TIME)),
	  PERFEX_UNLIKE, "instructions_executed:u ... other modes (uk)" },
	{ REPORT(EVENT("instructions_executed", "u", "192", "1" WHOLE_TIME)),
	  PERFEX_UNLIKE,
	  "instructions_executed:u ... another code there (0xc0)" },
	{ REPORT(EVENT("instructions_executed", "u", "22",
		       "null,\"share\":null,\"note\":\"why\"")),
	  PERFEX_UNLIKE, "instructions_executed:u ... no count there (why)" },
	{ REPORT(EVENT("instructions_executed", "u", "22",
		       "1,\"share\":0.999,\"note\":null")),
	  PERFEX_UNLIKE, "instructions_executed:u ... projected ... --runs" },
	/*
	 * These reports lack the counts of single runs, or have these counts only for some
	 * events.
	 */
	{ REPORT(EVENT("instructions_executed", "u", "22",
		       "1" WHOLE_TIME ",\"runs\":3")),
	  PERFEX_UNLIKE, "count of each run" },
	{ REPORT(EVENT("instructions_executed", "u", "22",
		       "1" WHOLE_TIME ",\"values\":[1,1]")),
	  PERFEX_UNLIKE, "count of each run" },
};

static void what_is_not_like_it_is_refused(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		fill(path, bad[i].file);
		PERFEX_EXITS(bad[i].status, "--compare", "-n", "-e", "0x16",
			     path, "::", "echo", "a");
		check_sentence("%s", bad[i].words);
		assert_int_equal(fake->started.size, 0);
	}
	fill(path, ONE);
	PERFEX_EXITS(PERFEX_UNLIKE, "--compare", "-n", "--times", path,
		     "::", "echo", "a");
	check_sentence("elapsed_seconds ... save it again");
	PERFEX_EXITS(PERFEX_USAGE, "--compare", "-n", path, "::", path);
	check_sentence("a command that is run");
	PERFEX_EXITS(PERFEX_INPUT, "--compare", "-n", "no-such-file.json",
		     "::", "echo", "a");
	check_sentence("no-such-file.json");
}

#define NEVER \
	EVENT("interrupts", "u", "39", "null,\"share\":null,\"note\":\"why\"")
#define TWO_RUNS                                  \
	EVENT("instructions_executed", "u", "22", \
	      "1000" WHOLE_TIME ",\"runs\":2," TWICE)
#define TWICE	"\"values\":[999,1001]"
/* This event has one run only, because the command was killed. */
#define ONE_RUN EVENT("branches", "u", "18", "1" WHOLE_TIME ",\"runs\":1," ONCE)
#define ONCE	"\"values\":[1]"

static void only_what_is_compared_has_to_be_like_it(void **state)
{
	fill(path, REPORT(NEVER "," TWO_RUNS "," ONE_RUN));
	PERFEX_EXITS(0, "--compare", "-n", "-e", "0x16", path, "::", "true");
	check_says(stderr_text, "1000  0x16   instructions_executed"
				":u  # mean of 2 runs");
	/* If only one run has a count, the report shows this count, without an interval. */
	PERFEX_EXITS(0, "--compare", "-n", "-e", "0x12", path, "::", "true");
	check_says(stderr_text, "# command 2, of one run\n");
	PERFEX_EXITS(PERFEX_UNLIKE, "--compare", "-n", "-e", "0x16,0x12", path,
		     "::", "echo", "a");
	check_sentence("different numbers of runs ... -e");
	assert_string_equal(stdout_text, "");
}

#define THREE_RUNS ",\"runs\":3,\"interval\":1.4,\"min\":0,\"max\":1"

/* Fill the resources with 0. @rest follows the resource of major faults. */
static void fill_resources(const char *rest)
{
	static const char *const names[] = {
		"elapsed_seconds", "user_seconds",	   "system_seconds",
		"minor_faults",	   "major_faults",	   "voluntary_switches",
		"max_memory_kib",  "involuntary_switches",
	};
	char text[2048] =
		"{\"events\":[" EVENT("instructions_executed", "u", "22",
				      "1000" WHOLE_TIME) "],"
							 "\"resources\":[";
	size_t i, used;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		used = strlen(text);
		snprintf(text + used, sizeof(text) - used,
			 "%s{\"name\":\"%s\",\"value\":0%s}", i ? "," : "",
			 names[i],
			 strcmp(names[i], "major_faults") ? "" : rest);
	}
	used = strlen(text);
	snprintf(text + used, sizeof(text) - used, "],\"notes\":[]" PROCESSOR);
	fill(path, text);
}

/*
 * The mean is 0.333, but the count of major faults in the file is rounded to 0. As with --runs,
 * there are more runs than the runs of the event.
 */
static void a_mean_has_all_its_digits(void **state)
{
	fill_resources(THREE_RUNS ",\"mean\":0.333333333,\"deviation\":0.577");
	PERFEX_EXITS(0, "--compare", "-n", "--times", path, "::", "true");
	check_says(stderr_text, "            0.000000  -      major_faults"
				"  # command 2, of one run\n");
	fill_resources(THREE_RUNS);
	PERFEX_EXITS(PERFEX_UNLIKE, "--compare", "-n", "--times", path,
		     "::", "true");
	check_sentence(
		"major_faults has only a rounded mean ... save it again");
	/* The mean in the file was changed to 0. */
	fill_resources(THREE_RUNS ",\"mean\":0,\"deviation\":0");
	PERFEX_EXITS(PERFEX_UNLIKE, "--compare", "-n", "--times", path,
		     "::", "true");
	check_sentence("it is damaged");
}

static void runs_of_sets_are_compared_with_their_times(void **state)
{
	PERFEX_EXITS(0, "--json", "--times", "--runs", "-n", "-e",
		     "0x16,0x12,0x0", "-o", path, "true");
	PERFEX_EXITS(0, "--compare", "--runs", "--times", "-n", path,
		     "::", "true");
	check_says(stderr_text, "  elapsed_seconds  # command 2");
}

/* The count is 1100, and the count in the report is 1000. */
static const struct {
	const char *limit;
	int status;
	const char *says;
} limits[] = {
	{ "1.1", 0, NULL },
	{ "1.09", PERFEX_LIMIT,
	  "perfex: instructions_executed:u of command 2 is 1.100000 times"
	  " that of command 1, which exceeds the limit of 1.09 (of one run)\n" },
	{ "instructions_executed=1.2", 0, NULL },
	{ "INSTRUCTIONS_EXECUTED:u=1.05", PERFEX_LIMIT, "limit of 1.05 " },
	/* An event with its own limit is not compared with the limit for all. */
	{ "1.05,instructions_executed=1.2", 0, NULL },
	{ "instructions_executed:u=1.2,1.05", 0, NULL },
	{ "1.2,instructions_executed=1.05", PERFEX_LIMIT, "limit of 1.05 " },
	/* This also holds for an event with modes, in any order of the limits. */
	{ "instructions_executed:u=1.2,instructions_executed=1.05", 0, NULL },
	{ "instructions_executed=1.05,instructions_executed:u=1.2", 0, NULL },
	{ "1.09999999999", PERFEX_LIMIT,
	  " is 1.100000 times that of command 1, which exceeds the limit of"
	  " 1.09999999999 (" },
};

static void a_limit_that_is_exceeded_is_told(void **state)
{
	size_t i;

	fill(path, ONE);
	fake->read.count[0] = 1100;
	for (i = 0; i < ARRAY_SIZE(limits); i++) {
		PERFEX_EXITS(limits[i].status, "--compare", "-n", "--limit",
			     limits[i].limit, path, "::", "true");
		/* The report is printed in any case. */
		check_says(stderr_text, "# ratios to command 1\n");
		if (limits[i].says)
			check_says(stderr_text, limits[i].says);
		else
			assert_null(strstr(stderr_text, "perfex: "));
	}
}

/* The count exceeds the limit by less than the digits of the report show. */
static void a_limit_is_not_what_exceeds_it(void **state)
{
	fill(path, REPORT(EVENT("instructions_executed", "u", "22",
				"10000000" WHOLE_TIME)));
	fake->read.count[0] = 10000001;
	PERFEX_EXITS(PERFEX_LIMIT, "--compare", "-n", "--limit=1", path,
		     "::", "true");
	check_says(stderr_text, " is 1.0000001 times that of"
				" command 1, which exceeds the"
				" limit of 1 (of one run)\n");
}

static void a_limit_says_whether_chance_may_be_the_reason(void **state)
{
	fake->self_step = 2;
	PERFEX_EXITS(PERFEX_LIMIT, "--compare", "-r3", "-n", "--limit=1.001",
		     "true", "::", "true");
	check_says(stderr_text,
		   "limit of 1.001 (0.992992 to 1.011074 (95 %),"
		   " so chance may be the reason: try more runs)\n");
	PERFEX_EXITS(PERFEX_LIMIT, "--compare", "-r3", "-n", "--limit=0.9",
		     "true", "::", "true");
	check_says(stderr_text, "all above the limit)\n");
}

static void what_has_no_ratio_may_exceed_a_limit(void **state)
{
	/* The counts are 0 and 5, which exceeds any limit. */
	fake->read.count[0] = 0;
	fake->self_step = 5;
	PERFEX_EXITS(PERFEX_LIMIT, "--compare", "-n", "--limit=9", "true",
		     "::", "true");
	check_says(stderr_text, "command 1 has none\n");
	/* The event has not happened in either command. */
	fake->self_step = 0;
	fake->read.count[0] = 0;
	PERFEX_EXITS(0, "--compare", "-n", "--limit=9", "true", "::", "true");
	/* The event cannot happen. */
	fake->read.count[1] = 0;
	PERFEX_EXITS(PERFEX_UNLIKE, "--compare", "-n", "--limit=9", "-e",
		     "0x27", "true", "::", "true");
	check_says(stderr_text, "perfex: hardware_interrupts:u of"
				" command 2 has no ratio");
}

/*
 * If the report has times, they may have a limit. The file of --status-file says how both
 * commands ended.
 */
static void times_have_limits_of_their_own(void **state)
{
	fill(path, "");
	snprintf(other, sizeof(other), "%s/status", directory);
	PERFEX_EXITS(PERFEX_LIMIT, "--compare", "-n", "--times",
		     "--limit=elapsed_seconds=0.000001", "--status-file", other,
		     "true", "::", "sh", "-c", "exit 3");
	check_says(stderr_text, "perfex: elapsed_seconds of command 2 is ");
	check_file(other, "exit 3\nperfex 218\n");
	/* A limit without a name is for all events, and not for times. */
	PERFEX_EXITS(0, "--compare", "-n", "--times", "--limit=1", "true",
		     "::", "true");
}

static const struct {
	const char *line;
	const char *words;
} refused[] = {
	{ "perfex --limit=1 true", "--limit needs --compare" },
	{ "perfex --compare --limit=0 true :: true", "\"0\" is not a limit" },
	{ "perfex --compare --limit=nan true :: true",
	  "\"nan\" is not a limit" },
	{ "perfex --compare --limit==1 true :: true", "is not a limit" },
	{ "perfex --compare --limit=a= true :: true", "\"a=\" is not a limit" },
	{ "perfex --compare --limit=1,2 true :: true",
	  "given twice for all events" },
	{ "perfex --compare --limit=a=1,A=2 true :: true",
	  "given twice for A" },
	{ "perfex --compare --limit=branches=1 true :: true",
	  "\"branches\", which is not compared" },
	{ "perfex --compare --limit=elapsed_seconds=1 true :: true",
	  "\"elapsed_seconds\" ... --times" },
	{ "perfex --compare --multiplex --limit=1 true :: true",
	  "--limit ... --multiplex ... --runs" },
};

static void a_limit_of_nothing_is_refused(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		check_refused(refused[i].line, PERFEX_USAGE, refused[i].words);
		assert_int_equal(fake->started.size, 0);
	}
}

#define SAVED_TEST(f) \
	cmocka_unit_test_setup_teardown(f, setup, directory_teardown)

static const struct CMUnitTest tests[] = {
	SAVED_TEST(a_saved_report_is_compared_with),
	SAVED_TEST(each_run_of_it_counts),
	SAVED_TEST(its_notes_are_reported),
	SAVED_TEST(what_is_not_like_it_is_refused),
	SAVED_TEST(only_what_is_compared_has_to_be_like_it),
	SAVED_TEST(a_mean_has_all_its_digits),
	SAVED_TEST(runs_of_sets_are_compared_with_their_times),
	SAVED_TEST(a_limit_that_is_exceeded_is_told),
	SAVED_TEST(a_limit_is_not_what_exceeds_it),
	SAVED_TEST(a_limit_says_whether_chance_may_be_the_reason),
	SAVED_TEST(what_has_no_ratio_may_exceed_a_limit),
	SAVED_TEST(times_have_limits_of_their_own),
	SAVED_TEST(a_limit_of_nothing_is_refused),
};

UNIT_MAIN(tests)
