// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests the tables of perfex --self-test, and situations in which nothing can be tested.
 * tests/guest_cases/cases_self_test.py runs the checks.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fake_driver.h"
#include "run_perfex.h"
#include "self_test/errata.h"
#include "self_test/program.h"
#include "unit.h"

static struct vpmc_machine machine(const char *vendor, unsigned int family,
				   unsigned int model, unsigned int stepping)
{
	struct vpmc_machine found = { .family = family,
				      .model = model,
				      .stepping = stepping };

	snprintf(found.vendor, sizeof(found.vendor), "%s", vendor);
	return found;
}

/* Each row is a processor, a check, and whether an erratum explains that the check fails. */
static const struct {
	const char *vendor;
	unsigned int family, model, stepping;
	enum check_id check;
	bool is_known;
} known[] = {
	{ "GenuineIntel", 6, 1, 8, CHECK_READS, true },
	{ "GenuineIntel", 6, 1, 9, CHECK_READS, false },
	{ "GenuineIntel", 6, 3, 0, CHECK_READS, false },
	{ "GenuineIntel", 6, 106, 0, CHECK_FAULTS, true },
	{ "GenuineIntel", 5, 4, 3, CHECK_FAULTS, false },
	{ "GenuineIntel", 15, 2, 9, CHECK_FAULTS, false },
	{ "AuthenticAMD", 25, 17, 1, CHECK_FAULTS, true },
	{ "AuthenticAMD", 6, 1, 0, CHECK_READS, false },
	{ "GenuineIntel", 6, 42, 7, CHECK_MEMORY, true },
	{ "GenuineIntel", 6, 61, 4, CHECK_MEMORY, false },
	{ "GenuineIntel", 6, 42, 7, CHECK_LOOP, false },
};

static void errata_explain_checks_of_their_processors(void **state)
{
	struct vpmc_machine here;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		here = machine(known[i].vendor, known[i].family, known[i].model,
			       known[i].stepping);
		assert_int_equal(!!find_erratum(&here, known[i].check),
				 known[i].is_known);
	}
}

static void an_erratum_can_belong_to_one_stepping(void **state)
{
	const struct vpmc_machine with = machine("GenuineIntel", 5, 4, 4),
				  without = machine("GenuineIntel", 5, 4, 3);
	size_t i, nr = 0;

	(void)state;
	for (i = 0; i < nr_errata; i++) {
		nr += has_erratum(&with, &errata[i]);
		assert_false(has_erratum(&without, &errata[i]));
	}
	assert_int_equal(nr, 1);
}

static void checks_follow_those_that_they_are_built_on(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < NR_CHECKS; i++) {
		assert_non_null(checks[i].run);
		assert_true(checks[i].needs < 1U << i);
		assert_int_equal(
			checks[i].failure[strlen(checks[i].failure) - 1], '.');
	}
}

static void instructions_of_a_program_are_known(void **state)
{
	const struct program program = {
		.bits = 32, .rounds = 10, .children = 2, .child_rounds = 5
	};

	(void)state;
	assert_int_equal(program_instructions(&program), 51);
	assert_int_equal(children_instructions(&program), 32);
}

static void a_self_test_is_alone(void **state)
{
	(void)state;
	PERFEX_EXITS(PERFEX_USAGE, "--self-test", "true");
	check_sentence("--self-test cannot be combined with a command");
	PERFEX_EXITS(PERFEX_USAGE, "--self-test=page", "-e", "0x16");
	check_sentence("--self-test cannot be combined with -e");
	PERFEX_EXITS(PERFEX_USAGE, "--self-test", "--self-test=page");
	check_sentence("--self-test is given twice");
}

/* Nothing is counted, and no file remains. */
static void a_self_test_that_cannot_count_says_so(void **state)
{
	(void)state;
	fake->start_errno = EPERM;
	PERFEX_EXITS(PERFEX_PERMISSION, "--self-test=self-test.page");
	check_sentence("no permission to count");
	assert_int_equal(access("self-test.page", F_OK), -1);
	fake->open_errno = ENOENT;
	PERFEX_EXITS(PERFEX_NO_DEVICE, "--self-test=self-test.page");
	check_sentence("there is no /dev/vpmc");
	assert_int_equal(access("self-test.page", F_OK), -1);
	PERFEX_EXITS(PERFEX_OUTPUT, "--self-test=/no/such/page");
	check_sentence("cannot write the results to /no/such/page");
}

#define DRIVER_TEST(f) cmocka_unit_test_setup(f, fake_setup)

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(errata_explain_checks_of_their_processors),
	cmocka_unit_test(an_erratum_can_belong_to_one_stepping),
	cmocka_unit_test(checks_follow_those_that_they_are_built_on),
	cmocka_unit_test(instructions_of_a_program_are_known),
	DRIVER_TEST(a_self_test_is_alone),
	DRIVER_TEST(a_self_test_that_cannot_count_says_so),
};

UNIT_MAIN(tests)
