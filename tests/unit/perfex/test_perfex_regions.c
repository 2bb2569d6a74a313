// SPDX-License-Identifier: GPL-2.0-only
/* This file tests how perfex --regions reports the lines that processes have left. */
#include "unit.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake_driver.h"
#include "regions/regions.h"
#include "regions/regions_collect.h"
#include "run_perfex.h"
#include "util/perfex.h"

#define HEAD                                                                \
	"# region       pid                 calls  instructions_executed:u" \
	"             exclusive  name\n"
#define REPORT "                1000  0x16   instructions_executed:u\n"

/* This command adds lines to the file, which must exist. */
#define LEAVE(lines)                                       \
	"test -w \"$VPMC_REGIONS_FILE\" && printf '" lines \
	"' >>\"$VPMC_REGIONS_FILE\""

static const struct {
	const char *option;
	const char *command;
	const char *report;
} cases[] = {
	{ "--regions",
	  LEAVE("process 77 1 0 0 0 0 0 0 a b\\n"
		"region - 2 900 800 9 8 sort table\\n"
		"region i 3 700 600 7 6 open\\n"
		"region e 3 700 600 7 6 inside\\n"
		"end 77 3\\n"
		"process 5 1 0 0 0 0 0 0 c\\n"
		"region o 1 2 3 4 5 sort table\\n"
		"end 5 1\\n"),
	  HEAD
	  "region          77                     2                     9                     8  sort table\n"
	  "region          77                     3                     -                     6  open\n"
	  "region          77                     3                     7                     -  inside\n"
	  "region           5                     1                     4                     5  sort table\n"
	  "# 1 region was open at the end: these counts end there\n" REPORT },
	{ "--regions=raw",
	  LEAVE("\\nstart 77 a\\n\\nprocess 77 1 0 0 0 0 0 0 a\\n"
		"region - 2 900 800 9 8 x\\n"
		"end 77 1\\n"),
	  HEAD
	  "region          77                     2                   900                   800  x\n" REPORT },
	/* Each of the last counts consists of two resources. Their costs are 0. */
	{ "--regions=faults",
	  LEAVE("process 77 3 0 0 0 0 0 0 a\\n"
		"region - 2 900 800 9 8 25769803781 12884901890 0 0"
		" 21474836484 3 0 0 x\\n"
		"end 77 1\\n"
		"process 78 1 0 0 0 0 0 0 b\\n"
		"region - 2 900 800 9 8 y\\n"
		"end 78 1\\n"),
	  "# region       pid                 calls  instructions_executed:u             exclusive"
	  "          minor_faults             exclusive          major_faults             exclusive"
	  "    voluntary_switches             exclusive  involuntary_switches             exclusive"
	  "  name\n"
	  "region          77                     2                     9                     8"
	  "                     5                     2                     6                     3"
	  "                     4                     3                     5                     0"
	  "  x\n"
	  "# 1 process is not listed: other events were counted there\n" REPORT },
	/*
	 * Processes 77, 79 and 80 also count one event, but not the same event: branches, other
	 * modes, another counter.
	 */
	{ "--regions",
	  LEAVE("process 77 1 0 0 0 0 0 0 a\\n"
		"event 18 0 1\\n"
		"region - 2 900 800 9 8 x\\n"
		"end 77 1\\n"
		"process 78 1 0 0 0 0 0 0 b\\n"
		"event 22 0 1\\n"
		"region - 1 2 3 4 5 y\\n"
		"end 78 1\\n"
		"process 79 1 0 0 0 0 0 0 c\\n"
		"event 22 0 3\\n"
		"region - 2 900 800 9 8 x\\n"
		"end 79 1\\n"
		"process 80 1 0 0 0 0 0 0 d\\n"
		"event 22 1 1\\n"
		"region - 2 900 800 9 8 x\\n"
		"end 80 1\\n"),
	  HEAD
	  "region          78                     1                     4                     5  y\n"
	  "# 3 processes are not listed: other events were counted there\n" REPORT },
	/* A program may enlarge the file, and give regions any names. */
	{ "--regions",
	  "truncate -s 1T \"$VPMC_REGIONS_FILE\" && " LEAVE(
		  "\\nprocess 77 1 0 0 0 0 0 0 a\\n"
		  "region - 2 900 800 9 8 a\\233b\\302\\233c\\303\\244\\n"
		  "end 77 1\\n"),
	  HEAD
	  "region          77                     2                     9                     8"
	  "  a\\x9bb\\xc2\\x9bc\303\244\n" REPORT },
	{ "--regions", "true",
	  HEAD "# no process has left regions: they are collected when a"
	       " program with libvpmc's regions exits\n" REPORT },
	{ "--regions",
	  LEAVE("process 77 2 1 2 3 4 5 6 a\\n"
		"region - 1 1 1 1 1 1 1 1 1 x\\n"
		"end 77 1\\n"),
	  HEAD
	  "# 1 process is not listed: other events were counted there\n"
	  "# 3 ends of regions did not match the region begun last\n"
	  "# 1 thread is missing in regions: it had not exited\n"
	  "# 2 threads are missing in regions: other counts were started there\n"
	  "# 4 times counts were started again: regions before that are missing\n"
	  "# 5 regions are missing: there was no memory, or their thread had exited\n"
	  "# 6 times counting was stopped in between: what was executed then is missing in"
	  " regions that were open\n" REPORT },
};

