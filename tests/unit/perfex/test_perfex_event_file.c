// SPDX-License-Identifier: GPL-2.0-only
/* This file tests perfex -e @FILE, for files that list events. */
#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fake_driver.h"
#include "run_files.h"
#include "run_perfex.h"
#include "util/status.h"

/* This is the argument of -e, and a command line with it. */
static char word[2 * sizeof(path) + 32];
#define COUNT_WORD(...) PERFEX("-e", word, __VA_ARGS__, "true")

static int name_file(void **state)
{
	const int ret = directory_setup(state);

	snprintf(word, sizeof(word), "@%s", path);
	return ret;
}

/* Check that the error names the place in the file, and contains @sentence. */
static void check_place(const char *place, const char *sentence)
{
	char beginning[200];

	snprintf(beginning, sizeof(beginning), "perfex: %s%s", path, place);
	assert_memory_equal(stderr_text, beginning, strlen(beginning));
	check_says(stderr_text, sentence);
	assert_int_equal(fake->started.size, 0);
}

static void a_line_is_an_event(void **state)
{
	fill(path, "# Two of them.\n\n  branches:uk \t# jumps\r\n0x16@0");
	assert_int_equal(COUNT_WORD("-n"), 0);
	assert_int_equal(fake->started.nr_events, 2);
	assert_int_equal(fake->started.event[0].code, 0x12);
	assert_int_equal(fake->started.event[0].modes,
			 VPMC_MODE_USER | VPMC_MODE_KERNEL);
	assert_int_equal(fake->started.event[1].code, 0x16);
	assert_int_equal(fake->started.event[1].counter, 0);
	check_says(stderr_text, "  branches:uk\n");
}

/* The events are in the order of the command line. */
static void files_go_with_each_other_and_with_events(void **state)
{
	fill(path, "branches\n");
	fill(other, "0x0b\n");
	snprintf(word, sizeof(word), "0x00,@%s,@%s", other, path);
	assert_int_equal(COUNT_WORD("-k", "--multiplex", "-e", "0x16"), 0);
	assert_int_equal(fake->started.nr_events, 4);
	assert_int_equal(fake->started.event[0].code, 0x00);
	assert_int_equal(fake->started.event[1].code, 0x0b);
	assert_int_equal(fake->started.event[2].code, 0x12);
	assert_int_equal(fake->started.event[3].code, 0x16);
}

static void a_mistake_is_told_with_its_place(void **state)
{
	fill(path, "branches\n# nonsense\n  instruction:u  # one\n");
	assert_int_equal(COUNT_WORD("-n"), PERFEX_UNKNOWN_EVENT);
	check_place(":3:3: unknown event \"instruction:u\"",
		    "(did you mean instructions? perfex -l lists the events)");
	fill(path, "no_such_thing_anywhere\n");
	assert_int_equal(COUNT_WORD("-n"), PERFEX_UNKNOWN_EVENT);
	check_place(":1:1: unknown event", " (perfex -l lists the events)\n");
	fill(path, "\nbranches:x\n");
	assert_int_equal(COUNT_WORD("-n"), PERFEX_UNKNOWN_EVENT);
	check_place(":2:1: unknown modes", "may follow the event\n");
	fill(path, "0x2b\n");
	assert_int_equal(COUNT_WORD("-n"), PERFEX_AMBIGUOUS);
	check_place(":1:1: ambiguous event 0x2b", "0x2b@1");
	/* An error in an event of the command line does not name the file. */
	fill(path, "branches\n");
	assert_int_equal(COUNT_WORD("-e", "nonsense"), PERFEX_UNKNOWN_EVENT);
	assert_null(strstr(stderr_text, path));
}

static void a_file_without_events_is_a_mistake(void **state)
{
	fill(path, "# branches\n");
	assert_int_equal(COUNT_WORD("-n"), PERFEX_UNKNOWN_EVENT);
	check_sentence("%s ... there are none", path);
	unlink(path);
	assert_int_equal(COUNT_WORD("-n"), PERFEX_UNKNOWN_EVENT);
	check_sentence("%s ... No such file", path);
	snprintf(word, sizeof(word), "@%s", directory);
	assert_int_equal(COUNT_WORD("-n"), PERFEX_UNKNOWN_EVENT);
	check_sentence("%s ... Is a directory", directory);
}

/* If a zero byte were accepted, the text after it would be ignored. */
static void a_file_that_is_no_text_is_a_mistake(void **state)
{
	static const char with_zero[] = "branches\0 0x16\n";

	fill_bytes(path, with_zero, sizeof(with_zero) - 1);
	assert_int_equal(COUNT_WORD("-n"), PERFEX_UNKNOWN_EVENT);
	check_sentence("%s ... not a text", path);
}

static void there_are_as_many_as_on_a_command_line(void **state)
{
	static char text[40000];
	size_t i;

	for (i = 0; i < 129; i++)
		snprintf(text + 5 * i, 6, "0x16\n");
	fill(path, text);
	assert_int_equal(COUNT_WORD("--runs"), PERFEX_TOO_MANY);
	check_sentence("too many events");
	memset(text, 'x', sizeof(text));
	fill_bytes(path, text, sizeof(text));
	assert_int_equal(COUNT_WORD("-n"), PERFEX_UNKNOWN_EVENT);
	check_sentence("%s ... too long", path);
}

#define WORD_TEST(f) \
	cmocka_unit_test_setup_teardown(f, name_file, directory_teardown)

static const struct CMUnitTest tests[] = {
	WORD_TEST(a_line_is_an_event),
	WORD_TEST(files_go_with_each_other_and_with_events),
	WORD_TEST(a_mistake_is_told_with_its_place),
	WORD_TEST(a_file_without_events_is_a_mistake),
	WORD_TEST(a_file_that_is_no_text_is_a_mistake),
	WORD_TEST(there_are_as_many_as_on_a_command_line),
};

UNIT_MAIN(tests)
