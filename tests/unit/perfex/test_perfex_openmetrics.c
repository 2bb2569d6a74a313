// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests perfex --openmetrics and --prometheus: the samples that other parsers find,
 * and how files are replaced. System mode has two processors, and its counts grow by 100 at
 * each read. The first read is a check that reading works. Each report then reads the sum,
 * processor 0 and processor 1.
 */
#include "unit.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fake_driver.h"
#include "fake_system.h"
#include "run_files.h"
#include "run_perfex.h"
#include "util/status.h"

#define END "# EOF\n"

static const char *const formats[][2] = {
	{ "openmetrics", "--openmetrics" },
	{ "prometheus", "--prometheus" },
};

static mode_t mode_of(const char *file)
{
	struct stat status;

	assert_int_equal(stat(file, &status), 0);
	return status.st_mode & 07777;
}

/* End system mode after @reads reads. */
static void end_system_mode(unsigned int reads)
{
	fake->signal = SIGTERM;
	fake->signal_read = reads;
	fake->system_reads = 0;
}

static void each_processor_has_its_counts(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(formats); i++) {
		end_system_mode(1);
		PERFEX_EXITS(0, "--system", formats[i][1], "-o", path);
		assert_string_equal(
			parse_exposition(formats[i][0], path),
			"vpmc_counting{} 0\n"
			"vpmc_elapsed_seconds_total{} TIME\n"
			"vpmc_events_total{event=instructions_executed,mode=uk,"
			"cpu=0} 300\n"
			"vpmc_events_total{event=instructions_executed,mode=uk,"
			"cpu=1} 400\n" END);
	}
}

static void one_processor_can_be_chosen(void **state)
{
	end_system_mode(1);
	PERFEX_EXITS(0, "--system", "--cpu=1", "--openmetrics", "-o", path);
	check_says(parse_exposition("openmetrics", path),
		   "mode=uk,cpu=1} 200\n" END);
	assert_null(strstr(content(path), "cpu=\"0\""));
}

/* Compare the text itself, because programs of users read it. */
static void names_and_labels_are_those_of_the_manual(void **state)
{
	const char *text;

	PERFEX_EXITS(0, "--openmetrics", "-n", "-o", path, "--label", "chosen",
		     "-e", "branches", "true");
	text = content(path);
	check_says(
		text,
		"# HELP vpmc_events Hardware events that were counted.\n"
		"# TYPE vpmc_events counter\n"
		"vpmc_events_total{event=\"branches\",mode=\"u\",command=\"true"
		"\",output=\"chosen\"} 1000\n");
	PERFEX_EXITS(0, "--prometheus", "-n", "-o", path, "--label", "chosen",
		     "-e", "branches", "true");
	text = content(path);
	check_says(
		text,
		"# HELP vpmc_events_total Hardware events that were counted.\n"
		"# TYPE vpmc_events_total counter\n"
		"vpmc_events_total{event=\"branches\",mode=\"u\",command=\"true"
		"\",output=\"chosen\"} 1000\n");
}

/* Blocks of other formats begin again at 0, but these counters do not. */
static void counters_go_on_over_intervals(void **state)
{
	static const char sample[] = "vpmc_events_total{event="
				     "\"instructions_executed\",mode=\"u\","
				     "command=\"sleep\"} ";
	const char *line = stdout_text;
	unsigned int nr = 0;

	fake->self_step = 100;
	PERFEX_EXITS(0, "--openmetrics", "-o", "-", "--interval", "0.15",
		     "sleep", "1");
	while ((line = strstr(line, sample))) {
		line += strlen(sample);
		assert_int_equal(strtoul(line, NULL, 10), 1000 + 100 * nr++);
	}
	assert_true(nr > 2);
}

static void each_interval_is_an_exposition_with_an_end(void **state)
{
	const char *text;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(formats); i++) {
		end_system_mode(4);
		PERFEX_EXITS(0, "--system", formats[i][1], "-o", "-",
			     "--interval", "0.001");
		fill(path, stdout_text);
		text = parse_exposition(formats[i][0], path);
		assert_memory_equal(text, "vpmc_counting{} 1\n", 18);
		text = strstr(text, END);
		assert_non_null(text);
		assert_memory_equal(text + 6, "vpmc_counting{} 0\n", 18);
	}
}