static void what_processes_leave_is_listed(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		PERFEX_EXITS(0, cases[i].option, "-n", "sh", "-c",
			     cases[i].command);
		assert_string_equal(stderr_text, cases[i].report);
		assert_string_equal(stdout_text, "");
	}
}

/* A count of 0 would look as if it had been counted. */
static void an_event_that_cannot_happen_has_no_count(void **state)
{
	fake->read.count[0] = 0;
	fake->read.count[1] = 1000;
	fake->read.nr_counts = 2;
	PERFEX_EXITS(0, "--regions", "-n", "-e", "0x27,0x16", "sh", "-c",
		     LEAVE("process 77 2 0 0 0 0 0 0 a\\n"
			   "event 39 0 1\\n"
			   "event 22 1 1\\n"
			   "region - 2 0 0 0 0 900 800 9 8 x\\n"
			   "end 77 1\\n"));
	check_says(
		stderr_text,
		"region          77                     2                     -"
		"                     -                     9                     8"
		"  x\n");
}

#define MISSING                                                            \
	"perfex: regions are missing: there is no space for them (TMPDIR"  \
	" names another directory), or the program is linked with another" \
	" libvpmc, which leaves them at exit(3) alone\n"

/*
 * If the regions of a process are incomplete, the report does not list them. It has the totals,
 * and names each such process with the reason.
 */
static const struct {
	const char *command;
	const char *list;
} incomplete[] = {
	{ LEAVE("\\nstart 77 a b\\n\\nstart 78 c\\n"),
	  HEAD "# process 77 (a b) is not listed: it has left no regions\n"
	       "# process 78 (c) is not listed: it has left no regions\n" },
	/*
	 * The file ends in the middle of a number, within the lines of another process, or
	 * before the last line.
	 */
	{ LEAVE("\\nstart 77 a\\n\\nstart 78 b\\n"
		"\\nprocess 77 1 0 0 0 0 0 0 a\\nregion - 2 900 80"
		"\\nprocess 78 1 0 0 0 0 0 0 b\\nregion - 1 2 3 4 5 y\\n"
		"end 78 1\\n"),
	  HEAD
	  "region          78                     1                     4                     5  y\n"
	  "# process 77 (a) is not listed: its regions are cut off\n" },
	{ LEAVE("\\nstart 77 a\\n\\nprocess 77 1 0 0 0 0 0 0 a\\n"
		"region - 2 900 800 9 8 x\\n"),
	  HEAD "# process 77 (a) is not listed: its regions are cut off\n" },
	/* The last line says that there were two regions, but one region is missing. */
	{ LEAVE("\\nstart 77 a\\n\\nprocess 77 1 0 0 0 0 0 0 a\\n"
		"region - 2 900 800 9 8 x\\nend 77 2\\n"),
	  HEAD "# process 77 (a) is not listed: its regions are cut off\n" },
	/* A process that executes another program keeps its number. */
	{ LEAVE("\\nstart 77 a\\n\\nstart 77 b\\n"
		"\\nprocess 77 1 0 0 0 0 0 0 b\\nend 77 0\\n"),
	  HEAD "# process 77 (a) is not listed: it has left no regions\n" },
};

