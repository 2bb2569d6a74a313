// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests perfex --plot: the contents that Python's parser of XML finds, and how the
 * file is written.
 *
 * The two files *.expected are whole pictures. If you change what is drawn, look at the
 * new pictures in a browser, and replace these files by them.
 */
#include "unit.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chart/axis.h"
#include "chart/chart.h"
#include "fake_driver.h"
#include "fake_system.h"
#include "run_files.h"
#include "run_perfex.h"
#include "util/status.h"

#define ONE_EVENT "                1000  0x16   instructions_executed:u\n"

static void check_found(const char *const *expected)
{
	const char *found = parse_plot(path);

	for (; *expected; expected++) {
		if (!strstr(found, *expected))
			fail_msg("\"%s\" has no \"%s\"", found, *expected);
	}
}

#define CHECK_FOUND(...) check_found((const char *const[]){ __VA_ARGS__, NULL })

static void each_run_is_a_dot(void **state)
{
	fake->self_step = 2;
	PERFEX_EXITS(0, "-r3", "--warmup=1", "-n", "-e", "0x16,0x12", "--plot",
		     path, "true", "x y");
	CHECK_FOUND("title=true 'x y'\n",
		    "text=true 'x y'\n"
		    "text=dots: runs; line: mean; area: its 95 % confidence"
		    " interval\n"
		    "text=instructions_executed:u, number in a run\n",
		    "dot=run 1: 1002\ndot=run 2: 1004\ndot=run 3: 1006\n"
		    "text=runs, the first one on the left\n"
		    "text=branches:u, number in a run\n",
		    "dot=run 3: 18446744073709551615\n",
		    "s0 dots=6\ns0 intervals=2\ns0 steps=2\n");
	/* The report is printed, too. */
	check_says(stderr_text, "mean of 3 runs");
}

static void each_set_of_runs_has_its_dots(void **state)
{
	fake->per_code = 10;
	PERFEX_EXITS(0, "--runs", "-r2", "-n", "-e", "0x16,0x12,0x1", "--plot",
		     path, "true");
	CHECK_FOUND("text=data_write:u, number in a run\n",
		    "dot=run 1: 10\ndot=run 2: 10\n", "dot=run 2: 220\n",
		    "dot=run 2: 180\n", "s0 dots=6\n");
	PERFEX_EXITS(0, "--compare", "--runs", "-n", "-e", "0x16,0x12,0x1",
		     "--plot", path, "true", "::", "true");
	CHECK_FOUND("\ns0 dots=3\ns1 dots=3\n");
}

/* The name has characters that XML permits, that must be escaped, and that XML forbids. */
#define UNFIT "<&\"'>\n\x1b\xc3\xa9\xff\xed\xa0\x80\xe0\x80\x80\xef\xbf\xbf"

static void commands_are_beside_each_other(void **state)
{
	fake->self_step = 2;
	PERFEX_EXITS(0, "--compare", "-r3", "-n", "--plot", path, "true",
		     "::", "true", UNFIT);
	CHECK_FOUND("title=commands compared by perfex\n",
		    "text=command 1: true\n"
		    "text=command 2: true '<&\"'\\''>\\x0a\\x1b\xc3\xa9\\xff"
		    "\\xed\\xa0\\x80\\xe0\\x80\\x80\\xef\\xbf\\xbf'\n",
		    "dot=run 1: 1000\ndot=run 2: 1004\ndot=run 3: 1008\n"
		    "text=command 1\n"
		    "dot=run 1: 1002\ndot=run 2: 1006\ndot=run 3: 1010\n"
		    "text=command 2\n",
		    "s0 dots=3\ns0 intervals=1\ns0 steps=1\n"
		    "s1 dots=3\ns1 intervals=1\ns1 steps=1\n");
	/* A single run has no mean, and a command that did not run has no dot. */
	PERFEX_EXITS(PERFEX_NOT_FOUND, "--compare", "-n", "--plot", path,
		     "true", "::", "no-such-command-anywhere");
	assert_null(strstr(parse_plot(path), "steps="));
	CHECK_FOUND("text=command 2\n", "s0 dots=1\n");
}

static void a_long_title_ends_with_dots(void **state)
{
	static char word[300];

	memset(word, '&', sizeof(word) - 1);
	PERFEX_EXITS(0, "-r2", "-n", "--plot", path, "true", word);
	word[TITLE_MAX - 9] = '\0';
	CHECK_FOUND("&&&...\n");
	assert_null(strstr(parse_plot(path), word));
}

