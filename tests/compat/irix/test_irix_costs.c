// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests the tables of costs, the times and the statistics of perfex.irix. A program
 * in Python recalculates the numbers.
 */
#include "../../unit/lib/unit.h"
#include "check_says.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../unit/lib/fake_driver.h"
#include "../../unit/lib/run_files.h"
#include "../../unit/lib/run_perfex.h"
#include "libperfex_costs.h"
#include "libperfex_report.h"

static void write_file(const char *name, const char *text)
{
	FILE *file = fopen(name, "w");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

/* Return the output of check_times.py. */
static const char *check_times(void)
{
	static char found[8192];
	FILE *out = tmpfile();
	int status;
	pid_t pid;

	assert_non_null(out);
	fflush(NULL);
	pid = fork();
	if (!pid) {
		dup2(fileno(out), STDOUT_FILENO);
		dup2(fileno(out), STDERR_FILENO);
		execl("/usr/bin/python3", "python3", "-B",
		      SOURCE_DIRECTORY "/check_times.py", path, other, NULL);
		_exit(EXIT_FAILURE);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	read_back(out, found, sizeof(found));
	return found;
}

static void save_table(void)
{
	assert_int_equal(PERFEX("-t"), 0);
	write_file(other, stdout_text);
}

/*
 * Each count is the code of its event, multiplied by a million, so there are more reads that
 * hit than that miss.
 */
static void times_and_statistics_are_those_of_the_costs(void **state)
{
	save_table();
	fake->per_code = 1000000;
	assert_int_equal(PERFEX("-a", "-y", "-o", path, "true"), 0);
	assert_string_equal(check_times(), "32 events, 12 statistics\n");
}

static void times_are_those_of_other_costs(void **state)
{
	write_file(other, "256 clocks 1 1 1 clks # as ever\n"
			  "\n"
			  "34\tflops 12.5 0.25 1e3 nsec\n");
	fake->per_code = 1000000;
	assert_int_equal(PERFEX("-y", "-c", other, "-o", path, "-e", "flops",
				"true"),
			 0);
	assert_string_equal(check_times(), "2 events, 2 statistics\n");
}

/* Statistics that divide by clocks need clocks. */
static void statistics_need_their_events(void **state)
{
	save_table();
	fake->per_code = 1000;
	assert_int_equal(
		PERFEX("-y", "-o", path, "-e", "18", "-e", "19", "true"), 0);
	assert_string_equal(check_times(), "2 events, 1 statistics\n");
	assert_int_equal(
		PERFEX("-y", "-o", path, "-e", "3", "-e", "31", "true"), 0);
	assert_string_equal(check_times(), "2 events, 0 statistics\n");
}

static void a_table_that_is_printed_can_be_loaded(void **state)
{
	char *line;

	save_table();
	assert_int_equal(PERFEX("-c", other, "-t"), 0);
	check_says(stdout_text, "\n   31 agi_stall");
	line = strdup(stdout_text);
	assert_int_equal(PERFEX("-t"), 0);
	assert_string_equal(stdout_text, line);
	free(line);
}

static void costs_that_a_file_leaves_out_stay(void **state)
{
	write_file(other, "31 agi_stall 7 6 8 nsec\n");
	assert_int_equal(PERFEX("-c", other, "-t"), 0);
	check_says(stdout_text, "        7        6        8 nsec\n");
	check_says(stdout_text, "   11 misaligned_references");
	check_says(stdout_text, "        3        3        3 clks\n");
}

static const struct {
	const char *text;
	const char *word;
} bad_tables[] = {
	{ "31 agi_stall 1 1 1\n", "line 1: give number" },
	{ "31 agi_stall 1 1 1 clks 5\n", "line 1: give number" },
	{ "\n# nothing\n31 agi_stall 1 1 1 hours\n", "line 3: the unit is" },
	{ "31 agi_stall 1 -1 1 clks\n", "line 1: a cost is" },
	{ "31 agi_stall 1 x 1 clks\n", "line 1: a cost is" },
	{ "31 agi_stall 1 nan 1 clks\n", "line 1: a cost is" },
	{ "31 agi_stall 1 2 3 clks\n", "line 1: the typical cost" },
	{ "31 agi_stall 3 1 2 clks\n", "line 1: the typical cost" },
	{ "30 agi_stall 1 1 1 clks\n", "line 1: this processor has no event" },
	{ "31 agi 1 1 1 clks\n", "line 1: this processor has no event" },
};

static void a_table_with_an_error_is_refused(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad_tables); i++) {
		write_file(other, bad_tables[i].text);
		assert_int_equal(PERFEX("-c", other, "-y", "true"), 216);
		check_sentence("%s ... %s", other, bad_tables[i].word);
	}
	assert_int_equal(PERFEX("-c", "/nowhere", "-y", "true"), 216);
	check_sentence("/nowhere ... No such file");
	assert_int_equal(fake->started.nr_events, 0);
}

