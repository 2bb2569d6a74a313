// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests perfex -g and --runs: groups of events, their metrics, and the runs that are
 * needed to count any number of events. In the fake driver, the count of an event is the number
 * of its code: 22 instructions, 18 branches, 256 clocks, 0 data reads, 1 data write.
 */
#include "unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fake_driver.h"
#include "run/stdin_rewind.h"
#include "run_files.h"
#include "run_perfex.h"
#include "util/clock.h"
#include "util/status.h"

/* The user's groups are in @directory; @path is the file or directory that was created last. */
static void make_directory(const char *name)
{
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	assert_int_equal(mkdir(path, 0777), 0);
}

static int setup(void **state)
{
	static const char *const directories[] = { "vpmc", "vpmc/groups",
						   "vpmc/groups/p5mmx",
						   "vpmc/groups/p5",
						   "vpmc/groups/generic" };
	size_t i;

	if (directory_setup(state) || setenv("XDG_CONFIG_HOME", directory, 1))
		return -1;
	for (i = 0; i < ARRAY_SIZE(directories); i++)
		make_directory(directories[i]);
	stdin_path = "/dev/null";
	fake->per_code = 1;
	return 0;
}

static int teardown(void **state)
{
	char command[100];

	snprintf(command, sizeof(command), "rm -rf %s", directory);
	/* NOLINTNEXTLINE(cert-env33-c) */
	return system(command);
}

static void write_file(const char *name, const char *text)
{
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	fill(path, text);
}

static void write_group(const char *name, const char *text)
{
	char file[64];

	snprintf(file, sizeof(file), "vpmc/groups/%s", name);
	write_file(file, text);
}

#define CPI                               \
	"Clocks per instruction.\n"       \
	"\n"                              \
	"event clocks\n"                  \
	"event instructions_executed\n\n" \
	"metric cpi clocks = clocks / instructions_executed\n"

static void a_group_counts_its_events_and_derives_its_metrics(void **state)
{
	write_group("p5mmx/my", CPI);
	PERFEX_EXITS(0, "-n", "-g", "my", "true");
	assert_string_equal(stderr_text,
			    "                 256  0x100  clocks:u\n"
			    "                  22  0x16   "
			    "instructions_executed:u\n"
			    "              11.636  -      cpi  clocks\n");
	assert_string_equal(stdout_text, "");
	/* Comments are not part of the text, and the number of blanks does not matter. */
	write_group("p5mmx/my",
		    "# nobody reads this\nText, event x\nmore text\n\n"
		    "# nor this\n \tevent\tbranches \n"
		    "metric  small  %  =  branches / 1e6 \n"
		    "metric tiny s = branches / 1e12\n"
		    "metric large n=1 = 1e16 * branches\n"
		    "metric none - = 0 * branches");
	PERFEX_EXITS(0, "-n", "--group=my", "true");
	assert_string_equal(stderr_text,
			    "                  18  0x12   branches:u\n"
			    "          0.00001800  -      small  %\n"
			    "           1.800e-11  -      tiny  s\n"
			    "           1.800e+17  -      large  n=1\n"
			    "               0.000  -      none  -\n");
}

static void several_groups_and_events_are_counted_once(void **state)
{
	write_group("p5mmx/my", CPI);
	write_group("p5mmx/other",
		    "Other.\n\nevent cycles\nevent INSTRUCTIONS\n"
		    "metric ipc instructions = instructions / cycles\n");
	PERFEX_EXITS(0, "-n", "-e", "0x16", "-g", "my,other", "true");
	assert_string_equal(
		stderr_text,
		"                  22  0x16   instructions_executed:u\n"
		"                 256  0x100  clocks:u\n"
		"              11.636  -      cpi  clocks\n"
		"             0.08594  -      ipc  instructions\n");
	/* The same events in other modes are different events. */
	PERFEX_EXITS(PERFEX_TOO_MANY, "-n", "-e", "0x16:k", "-g", "my", "true");
}

/*
 * perfex searches a name in the user's own groups, then in the groups of the family, and then in
 * the groups of a similar family.
 */
