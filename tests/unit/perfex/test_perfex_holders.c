// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests perfex -i and --release over fake files of the kernel. Both list the processes
 * that have the counters, and report that the NMI watchdog cannot run without the counters.
 */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "fake_driver.h"
#include "run_perfex.h"
#include "util/status.h"

#define WATCHDOG_LINE                                                         \
	"watchdog    is switched on and does not run: the counters are taken" \
	" (perfex --release takes them and starts it)\n"

/* Return the part of the output of perfex -i that lists the holders. */
static const char *holders_shown(void)
{
	const char *found;

	PERFEX_EXITS(0, "-i");
	assert_string_equal(stderr_text, "");
	found = strstr(stdout_text, "\nholder ");
	return found ? found + 1 : "";
}

/* Each row has the contents of the driver's file, and the lines that perfex shows. */
static const struct {
	const char *file;
	const char *shown;
} lists[] = {
	{ NULL, "" },
	{ "", "" },
	{ "33 1000 running 12 wc\n",
	  "holder      pid 33 uid 1000 running, started 12 s ago: wc\n" },
	{ "7 0 stopped 0 a b  c\n",
	  "holder      pid 7 uid 0 stopped, started 0 s ago: a b  c\n" },
	{ "7 0 armed 5 \n",
	  "holder      pid 7 uid 0 armed, started 5 s ago: \n" },
	{ "7 0 page 5 x",
	  "holder      pid 7 uid 0 page, started 5 s ago: x\n" },
	{ "7 0 page 5 more\n",
	  "holder      pid 7 uid 0 page, started 5 s ago: more\n" },
	{ "0 0 system 0 -\n7 0 running 1 x\n0 0 more 12 -\n",
	  "holder      system mode\n"
	  "holder      pid 7 uid 0 running, started 1 s ago: x\n"
	  "holder      and 12 others\n" },
	{ "0 1000 page 0 -\n",
	  "holder      a page of uid 1000 in memory whose process is gone\n" },
	/* Lines that do not have the right form are left out. */
	{ "\n7\n7 0 running\n7 0 running 3\n8 0 running 4 y\n",
	  "holder      pid 8 uid 0 running, started 4 s ago: y\n" },
};

static void who_has_the_counters_is_listed(void **state)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		fake->holders = lists[i].file;
		assert_string_equal(holders_shown(), lists[i].shown);
	}
}

/* The name has the maximum length, and each of its characters is escaped. */
static void the_longest_line_is_one(void **state)
{
	static const char name[] = "\\377\\377\\377\\377\\377\\377\\377\\377"
				   "\\377\\377\\377\\377\\377\\377\\377";
	char file[200], shown[200];

	snprintf(file, sizeof(file),
		 "4194304 4294967295 running 18446744073709551615 %s\n", name);
	snprintf(shown, sizeof(shown),
		 "holder      pid 4194304 uid 4294967295 running, started"
		 " 18446744073709551615 s ago: %s\n",
		 name);
	fake->holders = file;
	assert_string_equal(holders_shown(), shown);
}

static void a_watchdog_that_does_not_run_is_named(void **state)
{
	fake->watchdog = "1\n";
	assert_string_equal(holders_shown(), "");
	assert_null(strstr(stdout_text, "watchdog"));
	fake->holders = "";
	assert_string_equal(holders_shown(), "");
	assert_null(strstr(stdout_text, "watchdog"));
	fake->holders = "0 0 system 0 -\n";
	assert_string_equal(holders_shown(),
			    "holder      system mode\n" WATCHDOG_LINE);
	fake->lease = "0\n";
	assert_string_equal(holders_shown(),
			    "holder      system mode\n" WATCHDOG_LINE);
	fake->lease = "2\n";
	assert_string_equal(holders_shown(), "holder      system mode\n");
	fake->lease = NULL;
	fake->watchdog = "0\n";
	assert_string_equal(holders_shown(), "holder      system mode\n");
}

static void a_release_says_nothing(void **state)
{
	PERFEX_EXITS(0, "--release");
	assert_string_equal(stdout_text, "");
	assert_string_equal(stderr_text, "");
	assert_int_equal(fake->releases, 1);
}

static void a_release_that_is_refused_says_so(void **state)
{
	fake->release_errno = EPERM;
	PERFEX_EXITS(PERFEX_PERMISSION, "--release");
}

#define DRIVER_TEST(f) cmocka_unit_test_setup(f, fake_setup)

static const struct CMUnitTest tests[] = {
	DRIVER_TEST(who_has_the_counters_is_listed),
	DRIVER_TEST(the_longest_line_is_one),
	DRIVER_TEST(a_watchdog_that_does_not_run_is_named),
	DRIVER_TEST(a_release_says_nothing),
	DRIVER_TEST(a_release_that_is_refused_says_so),
};

UNIT_MAIN(tests)