static void each_interval_is_a_step(void **state)
{
	const char *found;

	fake->signal = SIGTERM;
	fake->signal_read = 4;
	fake->system.nr_counts = 2;
	fake->system.count[1] = 7;
	PERFEX_EXITS(0, "--plot", path, "--system", "--interval", "0.002", "-e",
		     "0x16,0x12");
	CHECK_FOUND("title=the whole system\n",
		    "text=instructions_executed:uk\n",
		    "text=instructions_executed:uk, per second\n",
		    "text=branches:uk, per second\n", "text=seconds\n",
		    "\ns0 steps=");
	/* The rest of the time has its own step only if it is long enough. */
	found = parse_plot(path);
	assert_true(strstr(found, "\ns0 steps=3\ns1 steps=3\n") ||
		    strstr(found, "\ns0 steps=4\ns1 steps=4\n"));
}

/*
 * Add intervals of 100 ms with 100 events each, and a shorter last interval of @rest ms with 100
 * events.
 */
static void add_intervals(struct samples *samples, uint64_t rest)
{
	static const uint64_t ends[] = { 100, 200 };
	struct events events = { .nr = 1 };
	struct vpmc_counts counts = { .nr = 1, .count = { 100 } };
	struct report report = { .events = &events,
				 .counts = &counts,
				 .elapsed_us = 100000 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ends); i++) {
		report.us = ends[i] * 1000;
		assert_int_equal(add_sample(samples, &report), 0);
	}
	counts.count[0] = rest / 2;
	report.us += rest * 1000;
	report.elapsed_us = rest * 1000;
	report.is_last = true;
	assert_int_equal(add_sample(samples, &report), 0);
}

static void a_short_rest_is_no_cliff(void **state)
{
	struct samples samples = { .nr = 0 }, more = { .nr = 0 };

	add_intervals(&samples, 20);
	assert_int_equal(samples.nr, 2);
	assert_true(fabs(samples.end[1] - 0.22) < 1e-9);
	/* There are 110 events in 120 ms. */
	assert_true(fabs(rate_in(&samples, 1, 0) - 110 / 0.12) < 1e-6);
	assert_true(fabs(rate_in(&samples, 0, 0) - 1000) < 1e-6);
	free_samples(&samples);
	add_intervals(&more, 60);
	assert_int_equal(more.nr, 3);
	assert_true(fabs(rate_in(&more, 2, 0) - 500) < 1e-6);
	free_samples(&more);
}

static void what_is_counted_is_the_title(void **state)
{
	char self[40], title[40];

	PERFEX_EXITS(3, "--plot", path, "-n", "--interval=100", "sh", "-c",
		     "exit 3");
	CHECK_FOUND("title=sh -c 'exit 3'\n", "s0 steps=1\n");
	PERFEX_EXITS(0, "--plot", path, "--interval=0.005", "--for=0.02",
		     "--cgroup=/tmp");
	CHECK_FOUND("title=cgroup /tmp\n");
	/* valgrind lacks pidfd_open(2). */
	if (under_valgrind())
		return;
	snprintf(self, sizeof(self), "-p%d", getpid());
	snprintf(title, sizeof(title), "title=process %d\n", getpid());
	PERFEX_EXITS(0, "--plot", path, "-n", "--interval=0.005", "--for=0.02",
		     self);
	CHECK_FOUND(title);
	snprintf(self, sizeof(self), "-p%d,%d", getpid(), getppid());
	PERFEX_EXITS(0, "--plot", path, "-n", "--interval=0.005", "--for=0.02",
		     self);
	CHECK_FOUND("title=2 processes\n");
}

/* An empty panel would look like a count of 0. */
static void what_has_no_count_says_so(void **state)
{
	fake->read.count[0] = 0;
	fake->read.count[1] = 0;
	PERFEX_EXITS(0, "-r2", "-n", "-e", "0x27,0x16", "--plot", path, "true");
	CHECK_FOUND("text=hardware_interrupts:u, number in a run\n"
		    "text=never in user mode\n",
		    "dot=run 2: 0\n", "s0 dots=2\n");
	PERFEX_EXITS(0, "--interval=100", "-n", "-e", "0x27,0x16", "--plot",
		     path, "true");
	CHECK_FOUND("text=not counted\n", "s1 steps=1\n");
}

static void nothing_else_is_plotted(void **state)
{
	PERFEX_EXITS(PERFEX_USAGE, "--plot", path, "true");
	check_sentence("--plot ... -r ... --interval");
	PERFEX_EXITS(PERFEX_USAGE, "--plot", path, "--runs", "true");
	PERFEX_EXITS(PERFEX_USAGE, "--plot", path, "-l");
	PERFEX_EXITS(PERFEX_USAGE, "--plot", path, "--plot", path, "-r2",
		     "true");
	check_sentence("--plot is given twice");
	assert_int_equal(access(path, F_OK), -1);
}