static void a_process_has_its_number(void **state)
{
	char number[16], line[100];

	/* valgrind does not know pidfd_open(2). */
	if (under_valgrind())
		skip();
	snprintf(number, sizeof(number), "%d", (int)getppid());
	PERFEX_EXITS(0, "-np", number, "--for", "0.01", "--prometheus", "-o",
		     path);
	snprintf(line, sizeof(line), "mode=u,pid=%s} 1000\n", number);
	check_says(parse_exposition("prometheus", path), line);
	PERFEX_EXITS(0, "-t", number, "--for", "0.01", "--prometheus", "-o",
		     path);
	snprintf(line, sizeof(line), "mode=u,tid=%s} ", number);
	check_says(parse_exposition("prometheus", path), line);
}

/* The file has all counts, and their times. */
static void a_stopped_count_is_in_it(void **state)
{
	const char *text;

	PERFEX_EXITS(0, "-n", "--delay", "1000", "--prometheus", "-o", path,
		     "--label", "", "true");
	text = content(path);
	check_says(text, "{command=\"true\"} 0.000\n");
	check_says(text, "mode=\"u\",command=\"true\"} 0\n");
}

/* A file can have any name; bytes that are not UTF-8 are escaped as in other reports. */
static void any_command_can_be_a_label(void **state)
{
	size_t i;

	snprintf(other, sizeof(other), "%s/a\"\\\n\xc3\xa9\xff", directory);
	fill_program(other, "#!/bin/sh\n");
	for (i = 0; i < ARRAY_SIZE(formats); i++) {
		PERFEX_EXITS(0, formats[i][1], "-o", path, other);
		check_says(parse_exposition(formats[i][0], path),
			   "/a\"\\\\x0a\xc3\xa9\\xff} 1000\n");
	}
}

static void what_cannot_happen_is_no_zero(void **state)
{
	const char *found;

	fake->read.count[1] = 0;
	PERFEX_EXITS(0, "--prometheus", "-no", path, "-e", "0x16,0x27", "true");
	found = parse_exposition("prometheus", path);
	assert_null(strstr(found, "vpmc_events_total{event=hardware"));
	check_says(found, "vpmc_event_missing{event=hardware_interrupts,"
			  "mode=u,reason=never in user mode,command=true}"
			  " 1\n");
}

static void what_the_counts_lack_is_numbered(void **state)
{
	const char *found;

	fake->read.other_events = 2;
	fake->read.revoked = 3;
	fake->all.running = 4;
	fake->read.stopped = 5;
	fake->children.unwaited = 6;
	PERFEX_EXITS(0, "--openmetrics", "-no", path, "true");
	found = parse_exposition("openmetrics", path);
	check_says(found, "vpmc_missing_threads{reason=other events"
			  ",command=true} 2\n");
	check_says(found, "vpmc_missing_threads{reason=privileged "
			  "program,command=true} 3\n");
	check_says(found, "vpmc_gaps{command=true} 5\n");
	check_says(found, "vpmc_missing_processes{command=true} 0\n");
	PERFEX_EXITS(0, "--openmetrics", "-o", path, "true");
	check_says(parse_exposition("openmetrics", path),
		   "vpmc_missing_processes{command=true} 6\n");
	PERFEX_EXITS(0, "--openmetrics", "-ao", path, "true");
	check_says(parse_exposition("openmetrics", path),
		   "vpmc_running_processes{command=true} 4\n");
}

/*
 * A metric covers the last interval. Programs can derive the metric of the whole time from the
 * counters.
 */
