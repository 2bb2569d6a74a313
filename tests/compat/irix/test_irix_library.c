// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests libperfex: its calls of the driver, its results, and its output.
 */
#include "../../unit/lib/unit.h"
#include "check_says.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../unit/lib/fake_driver.h"
#include "../../unit/lib/run_files.h"
#include "libperfex.h"

#define INSTRUCTIONS 0x16
#define BRANCHES     0x12
#define NONE	     (-99)

static char said[8192];

/* From here on, standard error goes to a file, which hear() reads. */
static FILE *listen_to_error(int *saved)
{
	FILE *file = tmpfile();

	assert_non_null(file);
	*saved = dup(STDERR_FILENO);
	dup2(fileno(file), STDERR_FILENO);
	return file;
}

static void hear(FILE *file, int saved)
{
	size_t length;

	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(file);
	length = fread(said, 1, sizeof(said) - 1, file);
	said[length] = '\0';
	fclose(file);
}

#define HEAR(ret, call)                               \
	do {                                          \
		int saved;                            \
		FILE *file = listen_to_error(&saved); \
		const int got = (call);               \
                                                      \
		hear(file, saved);                    \
		assert_int_equal(got, ret);           \
	} while (0)

static void check_sentence(const char *word)
{
	assert_memory_equal(said, "libperfex: ", 11);
	if (!strstr(said, word))
		fail_msg("\"%s\" does not say \"%s\"", said, word);
	assert_ptr_equal(strchr(said, '\n'), said + strlen(said) - 1);
}

/* The linker prescribes these names. getpid(2) returns what the test needs. */
pid_t __real_getpid(void);
pid_t __wrap_getpid(void);

static pid_t other_process;

pid_t __wrap_getpid(void)
{
	return __real_getpid() + other_process;
}

/* Let the library see another process, which does not have a handle yet. */
static int setup(void **state)
{
	unsetenv("T5_EVENT0");
	unsetenv("T5_EVENT1");
	other_process++;
	return fake_setup(state);
}

static int setup_directory(void **state)
{
	return directory_setup(state) || setup(state);
}

static void two_events_are_counted_in_user_mode(void **state)
{
	long long c0 = NONE, c1 = NONE;
	const int started = start_counters(INSTRUCTIONS, BRANCHES);

	assert_true(started > 0);
	assert_int_equal(fake->started.nr_events, 2);
	assert_int_equal(fake->started.event[0].code, INSTRUCTIONS);
	assert_int_equal(fake->started.event[1].code, BRANCHES);
	assert_int_equal(fake->started.event[0].modes, VPMC_USER);
	fake->children.count[0] = 23;
	fake->read.count[1] = 5000000000;
	assert_int_equal(read_counters(INSTRUCTIONS, &c0, BRANCHES, &c1),
			 started);
	assert_int_equal(c0, 1023);
	assert_int_equal(c1, 5000000000);
	assert_int_equal(fake->stops, 1);
}

static void a_number_of_both_counters_goes_by_its_place(void **state)
{
	assert_true(start_counters(0x2b, 0x2b) > 0);
	assert_int_equal(fake->started.event[0].code, 0x2b);
	assert_int_equal(fake->started.event[0].counter, 0);
	assert_int_equal(fake->started.event[1].code, 0x2b);
	assert_int_equal(fake->started.event[1].counter, 1);
}

static void the_environment_replaces_the_numbers(void **state)
{
	setenv("T5_EVENT0", "0x12", 1);
	assert_true(start_counters(INSTRUCTIONS, 0) > 0);
	assert_int_equal(fake->started.event[0].code, BRANCHES);
	assert_int_equal(fake->started.event[1].code, 0);
	unsetenv("T5_EVENT0");
	setenv("T5_EVENT1", "flops", 1);
	assert_true(start_counters(INSTRUCTIONS, 0) > 0);
	assert_int_equal(fake->started.event[0].code, INSTRUCTIONS);
	assert_int_equal(fake->started.event[1].code, 0x22);
	HEAR(0, print_counters(INSTRUCTIONS, 1, 0, 2));
	check_says(said, " 34 flops...");
}

static const struct {
	int e0;
	int e1;
	int open_errno;
	int start_errno;
	const char *pmu;
	const char *word;
} start_errors[] = {
	{ 0x3f, BRANCHES, 0, 0, "p5mmx", "unknown event 63 (0x3f)" },
	{ INSTRUCTIONS, -1, 0, 0, "p5mmx", "-1" },
	/* FLOPS and FP_COMP_OPS_EXE of the P6 need counter 0. */
	{ 0xc1, 0x10, 0, 0, "p6", "conflicting counters" },
	{ INSTRUCTIONS, BRANCHES, ENOENT, 0, "p5mmx", "/dev/vpmc" },
	{ INSTRUCTIONS, BRANCHES, 0, EBUSY, "p5mmx", "busy" },
	{ INSTRUCTIONS, BRANCHES, 0, EPERM, "p5mmx", "" },
};

static void a_start_that_fails_says_why(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(start_errors); i++) {
		setup(state);
		snprintf(fake->info.pmu, sizeof(fake->info.pmu), "%s",
			 start_errors[i].pmu);
		fake->open_errno = start_errors[i].open_errno;
		fake->start_errno = start_errors[i].start_errno;
		HEAR(-1,
		     start_counters(start_errors[i].e0, start_errors[i].e1));
		check_sentence(start_errors[i].word);
	}
}