static void a_program_is_no_file_for_a_plot(void **state)
{
	fill_program(path, "#!/bin/sh\n");
	PERFEX_EXITS(PERFEX_OUTPUT, "-r2", "--plot", path, path);
	check_sentence("%s ... program ... --plot", path);
	check_file(path, "#!/bin/sh\n");
	assert_int_equal(fake->started.size, 0);
}

static void a_file_is_kept_if_nothing_runs(void **state)
{
	fill(path, "before\n");
	PERFEX_EXITS(PERFEX_NOT_FOUND, "-r2", "--plot", path,
		     "no-such-command-anywhere");
	check_file(path, "before\n");
	unlink(path);
	PERFEX_EXITS(PERFEX_NOT_FOUND, "-r2", "--plot", path,
		     "no-such-command-anywhere");
	assert_int_equal(access(path, F_OK), -1);
}

static void a_longer_file_is_emptied(void **state)
{
	static char text[20000];

	memset(text, 'x', sizeof(text) - 1);
	fill(path, text);
	PERFEX_EXITS(0, "-r2", "-n", "--plot", path, "true");
	CHECK_FOUND("s0 dots=2\n");
}

/* Report and picture cannot share a file, under any name of it. */
static void the_report_goes_elsewhere(void **state)
{
	char again[sizeof(path) + 10];

	snprintf(again, sizeof(again), "%s/./file", directory);
	fill(path, "before\n");
	PERFEX_EXITS(PERFEX_USAGE, "-r2", "-o", again, "--plot", path, "true");
	check_sentence("%s ... --plot", path);
	check_file(path, "before\n");
	unlink(path);
	PERFEX_EXITS(PERFEX_USAGE, "-r2", "-o", again, "--plot", path, "true");
	assert_int_equal(access(path, F_OK), -1);
	PERFEX_EXITS(0, "-r2", "-n", "-o", "/dev/null", "--plot", "/dev/null",
		     "true");
}

static void a_full_disk_is_told(void **state)
{
	PERFEX_EXITS(PERFEX_OUTPUT, "-r2", "-n", "--plot", "/dev/full", "true");
	check_says(stderr_text, "in all 2 runs\n");
	check_says(stderr_text, "perfex: cannot write the plot"
				" to /dev/full: No space left");
	PERFEX_EXITS(PERFEX_OUTPUT, "-r2", "-n", "--plot", "/nonexistent/plot",
		     "echo", "ran");
	check_sentence("/nonexistent/plot");
}

static void a_dash_is_standard_output(void **state)
{
	PERFEX_EXITS(0, "-r2", "-n", "--plot", "-", "true");
	assert_memory_equal(stdout_text, "<svg ", 5);
	assert_string_equal(stdout_text + strlen(stdout_text) - 7, "</svg>\n");
}

static void without_memory_there_is_the_report(void **state)
{
	fake_system->no_stream = true;
	PERFEX_EXITS(PERFEX_SYSTEM, "-r2", "-n", "--plot", path, "true");
	check_says(stderr_text, "in all 2 runs\n");
	check_says(stderr_text, "no memory for the plot");
	assert_int_equal(access(path, F_OK), -1);
	fake_system->no_stream = false;
	fake_system->most = 100;
	PERFEX_EXITS(PERFEX_SYSTEM, "--interval=100", "-n", "--plot", path,
		     "true");
	check_says(stderr_text, ONE_EVENT);
	check_says(stderr_text, "no memory for the plot of 1");
	assert_int_equal(access(path, F_OK), -1);
}

static void check_golden(const char *name, const char *text)
{
	char file[200];

	snprintf(file, sizeof(file), "%s/%s", SOURCE_DIRECTORY, name);
	check_file(file, text);
}

static void a_picture_of_runs_is_the_expected_one(void **state)
{
	fake->read.count[0] = 1250;
	fake->read.count[1] = 70;
	fake->self_step = 3;
	PERFEX_EXITS(1, "--compare", "-r4", "-n", "-e", "0x16,0x12", "--plot",
		     "-", "true", "::", "false");
	check_golden("plot-runs.expected", stdout_text);
}

static void add_interval(struct chart *chart, const struct events *events,
			 uint64_t first, uint64_t second, uint64_t us)
{
	const struct vpmc_counts counts = { .nr = 2,
					    .count = { first, second } };
	const double before =
		chart->samples.nr ? chart->samples.end[chart->samples.nr - 1]
				  : 0;
	const struct report report = {
		.events = events,
		.counts = &counts,
		.is_block = true,
		.elapsed_us = us,
		.us = (uint64_t)(before * 1e6 + 0.5) + us,
	};

	assert_int_equal(add_report(chart, &report), 0);
}