/* Only the first line of the table is valid. */
static void costs_are_as_they_were_after_an_error(void **state)
{
	static struct perfexint_costs before, after;
	struct vpmc_error err;

	perfexint_builtin_costs(vpmc_pmu_find("p5"), &before);
	after = before;
	write_file(other, "31 agi_stall 7 6 8 nsec\n31 agi_stall 1 1 1\n");
	assert_int_equal(perfexint_load_costs(&after, other, &err),
			 VPMC_E_SYNTAX);
	assert_memory_equal(&after, &before, sizeof(before));
}

#define CLOCKS	     "clocks.........................................."
#define INSTRUCTIONS "instructions_executed..........................."
#define STALLS	     "agi_stall......................................."
#define RATIO	     "Instructions/cycle.............................."
#define RULE                                                       \
	"========================================================" \
	"========================================================\n"
#define BLANK_25 "                         "

/* Compare all characters. The processor has 100 MHz. A stall takes one clock, or half a clock. */
static void times_are_printed_in_columns(void **state)
{
	static struct perfexint_costs costs;
	const struct vpmc_pmu *pmu = vpmc_pmu_find("p5");
	const struct perfexint_times times = { .costs = &costs, .mhz = 100 };
	const struct perfexint_counts counts = {
		.pmu = pmu,
		.nr = 3,
		.sel = { { .code = 0x16 },
			 { .code = 0x1f },
			 { .code = 0x100 } },
		.count = { 150000000, 3000000, 200000000 },
	};
	char found[4096];
	FILE *out = tmpfile();

	assert_non_null(out);
	perfexint_builtin_costs(pmu, &costs);
	perfexint_print_times(out, &counts, &times);
	read_back(out, found, sizeof(found));
	assert_string_equal(
		found,
		" Based on 100 MHz p5\n" BLANK_25 BLANK_25 BLANK_25
		"      Typical     Minimum     Maximum\n"
		"  Event Counter Name                                  "
		"        Counter Value   Time (sec)  Time (sec)  Time (sec)\n" RULE
		"  256 " CLOCKS "            200000000    2.000000    2.000000"
		"    2.000000\n"
		"   31 " STALLS "              3000000    0.030000    0.015000"
		"    0.030000\n"
		"   22 " INSTRUCTIONS
		"            150000000    0.000000    0.000000"
		"    1.500000\n"
		"\nStatistics\n" RULE RATIO "         0.750000\n");
}

/* Compare all characters of a table in the form of a file of costs. */
static void costs_are_printed_in_columns(void **state)
{
	static const char head[] =
		"# p5mmx: number, event, typical, minimum and maximum cost\n"
		"  256 clocks                                  1        1"
		"        1 clks\n"
		"    0 data_read                               1      0.5"
		"        1 clks\n";

	assert_int_equal(PERFEX("-t"), 0);
	assert_memory_equal(stdout_text, head, sizeof(head) - 1);
}

static void the_clock_rate_is_the_kernels(void **state)
{
	write_file(path, "processor\t: 0\nbogomips\t: 400\n"
			 "cpu MHz\t\t: 99.473\ncpu MHz\t\t: 7\n");
	assert_true(fabs(perfexint_mhz(path) - 99.473) < 1e-9);
	write_file(path, "processor\t: 0\nbogomips\t: 400\n");
	assert_true(perfexint_mhz(path) == 0);
	assert_true(perfexint_mhz("/nowhere") == 0);
}

static const struct CMUnitTest tests[] = {
	DIRECTORY_TEST(times_and_statistics_are_those_of_the_costs),
	DIRECTORY_TEST(times_are_those_of_other_costs),
	DIRECTORY_TEST(statistics_need_their_events),
	DIRECTORY_TEST(a_table_that_is_printed_can_be_loaded),
	DIRECTORY_TEST(costs_that_a_file_leaves_out_stay),
	DIRECTORY_TEST(a_table_with_an_error_is_refused),
	DIRECTORY_TEST(costs_are_as_they_were_after_an_error),
	DIRECTORY_TEST(times_are_printed_in_columns),
	DIRECTORY_TEST(costs_are_printed_in_columns),
	DIRECTORY_TEST(the_clock_rate_is_the_kernels),
};

UNIT_MAIN(tests)