static void a_metric_is_counted_by_its_name(void **state)
{
	write_group("p5mmx/my",
		    "T.\n\nevent flops\nevent clocks\nevent branches\n"
		    "event misses = 0x29\n"
		    "metric ipc x = branches / clocks\n"
		    "metric sum events = branches + misses - flops\n"
		    "metric half x = branches / 2\n");
	/* A metric's events are shown in the order of its formula. */
	PERFEX_EXITS(0, "-n", "-e", "IPC", "true");
	assert_string_equal(stderr_text,
			    "                  18  0x12   branches:u\n"
			    "                 256  0x100  clocks:u\n"
			    "             0.07031  -      ipc  x\n");
	/*
	 * A sum without division is a count; an event that is needed several times is counted
	 * once.
	 */
	PERFEX_EXITS(0, "-n", "--runs", "-e", "branches,sum,half", "true");
	check_says(stderr_text,
		   "                  18  0x12   branches:u\n"
		   "                  41  0x29   misses:u\n"
		   "                  34  0x22   flops:u\n"
		   "                  25  -      sum  events  # its");
	check_says(stderr_text, "               9.000  -      half  x\n");
	write_group("p5mmx/my",
		    "T.\n\nevent flops\nevent branches\n"
		    "metric sum events = branches + flops + branches\n");
	PERFEX_EXITS(0, "-n", "-e", "sum", "true");
	assert_string_equal(stderr_text,
			    "                  18  0x12   branches:u\n"
			    "                  34  0x22   flops:u\n"
			    "                  70  -      sum  events\n");
	write_group("p5/first", CPI "metric ipc x = 1 / clocks\n");
	write_group("p5/second", CPI "metric ipc x = 2 / clocks\n");
	PERFEX_EXITS(PERFEX_UNKNOWN_EVENT, "-e", "ipc", "true");
	check_sentence("several groups ... ipc ... perfex -g GROUP");
	PERFEX_EXITS(PERFEX_UNKNOWN_EVENT, "-e", "no_such", "true");
}

static void metrics_are_listed_with_their_formulas(void **state)
{
	write_group("p5mmx/my", "T.\n\nevent flops\nevent misses = 0x29\n"
				"metric per x = flops / misses\n");
	PERFEX_EXITS(0, "-l", "group my");
	assert_string_equal(stdout_text,
			    "-      -    per                             "
			    "x = flops / misses (group my)\n"
			    "# the events are those of this processor"
			    " (p5mmx)\n");
	PERFEX_EXITS(0, "-l", "PER");
	check_says(stdout_text, "x = flops / misses");
}

static void groups_are_sought_in_several_places(void **state)
{
	write_group("generic/my", "G.\n\nevent branches\nmetric g x = 1\n");
	PERFEX_EXITS(0, "-n", "-g", "my", "true");
	check_says(stderr_text, "-      g  x\n");
	write_group("p5/my", "P.\n\nevent branches\nmetric p x = 1\n");
	PERFEX_EXITS(0, "-n", "-g", "my", "true");
	check_says(stderr_text, "-      p  x\n");
	write_group("p5mmx/my", "M.\n\nevent branches\nmetric m x = 1\n");
	PERFEX_EXITS(0, "-n", "-g", "my", "true");
	check_says(stderr_text, "-      m  x\n");
	strcpy(fake->info.pmu, "p5");
	PERFEX_EXITS(0, "-n", "-g", "my", "true");
	check_says(stderr_text, "-      p  x\n");
	/* A name that contains a slash is the name of a file. */
	write_group("p5/no", "F.\n\nevent branches\nmetric f x = 1\n");
	PERFEX_EXITS(0, "-n", "-g", path, "true");
	check_says(stderr_text, "-      f  x\n");
	unsetenv("XDG_CONFIG_HOME");
	setenv("HOME", directory, 1);
	make_directory(".config");
	PERFEX_EXITS(PERFEX_UNKNOWN_EVENT, "-n", "-g", "my", "true");
}

/* These are the numbers of CPUID that perfex -i prints. */
static void groups_can_be_of_one_model(void **state)
{
	fake->nr_cpuid = 2;
	fake->cpuid[0] = (struct fake_cpuid){
		.leaf = 0, .regs = { 1, 0x756e6547, 0x6c65746e, 0x49656e69 }
	};
	fake->cpuid[1] =
		(struct fake_cpuid){ .leaf = 1,
				     .regs = { 0x543, 0, 0, 1U << 23 } };
	write_group("p5mmx/my", "P.\n\nevent branches\nmetric pmu x = 1\n");
	make_directory("vpmc/groups/p5mmx-5");
	write_group("p5mmx-5/my", "F.\n\nevent branches\nmetric five x = 1\n");
	PERFEX_EXITS(0, "-n", "-g", "my", "true");
	check_says(stderr_text, "five");
	make_directory("vpmc/groups/p5mmx-5-4");
	write_group("p5mmx-5-4/my",
		    "M.\n\nevent branches\nmetric four x = 1\n");
	make_directory("vpmc/groups/p5mmx-5-8");
	write_group("p5mmx-5-8/other",
		    "O.\n\nevent branches\nmetric eight x = 1\n");
	PERFEX_EXITS(0, "-n", "-g", "my", "true");
	check_says(stderr_text, "four");
	PERFEX_EXITS(0, "--groups");
	assert_string_equal(stdout_text, "my                M.\n");
}