static void a_read_that_fails_changes_nothing(void **state)
{
	long long c0 = NONE, c1 = NONE;

	fake->read_errno = ENODATA;
	HEAR(-1, read_counters(INSTRUCTIONS, &c0, BRANCHES, &c1));
	check_sentence("");
	fake->read_errno = 0;

	assert_true(start_counters(INSTRUCTIONS, BRANCHES) > 0);
	HEAR(-1, read_counters(BRANCHES, &c0, INSTRUCTIONS, &c1));
	check_sentence("not those to be read");
	/* Another program has started the counters in the meantime. */
	fake->read.generation = 8;
	fake->read.start = 22;
	HEAR(-1, read_counters(INSTRUCTIONS, &c0, BRANCHES, &c1));
	check_sentence("");
	assert_int_equal(c0, NONE);
	assert_int_equal(c1, NONE);
	assert_int_equal(fake->stops, 0);
}

static void counts_are_printed(void **state)
{
	HEAR(0, print_counters(INSTRUCTIONS, 1000, BRANCHES, 5000000000));
	assert_string_equal(
		said,
		"   22 instructions_executed...........................                 1000\n"
		"   18 branches........................................           5000000000\n");
	fake->open_errno = 0;
	HEAR(-1, print_counters(0x3f, 1, 0, 2));
	check_sentence("unknown event 63 (0x3f)");
	HEAR(-1, print_costs(0x3f, 1, 0, 2));
	check_sentence("unknown event 63 (0x3f)");
}

/* A program subtracts the count of an empty part, which may be larger than its own count. */
static void negative_counts_are_printed(void **state)
{
	HEAR(0, print_counters(INSTRUCTIONS, -5, BRANCHES, 0));
	check_says(said, "..                   -5\n");
	HEAR(0, print_costs(INSTRUCTIONS, 0, 0x100, -300000000));
	check_says(said, "..           -300000000   -");
}

static void write_file(const char *name, const char *text)
{
	FILE *file = fopen(name, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static double number(char **line)
{
	return strtod(*line, line);
}

/* Check the three times of AGI stalls, which follow their count in the line. */
static void check_times(double typical, double minimum, double maximum)
{
	char *line = strstr(said, "agi_stall..");
	double clock, found[3];
	size_t i;

	assert_non_null(line);
	line = strchr(line, ' ');
	assert_true(number(&line) == 2e9);
	for (i = 0; i < 3; i++)
		found[i] = number(&line);
	clock = found[1] / minimum;
	assert_true(clock > 0.1);
	assert_true(found[0] > typical * clock * 0.999 &&
		    found[0] < typical * clock * 1.001);
	assert_true(found[2] > maximum * clock * 0.999 &&
		    found[2] < maximum * clock * 1.001);
}

/*
 * An AGI stall costs one clock or half a clock. 2e9 stalls take about a second, so they are in
 * the first line.
 */
static void costs_are_printed_and_replaced(void **state)
{
	HEAR(0, print_costs(INSTRUCTIONS, 1000, 0x1f, 2000000000));
	assert_true(strstr(said, "\n   31 agi_stall..") <
		    strstr(said, "\n   22 instructions_executed.."));
	check_times(1, 0.5, 1);
	write_file(path, "# mine\n31 agi_stall 2 1 4 clks\n");
	HEAR(0, load_costs(path));
	HEAR(0, print_costs(INSTRUCTIONS, 1000, 0x1f, 2000000000));
	check_times(2, 1, 4);
}

static void a_table_with_an_error_changes_nothing(void **state)
{
	write_file(path, "31 agi_stall 7 7 7 clks\n31 agi_stall 1 1 1 ticks\n");
	HEAR(-1, load_costs(path));
	check_sentence("line 2: the unit is clks or nsec");
	HEAR(-1, load_costs(other));
	check_sentence("cannot open the costs /");
	HEAR(0, print_costs(INSTRUCTIONS, 1000, 0x1f, 2000000000));
	check_times(2, 1, 4);
}

/* A child needs another handle, because the inherited one stands for the parent. */
static void a_child_opens_the_device_itself(void **state)
{
	assert_true(start_counters(INSTRUCTIONS, BRANCHES) > 0);
	assert_true(start_counters(INSTRUCTIONS, BRANCHES) > 0);
	assert_int_equal(fake->opens, 1);
	other_process++;
	assert_true(start_counters(INSTRUCTIONS, BRANCHES) > 0);
	assert_int_equal(fake->opens, 2);
}

#define DIRECTORY_TEST_ALONE(name)                             \
	cmocka_unit_test_setup_teardown(name, setup_directory, \
					directory_teardown)
#define TEST(name) cmocka_unit_test_setup(name, setup)

static const struct CMUnitTest tests[] = {
	TEST(two_events_are_counted_in_user_mode),
	TEST(a_number_of_both_counters_goes_by_its_place),
	TEST(the_environment_replaces_the_numbers),
	TEST(a_start_that_fails_says_why),
	TEST(a_read_that_fails_changes_nothing),
	TEST(counts_are_printed),
	TEST(negative_counts_are_printed),
	DIRECTORY_TEST_ALONE(costs_are_printed_and_replaced),
	/* This test needs the costs that the previous test has loaded. */
	DIRECTORY_TEST_ALONE(a_table_with_an_error_changes_nothing),
	TEST(a_child_opens_the_device_itself),
};

UNIT_MAIN(tests)