static void what_is_missing_is_told(void **state)
{
	char expected[1024];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(incomplete); i++) {
		PERFEX_EXITS(211, "--regions", "-n", "sh", "-c",
			     incomplete[i].command);
		snprintf(expected, sizeof(expected), "%s%s%s",
			 incomplete[i].list, REPORT, MISSING);
		assert_string_equal(stderr_text, expected);
	}
}

/* A relative directory would have another meaning for a command that changes its own directory. */
static void the_file_has_an_absolute_name(void **state)
{
	setenv("TMPDIR", ".", 1);
	PERFEX_EXITS(0, "--regions", "sh", "-c",
		     "cd / && test -w \"$VPMC_REGIONS_FILE\"");
	unsetenv("TMPDIR");
}

/* Regions that begin in these programs are not regions of the command. */
static void what_runs_around_has_no_file(void **state)
{
	PERFEX_EXITS(0, "--regions", "--pre", "test -z \"$VPMC_REGIONS_FILE\"",
		     "--post", "test -z \"$VPMC_REGIONS_FILE\"", "true");
}

static void the_file_is_removed(void **state)
{
	PERFEX_EXITS(0, "--regions", "sh", "-c",
		     "printf %s \"$VPMC_REGIONS_FILE\"");
	assert_int_equal(stdout_text[0], '/');
	assert_int_equal(access(stdout_text, F_OK), -1);
}

static void a_file_that_cannot_be_made_is_told(void **state)
{
	setenv("TMPDIR", "/nowhere", 1);
	PERFEX_EXITS(210, "--regions", "true");
	unsetenv("TMPDIR");
	check_sentence("regions ... /nowhere ... TMPDIR");
	assert_int_equal(fake->started.size, 0);
}

/* Otherwise the list would be incomplete without a note. */
static void a_file_that_cannot_be_read_is_told(void **state)
{
	const struct events none = {};
	const int directory = open("/", O_RDONLY | O_CLOEXEC);
	const struct regions_files files = { directory, directory };
	FILE *out = fopen("/dev/null", "we");

	assert_true(directory >= 0);
	assert_non_null(out);
	assert_int_equal(print_regions(out, &files, &none, false, false),
			 PERFEX_SYSTEM);
	fclose(out);
	close(directory);
}

static const char *const wrong[][4] = {
	{ "--regions", "-l" },
	{ "--regions", "-i" },
	{ "--regions", "-p", "1" },
	{ "--regions", "--system" },
	{ "--regions", "--multiplex", "true" },
	{ "--regions=all", "true" },
	{ "--regions=faults", "--timeline=x", "true" },
};

static void what_does_not_go_with_it_is_refused(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		PERFEX_EXITS(200, wrong[i][0], wrong[i][1], wrong[i][2]);
		check_sentence("--regions");
	}
}

static void faults_need_room_for_them(void **state)
{
	PERFEX_EXITS(0, "--regions=faults", "-n", "-e", "0x16,0x12", "sh", "-c",
		     "test $VPMC_REGIONS_FAULTS");
	PERFEX_EXITS(0, "--regions", "-n", "sh", "-c",
		     "test -z \"$VPMC_REGIONS_FAULTS\"");
	strcpy(fake->info.pmu, "intel");
	fake->info.nr_counters = 4;
	PERFEX_EXITS(205, "--regions=faults", "-n", "-e", "0xc0,0xc4,0x3c",
		     "true");
	check_sentence("--regions=faults ... 2 events");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup(what_processes_leave_is_listed, fake_setup),
	cmocka_unit_test_setup(an_event_that_cannot_happen_has_no_count,
			       fake_setup),
	cmocka_unit_test_setup(what_is_missing_is_told, fake_setup),
	cmocka_unit_test_setup(the_file_has_an_absolute_name, fake_setup),
	cmocka_unit_test_setup(what_runs_around_has_no_file, fake_setup),
	cmocka_unit_test_setup(the_file_is_removed, fake_setup),
	cmocka_unit_test_setup(a_file_that_cannot_be_made_is_told, fake_setup),
	cmocka_unit_test(a_file_that_cannot_be_read_is_told),
	cmocka_unit_test_setup(faults_need_room_for_them, fake_setup),
	cmocka_unit_test_setup(what_does_not_go_with_it_is_refused, fake_setup),
};

UNIT_MAIN(tests)