static void groups_are_listed_with_their_first_line(void **state)
{
	static const char expected[] = "fresh             Of p5mmx.\n"
				       "my                Of p5mmx, too.\n"
				       "other             Of all.\n";

	PERFEX_EXITS(0, "--groups");
	assert_memory_equal(stdout_text, "# no groups for p5mmx: ", 23);
	write_group("generic/other", "Of all.\nMore.\n\nmetric a b = 1\n");
	write_group("generic/my", "Hidden.\n");
	write_group("p5mmx/my", "# x\n\n Of p5mmx, too.");
	write_group("p5mmx/fresh", "Of p5mmx.\n");
	write_group("p5mmx/fresh~", "No group.\n");
	PERFEX_EXITS(0, "-g", "help");
	assert_string_equal(stdout_text, expected);
	PERFEX_EXITS(0, "--groups");
	assert_string_equal(stdout_text, expected);
	PERFEX_EXITS(0, "-lg", "help");
	assert_string_equal(stdout_text, expected);
	assert_string_equal(stderr_text, "");
}

/* perfex does not wait for a writer of a FIFO either. */
static void only_files_are_groups(void **state)
{
	write_group("generic/my",
		    "Of all.\n\nevent branches\nmetric a b = 1\n");
	make_directory("vpmc/groups/p5/my");
	snprintf(path, sizeof(path), "%s/vpmc/groups/p5/pipe", directory);
	assert_int_equal(mkfifo(path, 0666), 0);
	PERFEX_EXITS(0, "--groups");
	assert_string_equal(stdout_text, "my                Of all.\n");
	PERFEX_EXITS(0, "-n", "-g", "my", "true");
	PERFEX_EXITS(PERFEX_UNKNOWN_EVENT, "-g", "pipe", "true");
	check_sentence("unknown group \"pipe\"");
}

/* The comment consists of the longest possible line. */
static void a_long_comment_is_no_text_in_the_list(void **state)
{
	char text[1100], line[1001];

	memset(line, 'x', sizeof(line) - 1);
	line[sizeof(line) - 1] = '\0';
	snprintf(text, sizeof(text), "#%.999s\n\tText.\n", line);
	write_group("p5/a", text);
	snprintf(text, sizeof(text), "%.255s\xc2\xb5\n", line);
	write_group("p5/b", text);
	PERFEX_EXITS(0, "--groups");
	snprintf(text, sizeof(text),
		 "a                 Text.\nb                 %.255s\xc2\xb5\n",
		 line);
	assert_string_equal(stdout_text, text);
}

static const struct {
	const char *text;
	const char *place;
	const char *words;
} bad[] = {
	{ "", ":1:1: ", "no metric" },
	{ "event branches\nmetric a b = 1\n", ":3:1: ", "empty line" },
	{ "T.\n\nevent branches\n", ":4:1: ", "no metric" },
	{ "T.\n\nmetrics a b = 1\n", ":3:1: ", "unknown word" },
	{ "T.\n\nmetric a = 1\n", ":3:12: ", "NAME UNIT =" },
	{ "T.\n\nmetric a b 1\n", ":3:12: ", "NAME UNIT =" },
	{ "T.\n\nmetric\n", ":3:7: ", "NAME UNIT =" },
	{ "T.\n\nmetric a b =\n", ":3:13: ", "missing" },
	{ "T.\n\n metric a b = 1 +\n", ":3:18: ", "missing" },
	{ "T.\n\nmetric a b = 1 / branches\n", ":3:18: ", "event" },
	{ "T.\n\nevent\n", ":3:6: ", "name of one event" },
	{ "T.\n\nevent 0x16\n", ":3:7: ", "name of one event" },
	{ "T.\n\nevent branches, clocks\n", ":3:15: ", "name of one event" },
	{ "T.\n\nevent brunches\nmetric a b = 1\n", ":3:7: ", "brunches" },
	{ "T.\n\nevent flops@7\nmetric a b = 1\n", ":3:7: ", "7" },
	{ "T.\n\xff\n", ":2:1: ", "UTF-8" },
	{ "T.\n\n#\x1b[2J\n", ":3:2: ", "UTF-8" },
	{ "T.\n\nevent ref-cycles\nmetric a b = 1\n", "", "p5mmx ... none of" },
};

static void what_is_wrong_in_a_group_is_told_with_its_place(void **state)
{
	char at[200];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		write_group("p5mmx/bad", bad[i].text);
		PERFEX_EXITS(PERFEX_UNKNOWN_EVENT, "-g", "bad", "echo", "ran");
		check_sentence("%s", bad[i].words);
		snprintf(at, sizeof(at), "perfex: %s%s", path, bad[i].place);
		if (*bad[i].place)
			assert_memory_equal(stderr_text, at, strlen(at));
	}
}