/* In the middle, the second event did not happen, so its line has a gap. */
static void a_picture_of_intervals_is_the_expected_one(void **state)
{
	static struct events events = { .nr = 2 };
	struct chart chart = { .title = "sort <text >sorted & more" };

	events.pmu = vpmc_pmu_find("p5");
	events.sel[0] = (struct vpmc_event_sel){ .code = 0x16, .modes = 1 };
	events.sel[1] = (struct vpmc_event_sel){ .code = 0x12, .modes = 1 };
	events.never[1] = "never";
	add_interval(&chart, &events, 1200000, 300, 500000);
	add_interval(&chart, &events, 900000, 0, 500000);
	add_interval(&chart, &events, 1000, 1, 0);
	add_interval(&chart, &events, 2000000, 450, 500000);
	add_interval(&chart, &events, 100000, 20, 230000);
	assert_int_equal(finish_chart(&chart), 0);
	assert_int_equal(chart.samples.nr, 4);
	assert_int_equal(strlen(chart.text), chart.size);
	check_golden("plot-intervals.expected", chart.text);
	fill(path, chart.text);
	CHECK_FOUND("s0 steps=4\ns1 steps=3\n");
	free_samples(&chart.samples);
	free(chart.text);
}

static const struct {
	double low;
	double high;
	bool is_whole;
	double axis_low;
	double axis_high;
	double step;
} axes[] = {
	{ 0, 1.731, false, 0, 2, 0.5 },
	{ 0, 0.0042, false, 0, 0.005, 0.001 },
	{ 0, 0, false, 0, 1, 0.2 },
	{ 0, 0, true, 0, 1, 1 },
	{ 1000, 1008, true, 1000, 1008, 2 },
	{ 12500012, 12500207, true, 12500000, 12500250, 50 },
	{ 7, 7, true, 6, 8, 1 },
	{ 5, 6, true, 4, 7, 1 },
	{ 0, 3e9, true, 0, 3e9, 1e9 },
};

static void axes_have_round_numbers(void **state)
{
	struct axis axis = { .begin = 100, .end = 0 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(axes); i++) {
		fit_axis(&axis, axes[i].low, axes[i].high, axes[i].is_whole);
		if (fabs(axis.low - axes[i].axis_low) > 1e-9 ||
		    fabs(axis.high - axes[i].axis_high) > 1e-9 ||
		    fabs(axis.step - axes[i].step) > 1e-9)
			fail_msg("row %zu: %f to %f by %f", i, axis.low,
				 axis.high, axis.step);
		assert_true(place_on(&axis, axis.low) == 100);
		assert_true(place_on(&axis, axis.high) == 0);
	}
}

/* A floating-point number cannot represent every integer of this size. */
static void the_largest_counts_have_an_axis(void **state)
{
	struct axis axis = { .begin = 100, .end = 0 };
	double place;

	fit_axis(&axis, 0x1p64 - 2048, 0x1p64, true);
	place = place_on(&axis, 0x1p64);
	assert_true(axis.high > axis.low);
	assert_true(place > 0 && place < 100);
}

static const struct CMUnitTest tests[] = {
	DIRECTORY_TEST(each_run_is_a_dot),
	DIRECTORY_TEST(each_set_of_runs_has_its_dots),
	DIRECTORY_TEST(commands_are_beside_each_other),
	DIRECTORY_TEST(a_long_title_ends_with_dots),
	DIRECTORY_TEST(each_interval_is_a_step),
	DIRECTORY_TEST(a_short_rest_is_no_cliff),
	DIRECTORY_TEST(what_is_counted_is_the_title),
	DIRECTORY_TEST(what_has_no_count_says_so),
	DIRECTORY_TEST(nothing_else_is_plotted),
	DIRECTORY_TEST(a_program_is_no_file_for_a_plot),
	DIRECTORY_TEST(a_file_is_kept_if_nothing_runs),
	DIRECTORY_TEST(a_longer_file_is_emptied),
	DIRECTORY_TEST(the_report_goes_elsewhere),
	DIRECTORY_TEST(a_full_disk_is_told),
	DIRECTORY_TEST(a_dash_is_standard_output),
	DIRECTORY_TEST(without_memory_there_is_the_report),
	DIRECTORY_TEST(a_picture_of_runs_is_the_expected_one),
	DIRECTORY_TEST(a_picture_of_intervals_is_the_expected_one),
	DIRECTORY_TEST(axes_have_round_numbers),
	DIRECTORY_TEST(the_largest_counts_have_an_axis),
};

UNIT_MAIN(tests)