static void derived_numbers_are_gauges(void **state)
{
	fake->per_code = 1;
	fill(other,
	     "A group.\n\nevent instructions_executed\nevent branches\n"
	     "metric ratio per-cent = instructions_executed / branches\n");
	PERFEX_EXITS(0, "--prometheus", "-no", path, "-g", other, "true");
	check_says(parse_exposition("prometheus", path),
		   "vpmc_metric{metric=ratio,unit=per-cent,"
		   "command=true} 1.222\n");
}

/*
 * Here several codes have one name. If two samples were equal, readers would keep only one of
 * them.
 */
static void events_of_one_name_have_other_labels(void **state)
{
	static const char *const cases[][3] = {
		{ "0x10000c0,0x10000c4", "event=raw,mode=u,code=0x10000c0,",
		  "event=raw,mode=u,code=0x10000c4," },
		{ "0x10000c0:u,0x10000c0:k",
		  "event=raw,mode=u,code=0x10000c0,command",
		  "event=raw,mode=k,code=0x10000c0,command" },
		{ "0x10000c0@1,0x10000c0@0",
		  "event=raw,mode=u,code=0x10000c0,counter=1,",
		  "event=raw,mode=u,code=0x10000c0,counter=0," },
		{ "instructions@0,instructions@1",
		  "event=instructions,mode=u,counter=0,",
		  "event=instructions,mode=u,counter=1," },
		{ "instructions,instructions",
		  "event=instructions,mode=u,number=1,",
		  "event=instructions,mode=u,number=2," },
		{ "instructions,instructions@1",
		  "event=instructions,mode=u,counter=any,",
		  "event=instructions,mode=u,counter=1," },
		{ "instructions:u,instructions:k",
		  "event=instructions,mode=u,command",
		  "event=instructions,mode=k,command" },
	};
	const char *found;
	size_t i;

	strcpy(fake->info.pmu, "p6");
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		PERFEX_EXITS(0, "--prometheus", "-no", path, "-e", cases[i][0],
			     "true");
		found = parse_exposition("prometheus", path);
		check_says(found, cases[i][1]);
		check_says(found, cases[i][2]);
	}
}

/*
 * A metric is labelled with the group's file, even if another group has a metric of the same
 * name.
 */
static void metrics_of_one_name_have_their_groups(void **state)
{
	static const char text[] =
		"A group.\n\nevent instructions_executed\nevent branches\n"
		"metric ratio per-cent = instructions_executed / branches\n";
	const char *found;

	fake->per_code = 1;
	fill(path, text);
	fill(other, text);
	PERFEX_EXITS(0, "--prometheus", "-no", "-", "-g", path, "-g", other,
		     "-g", other, "true");
	fill(path, stdout_text);
	found = parse_exposition("prometheus", path);
	check_says(found, "vpmc_metric{metric=ratio,unit=per-cent,"
			  "group=file,command=true} 1.222\n");
	check_says(found, "group=other,number=2,command=true}");
	check_says(found, "group=other,number=3,command=true}");
}

/* A collector may read the files of several perfex processes. */
static void each_file_has_its_label(void **state)
{
	char label[sizeof(path) + 16];

	snprintf(label, sizeof(label), "{output=\"%s\"} 0\n", path);
	end_system_mode(1);
	PERFEX_EXITS(0, "--system", "--prometheus", "-o", path);
	check_says(content(path), label);
	PERFEX_EXITS(0, "--prometheus", "-o", "-", "true");
	assert_null(strstr(stdout_text, "output="));
	PERFEX_EXITS(PERFEX_USAGE, "--label", "a", "-o", path, "true");
	check_sentence("--label ... --prometheus");
}

/* A process that is reading the file keeps the complete old file. */
static void a_file_is_replaced_not_written(void **state)
{
	fill(path, "before\n");
	assert_int_equal(chmod(path, 0640), 0);
	assert_int_equal(link(path, other), 0);
	PERFEX_EXITS(0, "--prometheus", "-o", path, "true");
	check_file(other, "before\n");
	assert_memory_equal(content(path), "# HELP", 6);
	assert_int_equal(mode_of(path), 0640);
}