static void what_is_no_group_is_refused(void **state)
{
	char text[70001];

	PERFEX_EXITS(PERFEX_UNKNOWN_EVENT, "-gnosuch", "true");
	check_sentence("\"nosuch\" ... p5mmx ... -g help");
	PERFEX_EXITS(PERFEX_UNKNOWN_EVENT, "-g..", "true");
	check_sentence("unknown group \"..\"");
	PERFEX_EXITS(PERFEX_UNKNOWN_EVENT, "-g", "/nosuch/group", "true");
	check_sentence("/nosuch/group ... No such file");
	PERFEX_EXITS(PERFEX_USAGE, "-ga,b,c,d,e,f,g,h,i", "true");
	check_sentence("too many groups");
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	write_group("p5mmx/large", text);
	PERFEX_EXITS(PERFEX_UNKNOWN_EVENT, "-glarge", "true");
	check_sentence("64 KiB");
	text[2000] = '\0';
	write_group("p5mmx/large", text);
	PERFEX_EXITS(PERFEX_UNKNOWN_EVENT, "-glarge", "true");
	check_says(stderr_text, ":1:1001: the line is too long");
}

static void options_that_do_not_go_with_them_are_refused(void **state)
{
	static const char *const refused[][4] = {
		{ "--runs", "-p1" },	     { "--runs", "--system" },
		{ "--runs", "--regions" },   { "--runs", "-m" },
		{ "--runs", "--threads" },   { "--runs", "--multiplex" },
		{ "--runs", "-l" },	     { "--runs", "-i" },
		{ "--runs", "--groups" },    { "--runs", "--interval=1" },
		{ "-g", "help", "-g", "x" }, { "--groups", "-e", "22" },
		{ "--groups", "--csv" },     { "--groups", "-p1" },
		{ "--groups", "--system" },
	};
	const char *args[8] = { "perfex" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		memcpy(args + 1, refused[i], sizeof(refused[i]));
		assert_int_equal(perfex(args), PERFEX_USAGE);
		check_sentence("cannot be combined");
	}
	PERFEX_EXITS(PERFEX_USAGE, "--groups", "true");
	check_sentence("cannot be combined");
}

/* The value is never "inf" or "nan". */
static void a_metric_without_a_value_has_a_reason(void **state)
{
	write_group("p5mmx/my",
		    "T.\n\nevent data_read\nevent branches\nevent ref-cycles\n"
		    "metric zero x = branches / data_read\n"
		    "metric refused x = branches / ref-cycles\n"
		    "metric large x = 1e300 * 1e300 * branches\n"
		    "metric part x = branches / (1e300 * 1e300)\n");
	PERFEX_EXITS(0, "-n", "-g", "my", "true");
	assert_string_equal(
		stderr_text,
		"                   0  0x00   data_read:u\n"
		"                  18  0x12   branches:u\n"
		"                   -  -      zero  x  # no value: the formula"
		" divides by zero here\n"
		"                   -  -      refused  x  # ref-cycles: the"
		" processor has no other clock than its own, so count cycles\n"
		"                   -  -      large  x  # no value: the result"
		" is too large\n"
		"                   -  -      part  x  # no value: the result"
		" is too large\n");
	fake->per_code = 0;
	fake->read.count[0] = 0;
	write_group("p5mmx/my",
		    "T.\n\nevent hardware_interrupts\nevent branches\n"
		    "metric a x = hardware_interrupts / branches\n");
	PERFEX_EXITS(0, "-n", "-g", "my", "true");
	check_says(stderr_text, "                   -  -      a  x  #"
				" hardware_interrupts: never in user mode\n");
}

/* Return the number at the beginning of a line. */
static double number_of_line(unsigned int line)
{
	const char *text = stderr_text;

	while (line--) {
		text = strchr(text, '\n');
		assert_non_null(text++);
	}
	return strtod(text, NULL);
}

/* The time of a cgroup does not begin at the boot of the machine either. */
static void time_of_a_cgroup_is_that_of_the_count(void **state)
{
	const uint64_t begin = now();
	double time;

	write_group("p5mmx/my",
		    "T.\n\nevent branches\nmetric t us = time * 1e6\n");
	PERFEX_EXITS(0, "-g", "my", "--cgroup=/tmp", "--for=0.01");
	time = number_of_line(1);
	assert_true(time >= 0.01e6);
	assert_true(time <= (double)(now() - begin) / 1e3);
}

static void time_is_that_of_the_command(void **state)
{
	static const char group[] =
		"T.\n\nevent branches\nmetric rate x = branches / time\n"
		"metric t s = time\n";
	double rate, time;

	write_group("p5mmx/my", group);
	PERFEX_EXITS(0, "-n", "-g", "my", "sleep", "0.1");
	rate = number_of_line(1);
	time = number_of_line(2);
	assert_true(time >= 0.1 && time < 60);
	assert_true(rate * time > 17.5 && rate * time < 18.5);
	PERFEX_EXITS(0, "-n", "--runs", "-g", "my", "sleep", "0.1");
	rate = number_of_line(1);
	time = number_of_line(2);
	assert_true(time >= 0.1 && rate * time > 17.5 && rate * time < 18.5);
	/* The metric uses the same time as --times, to the microsecond. */
	write_group("p5mmx/my",
		    "T.\n\nevent branches\nmetric t us = time * 1e6\n");
	PERFEX_EXITS(0, "-n", "--times", "-g", "my", "true");
	time = number_of_line(1) - 1e6 * number_of_line(2);
	assert_true(time > -0.5 && time < 0.5);
	fake->signal = SIGTERM;
	fake->signal_read = 1;
	PERFEX_EXITS(0, "--system", "-g", "my");
	assert_null(strstr(stderr_text, "not known"));
}

/* Return the number of times that the report contains these words. */
static int count_of(const char *words)
{
	const char *at = stderr_text;
	int nr = 0;

	while ((at = strstr(at, words))) {
		at += strlen(words);
		nr++;
	}
	return nr;
}

static void a_metric_of_projected_counts_says_so(void **state)
{
	write_group("p5mmx/my", CPI);
	fake->per_code = 0;
	fake_shared_counter();
	fake->children.nr_counts = 2;
	write_group("p5mmx/my", "T.\n\nevent branches@0\nevent flops@0\n"
				"metric a x = branches@0 / flops@0\n");
	PERFEX_EXITS(0, "-n", "--multiplex", "-g", "my", "true");
	check_says(stderr_text, "              0.5000"
				"  -      a  x"
				"  # projected from 25.0% of the time,"
				" 0.3584 to 0.6976 (95 %)\n");
	/*
	 * The divisor may be 0 within the intervals, and the product has its maximum inside
	 * them.
	 */
	write_group("p5mmx/my",
		    "T.\n\nevent branches@0\nevent flops@0\n"
		    "metric a x = 1 / (9 * branches@0 - 4 * flops@0)\n"
		    "metric b x = branches@0 * (800 - branches@0)\n");
	PERFEX_EXITS(0, "-n", "--multiplex", "-g", "my", "true");
	assert_int_equal(count_of("not known: its events may be too far off"),
			 2);
	write_group("p5mmx/my", "T.\n\nevent branches@0\nevent flops@0\n"
				"metric a x = branches@0 / flops@0\n");
	fake->read.time[1] = 0;
	PERFEX_EXITS(0, "-n", "--multiplex", "-g", "my", "true");
	check_says(stderr_text, "                   -  -      a  x"
				"  # flops@0: not counted\n");
}

static void any_number_of_events_is_counted_in_several_runs(void **state)
{
	PERFEX_EXITS(0, "--runs", "-n", "-e", "0x16,0x12,0x1,0x2,0x3", "echo",
		     "ran");
	assert_string_equal(stdout_text, "ran\nran\nran\n");
	assert_string_equal(
		stderr_text,
		"                  22  0x16   instructions_executed:u\n"
		"                  18  0x12   branches:u\n"
		"                   1  0x01   data_write:u\n"
		"                   2  0x02   data_tlb_miss:u\n"
		"                   3  0x03   data_read_miss:u\n"
		"# the events were counted in 3 runs of the command, each all"
		" the time\n");
	assert_int_equal(fake->started.flags, VPMC_START_AT_EXEC);
	assert_int_equal(fake->started.nr_events, 1);
	PERFEX_EXITS(0, "--runs", "-n", "true");
	check_says(stderr_text, "in 1 run of the command");
}

static void more_events_than_one_count_takes_can_be_counted(void **state)
{
	char list[5 * 101] = "";
	const char *line;
	unsigned int lines = 0;
	size_t i, length = 0;

	for (i = 0; i < 66; i++)
		length += (size_t)snprintf(list + length, sizeof(list) - length,
					   "%s", i ? ",0x16" : "0x12");
	PERFEX_EXITS(0, "--runs", "-n", "-e", list, "true");
	for (line = stderr_text; *line; line = strchr(line, '\n') + 1)
		lines++;
	assert_int_equal(lines, 67);
	check_says(stderr_text, "# the events were counted in 33"
				" runs");
}

/* Both events need counter 0, so they cannot be counted together. */
static void sets_are_what_the_counters_can_count(void **state)
{
	PERFEX_EXITS(0, "--runs", "-n", "-e", "0x2b@0,0x2d@0,0x2d@1", "echo",
		     "ran");
	assert_string_equal(stdout_text, "ran\nran\n");
}