static void the_command_finds_whole_expositions(void **state)
{
	static const char script[] =
		"until [ -e $0 ]; do :; done; n=0;"
		" while [ $n -lt 200 ]; do n=$((n + 1));"
		" t=$(tail -n 1 $0); [ \"$t\" = '# EOF' ] || exit 9; done";

	fake->self_step = 100;
	PERFEX_EXITS(0, "--openmetrics", "-o", path, "--interval", "0.001",
		     "sh", "-c", script, path);
}

static void a_new_file_can_be_read_by_others(void **state)
{
	const mode_t mask = umask(022);

	PERFEX_EXITS(0, "--prometheus", "-o", path, "true");
	umask(mask);
	assert_int_equal(mode_of(path), 0644);
}

static void a_link_stays_one(void **state)
{
	struct stat status;

	fill(other, "before\n");
	assert_int_equal(symlink("other", path), 0);
	PERFEX_EXITS(0, "--prometheus", "-o", path, "true");
	assert_int_equal(lstat(path, &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	assert_memory_equal(content(other), "# HELP", 6);
}

/*
 * Standard output is a file without a name here; a device such as /dev/null is written in the
 * same way.
 */
static void what_is_no_file_is_written_to(void **state)
{
	PERFEX_EXITS(0, "--prometheus", "-o", "/dev/stdout", "true");
	assert_memory_equal(stdout_text, "# HELP", 6);
	PERFEX_EXITS(PERFEX_OUTPUT, "--prometheus", "-o", "/dev/full", "true");
	check_says(stderr_text, "/dev/full: No space");
}

static void a_program_is_not_replaced(void **state)
{
	fill_program(path, "#!/bin/sh\n");
	PERFEX_EXITS(PERFEX_OUTPUT, "--prometheus", "-o", path, "true");
	check_sentence("%s ... program ... -o", path);
	check_file(path, "#!/bin/sh\n");
	assert_int_equal(fake->started.size, 0);
}

static void a_file_is_left_alone_if_nothing_runs(void **state)
{
	fake->start_errno = EBUSY;
	PERFEX_EXITS(PERFEX_BUSY, "--prometheus", "-o", path, "true");
	assert_int_equal(access(path, F_OK), -1);
	fill(path, "before\n");
	PERFEX_EXITS(PERFEX_BUSY, "--prometheus", "-o", path, "true");
	check_file(path, "before\n");
}

static void a_directory_that_is_not_there_loses_no_counts(void **state)
{
	PERFEX_EXITS(PERFEX_OUTPUT, "--prometheus", "-o", "/none/here", "true");
	check_sentence("/none/here: No such");
	assert_int_equal(fake->started.size, 0);
}

/*
 * Let another process change the generation, so that the second read finds that the counts are
 * lost.
 */
static void lose_counts_later(void)
{
	if (fork())
		return;
	alarm(60);
	while (access(path, F_OK))
		usleep(1000);
	fake->read.generation = 8;
	_exit(0);
}

static void counts_that_are_lost_are_gone_from_the_file(void **state)
{
	fflush(NULL);
	lose_counts_later();
	PERFEX_EXITS(PERFEX_INVALID, "--prometheus", "-o", path, "--interval",
		     "0.001", "sleep", "0.5");
	assert_string_equal(parse_exposition("prometheus", path),
			    "vpmc_counting{command=sleep} 0\n" END);
}

/* The picture shows intervals, and the file has the total counts. */
static void plots_and_timelines_go_with_it(void **state)
{
	char plot[sizeof(path) + 4];

	snprintf(plot, sizeof(plot), "%s.svg", path);
	PERFEX_EXITS(PERFEX_USAGE, "--prometheus", "-o", path, "--interval",
		     "1", "--plot", path, "true");
	check_sentence("%s ... --plot", path);
	assert_int_equal(access(path, F_OK), -1);
	PERFEX_EXITS(0, "-n", "--prometheus", "-o", path, "--interval", "1",
		     "--plot", plot, "true");
	check_says(parse_plot(plot), "steps=1");
	check_says(parse_exposition("prometheus", path),
		   "command=true} 1000\n");
	PERFEX_EXITS(0, "-n", "--prometheus", "-o", path, "--timeline",
		     "/dev/null", "true");
	check_says(parse_exposition("prometheus", path),
		   "command=true} 1000\n");
	unlink(path);
	fflush(NULL);
	lose_counts_later();
	PERFEX_EXITS(PERFEX_INVALID, "--prometheus", "-o", path, "--interval",
		     "0.001", "--plot", plot, "sleep", "0.5");
	assert_string_equal(parse_exposition("prometheus", path),
			    "vpmc_counting{command=sleep} 0\n" END);
	unlink(plot);
}

/* An incomplete exposition would be wrong. */
static void without_memory_there_is_no_exposition(void **state)
{
	fake_system->no_stream = true;
	PERFEX_EXITS(PERFEX_OUTPUT, "--prometheus", "-o", path, "true");
	assert_int_equal(access(path, F_OK), -1);
}

static const char *const refused[][3] = {
	{ "-m", NULL, "-m" },
	{ "-r", "2", "-r" },
	{ "--append", NULL, "--append" },
	{ "--multiplex", NULL, "--multiplex" },
	{ "--runs", NULL, "--runs" },
	{ "--times", NULL, "--times" },
	{ "--regions", NULL, "--regions" },
	{ "--csv", NULL, "--csv" },
	{ "-l", NULL, "-l" },
	{ "--compare", "::", "--compare" },
};

static void what_is_no_counter_is_refused(void **state)
{
	size_t i, j;

	PERFEX_EXITS(PERFEX_USAGE, "--prometheus", "-p", "1,2");
	check_sentence("several processes");
	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		for (j = 0; j < ARRAY_SIZE(formats); j++) {
			const char *const args[] = {
				"perfex",
				formats[j][1],
				"-o",
				path,
				refused[i][0],
				refused[i][1] ? refused[i][1] : "true",
				"true",
				NULL
			};

			assert_int_equal(perfex(args), PERFEX_USAGE);
			check_sentence("%s", refused[i][2]);
			check_says(stderr_text, formats[j][1]);
		}
	}
}

static const struct CMUnitTest tests[] = {
	DIRECTORY_TEST(each_processor_has_its_counts),
	DIRECTORY_TEST(one_processor_can_be_chosen),
	DIRECTORY_TEST(names_and_labels_are_those_of_the_manual),
	DIRECTORY_TEST(counters_go_on_over_intervals),
	DIRECTORY_TEST(each_interval_is_an_exposition_with_an_end),
	DIRECTORY_TEST(a_process_has_its_number),
	DIRECTORY_TEST(any_command_can_be_a_label),
	DIRECTORY_TEST(what_cannot_happen_is_no_zero),
	DIRECTORY_TEST(what_the_counts_lack_is_numbered),
	DIRECTORY_TEST(derived_numbers_are_gauges),
	DIRECTORY_TEST(events_of_one_name_have_other_labels),
	DIRECTORY_TEST(metrics_of_one_name_have_their_groups),
	DIRECTORY_TEST(each_file_has_its_label),
	DIRECTORY_TEST(a_file_is_replaced_not_written),
	DIRECTORY_TEST(the_command_finds_whole_expositions),
	DIRECTORY_TEST(a_stopped_count_is_in_it),
	DIRECTORY_TEST(plots_and_timelines_go_with_it),
	DIRECTORY_TEST(a_new_file_can_be_read_by_others),
	DIRECTORY_TEST(a_link_stays_one),
	DIRECTORY_TEST(what_is_no_file_is_written_to),
	DIRECTORY_TEST(a_program_is_not_replaced),
	DIRECTORY_TEST(a_file_is_left_alone_if_nothing_runs),
	DIRECTORY_TEST(a_directory_that_is_not_there_loses_no_counts),
	DIRECTORY_TEST(counts_that_are_lost_are_gone_from_the_file),
	DIRECTORY_TEST(without_memory_there_is_no_exposition),
	DIRECTORY_TEST(what_is_no_counter_is_refused),
};

UNIT_MAIN(tests)