/* A ratio of counts from two runs would be wrong. */
static void a_ratio_is_of_one_run(void **state)
{
	write_group("p5mmx/my", "T.\n\nevent branches\nevent clocks\n"
				"event flops\n"
				"metric a x = branches / flops\n"
				"metric b x = clocks / flops\n"
				"metric c x = branches / (clocks - flops)\n");
	fake->per_code = 0;
	fake->self_step = 10;
	fake->read.count[0] = 100;
	fake->read.count[1] = 5;
	PERFEX_EXITS(0, "--runs", "-n", "-g", "my", "true");
	/* In each run, the first count is larger by 10 than in the previous run. */
	assert_string_equal(
		stderr_text,
		"                 100  0x12   branches:u\n"
		"                 110  0x100  clocks:u\n"
		"                   5  0x22   flops:u\n"
		"              20.000  -      a  x\n"
		"              22.000  -      b  x\n"
		"              0.9524  -      c  x  # its events are from several"
		" runs\n"
		"# the events were counted in 2 runs of the command, each all"
		" the time\n");
}

/* The instructions per cycle of --times are also counted in one run. */
static void instructions_per_cycle_are_of_one_run(void **state)
{
	PERFEX_EXITS(0, "--runs", "--times", "-n", "-e", "instructions,cycles",
		     "true");
	check_says(stderr_text, "0.086  -      instructions_per_cycle\n");
	PERFEX_EXITS(0, "--runs", "--times", "-n", "-e",
		     "instructions,branches,cycles", "true");
	assert_null(strstr(stderr_text, "per_cycle"));
	fake->per_code = 0;
	fake->self_step = 10;
	fake->read.count[0] = 100;
	fake->read.count[1] = 5;
	write_group("p5mmx/my", "T.\n\nevent branches\nevent clocks\n"
				"event instructions\n"
				"metric a x = branches / instructions\n"
				"metric b x = branches / clocks\n"
				"metric c x = instructions / clocks\n");
	PERFEX_EXITS(0, "--runs", "--times", "-n", "-g", "my", "true");
	check_says(stderr_text, "24.000  -      c  x\n");
	check_says(stderr_text, "24.000  -      instructions_per_cycle\n");
}

/* If the two events have different modes, there is no ratio. */
static void instructions_per_cycle_are_of_the_same_modes(void **state)
{
	PERFEX_EXITS(0, "--times", "-n", "-e", "instructions:u,cycles:uk",
		     "true");
	assert_null(strstr(stderr_text, "per_cycle"));
	PERFEX_EXITS(0, "--times", "-n", "-e", "instructions:uk,cycles:uk",
		     "true");
	check_says(stderr_text, "0.086  -      instructions_per_cycle\n");
}

/* A difference of counts from two runs could be negative. */
static void a_sum_is_of_one_run_or_says_so(void **state)
{
	write_group("p5mmx/my", "T.\n\nevent branches\nevent clocks\n"
				"event flops\n"
				"metric a x = branches - flops\n"
				"metric b x = branches + clocks - flops\n");
	fake->per_code = 0;
	fake->self_step = 10;
	fake->read.count[0] = 100;
	fake->read.count[1] = 5;
	PERFEX_EXITS(0, "--runs", "-n", "-g", "my", "true");
	check_says(stderr_text, " 95  -      a  x\n");
	check_says(stderr_text, "  -      b  x  # its events are"
				" from several runs\n");
}

static void runs_can_be_repeated_and_warmed_up(void **state)
{
	write_group("p5mmx/my", CPI "metric half x = clocks / 2\n");
	fake->per_code = 0;
	fake->read.count[0] = 100;
	fake->read.count[1] = 50;
	fake->self_step = 2;
	PERFEX_EXITS(0, "--runs", "-r2", "--warmup=1", "-n", "-g", "my", "-e",
		     "flops", "echo", "ran");
	assert_string_equal(stdout_text, "ran\nran\nran\nran\nran\n");
	/*
	 * The warm-up has 100. Then clocks are 102 and 106, and flops 104 and 108: each differs
	 * by 2 from its mean, and t(1) s / sqrt(2) is 12.7062 * 2.
	 */
	assert_string_equal(
		stderr_text,
		"                 106  0x22   flops:u"
		"  # mean of 2 runs +- 25.4 (95 %), 104 to 108\n"
		"                 104  0x100  clocks:u"
		"  # mean of 2 runs +- 25.4 (95 %), 102 to 106\n"
		"                  50  0x16   instructions_executed:u"
		"  # the same in all 2 runs\n"
		"               2.080  -      cpi  clocks\n"
		"              52.000  -      half  x\n"
		"# the events were counted in 4 runs of the command, each all"
		" the time\n");
}

static void a_signal_ends_all_runs(void **state)
{
	PERFEX_EXITS(128 + SIGINT, "--runs", "-n", "-e", "0x16,0x12,0x1", "sh",
		     "-c", "echo ran; kill -INT $$");
	assert_string_equal(stdout_text, "ran\n");
	check_says(stderr_text,
		   "                   -  0x01   data_write:u  # its"
		   " run did not take place\n");
	check_says(stderr_text, "# 1 of 2 runs are counted: no more took"
				" place\n");
	PERFEX_EXITS(128 + SIGINT, "--runs", "-n", "--warmup=3", "-e",
		     "0x16,0x12,0x1", "sh", "-c", "echo ran; kill -INT $$");
	assert_string_equal(stdout_text, "ran\n");
}

static void an_exit_status_that_fails_is_told(void **state)
{
	/* The second run takes longer, because the report shows no mean of two equal times. */
	write_file("once", "");
	PERFEX_EXITS(1, "--runs", "-n", "--times", "-e", "0x16,0x12,0x1", "sh",
		     "-c", "rm $0 2>/dev/null || sleep 0.1; exit 1", path);
	check_says(stderr_text, "\n# 2 runs have ended otherwise");
	check_says(stderr_text, "elapsed_seconds  # mean of 2");
}

static void each_run_reads_the_same_input(void **state)
{
	write_file("input", "text\n");
	stdin_path = path;
	PERFEX_EXITS(0, "--runs", "-n", "-e", "0x16,0x12,0x1", "cat");
	assert_string_equal(stdout_text, "text\ntext\n");
	/* This input cannot be read twice, and a single run reads it once. */
	stdin_path = "/dev/zero";
	PERFEX_EXITS(0, "--runs", "-n", "-e", "0x16,0x12", "echo", "ran");
	assert_string_equal(stdout_text, "ran\n");
	PERFEX_EXITS(PERFEX_USAGE, "--runs", "-n", "-e", "0x16,0x12,0x1",
		     "echo", "ran");
	check_sentence("standard input ... < FILE ... < /dev/null");
	PERFEX_EXITS(PERFEX_USAGE, "--runs", "-n", "--warmup=1", "echo", "ran");
	check_sentence("standard input ... < FILE ... < /dev/null");
}

static void a_file_is_read_from_where_it_was(void **state)
{
	const int saved = dup(STDIN_FILENO), saved_err = dup(STDERR_FILENO);
	struct input input;
	int fds[2], fd, status;

	write_file("input", "0123456789");
	fd = open(path, O_RDONLY);
	assert_int_equal(dup2(fd, STDIN_FILENO), STDIN_FILENO);
	assert_int_equal(lseek(STDIN_FILENO, 4, SEEK_SET), 4);
	assert_int_equal(find_input(&input), 0);
	assert_int_equal(lseek(STDIN_FILENO, 0, SEEK_END), 10);
	assert_int_equal(rewind_input(&input), 0);
	assert_int_equal(lseek(STDIN_FILENO, 0, SEEK_CUR), 4);
	close(fd);

	assert_int_equal(pipe(fds), 0);
	dup2(fds[0], STDIN_FILENO);
	fd = open("/dev/null", O_WRONLY);
	dup2(fd, STDERR_FILENO);
	status = find_input(&input);
	dup2(saved_err, STDERR_FILENO);
	assert_int_equal(status, PERFEX_USAGE);
	close(saved_err);
	close(fd);
	close(fds[0]);
	close(fds[1]);
	close(STDIN_FILENO);
	assert_int_equal(find_input(&input), 0);
	assert_int_equal(rewind_input(&input), 0);
	dup2(saved, STDIN_FILENO);
	close(saved);
}

static void metrics_are_the_same_for_programs(void **state)
{
	static const char *const formats[][2] = {
		{ "csv", "--csv" },
		{ "json", "--json" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(formats); i++) {
		write_group("p5mmx/my",
			    "T.\n\nevent data_read\nevent branches\n"
			    "metric a \xc2\xb5,\"s\" = branches / 4\n"
			    "metric b x = branches / data_read\n");
		write_file("report", "");
		PERFEX_EXITS(0, formats[i][1], "-no", path, "-g", "my",
			     "--runs", "true");
		assert_string_equal(
			parse_report(formats[i][0], path),
			"kind=event name=data_read modes=u code=0 value=0"
			" share=1.000\n"
			"kind=event name=branches modes=u code=18 value=18"
			" share=1.000\n"
			"kind=metric name=a value=4.500 share=1.000"
			" unit=\xc2\xb5,\"s\"\n"
			"kind=metric name=b note=no value: the formula divides"
			" by zero here unit=x\n"
			"kind=note note=the events were counted in 1 run of the"
			" command, each all the time\n");
	}
}

/* Count all metrics of the groups. Return their number. */
static unsigned int count_all(const char *pmu, const char *family)
{
	static const char groups[] = SOURCE_DIRECTORY "/../../../perfex/groups";
	char file[sizeof(groups) + 300];
	const struct dirent *entry;
	unsigned int nr = 0;
	DIR *files;

	snprintf(fake->info.pmu, sizeof(fake->info.pmu), "%s", pmu);
	snprintf(file, sizeof(file), "%s/%s", groups, family);
	files = opendir(file);
	assert_non_null(files);
	while ((entry = readdir(files))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(file, sizeof(file), "%s/%s/%s", groups, family,
			 entry->d_name);
		if (PERFEX("--runs", "-nk", "-g", file, "true") ||
		    strstr(stderr_text, "several runs"))
			fail_msg("%s on %s: %s", file, pmu, stderr_text);
		nr++;
	}
	closedir(files);
	return nr;
}

static void each_group_of_the_project_can_be_counted(void **state)
{
	assert_int_equal(count_all("p5", "p5"), 9);
	assert_int_equal(count_all("p5mmx", "p5"), 9);
	assert_int_equal(count_all("p5mmx", "p5mmx"), 3);
	assert_int_equal(count_all("p5", "generic"), 4);
	assert_int_equal(count_all("p5mmx", "generic"), 4);
	assert_int_equal(count_all("p6", "generic"), 4);
}

static const char *const golden =
	"                 256  0x100  clocks:u\n"
	"                  22  0x16   instructions_executed:u\n"
	"                  23  0x17   instructions_executed_v_pipe:u\n"
	"                  31  0x1f   agi_stall:u\n"
	"                  21  0x15   pipeline_flushes:u\n"
	"              11.636  -      cpi  clocks\n"
	"             209.091  -      paired  %\n"
	"              12.109  -      agi-stalls  %\n"
	"             954.545  -      flushes  per-1000\n"
	"# the events were counted in 4 runs of the command, each all the"
	" time\n";

/* The metrics are 256 / 22, 200 * 23 / 22, 100 * 31 / 256 and 1000 * 21 / 22. */
static void a_report_of_a_group_is_as_it_was(void **state)
{
	static const char group[] =
		SOURCE_DIRECTORY "/../../../perfex/groups/p5/cpi";

	PERFEX_EXITS(0, "--runs", "-n", "-g", group, "true");
	assert_string_equal(stderr_text, golden);
}

#define METRICS_TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

static const struct CMUnitTest tests[] = {
	METRICS_TEST(a_group_counts_its_events_and_derives_its_metrics),
	METRICS_TEST(several_groups_and_events_are_counted_once),
	METRICS_TEST(a_metric_is_counted_by_its_name),
	METRICS_TEST(metrics_are_listed_with_their_formulas),
	METRICS_TEST(groups_are_sought_in_several_places),
	METRICS_TEST(groups_can_be_of_one_model),
	METRICS_TEST(groups_are_listed_with_their_first_line),
	METRICS_TEST(only_files_are_groups),
	METRICS_TEST(a_long_comment_is_no_text_in_the_list),
	METRICS_TEST(what_is_wrong_in_a_group_is_told_with_its_place),
	METRICS_TEST(what_is_no_group_is_refused),
	METRICS_TEST(options_that_do_not_go_with_them_are_refused),
	METRICS_TEST(a_metric_without_a_value_has_a_reason),
	METRICS_TEST(time_of_a_cgroup_is_that_of_the_count),
	METRICS_TEST(time_is_that_of_the_command),
	METRICS_TEST(a_metric_of_projected_counts_says_so),
	METRICS_TEST(any_number_of_events_is_counted_in_several_runs),
	METRICS_TEST(more_events_than_one_count_takes_can_be_counted),
	METRICS_TEST(sets_are_what_the_counters_can_count),
	METRICS_TEST(a_ratio_is_of_one_run),
	METRICS_TEST(instructions_per_cycle_are_of_one_run),
	METRICS_TEST(instructions_per_cycle_are_of_the_same_modes),
	METRICS_TEST(a_sum_is_of_one_run_or_says_so),
	METRICS_TEST(runs_can_be_repeated_and_warmed_up),
	METRICS_TEST(a_signal_ends_all_runs),
	METRICS_TEST(an_exit_status_that_fails_is_told),
	METRICS_TEST(each_run_reads_the_same_input),
	METRICS_TEST(a_file_is_read_from_where_it_was),
	METRICS_TEST(metrics_are_the_same_for_programs),
	METRICS_TEST(each_group_of_the_project_can_be_counted),
	METRICS_TEST(a_report_of_a_group_is_as_it_was),
};

UNIT_MAIN(tests)
