// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests the tables of perfex --self-test, and situations in which nothing can be tested.
 * tests/guest_cases/cases_self_test.py runs the checks.
 */
#include <errno.h>
#include <signal.h>
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
	{ "GenuineIntel", 6, 70, 1, CHECK_MEMORY, true },
	{ "GenuineIntel", 6, 61, 4, CHECK_MEMORY, false },
	{ "AuthenticAMD", 0x17, 1, 2, CHECK_MEMORY, true },
	{ "AuthenticAMD", 0x19, 0x11, 1, CHECK_MEMORY, true },
	{ "AuthenticAMD", 0x1a, 0x24, 0, CHECK_MEMORY, true },
	{ "AuthenticAMD", 0x15, 2, 0, CHECK_MEMORY, false },
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

/* Each row is a processor, and the number of errata on its page. */
static const struct {
	const char *vendor;
	unsigned int family, model, stepping, nr;
} shown[] = {
	{ "GenuineIntel", 5, 4, 4, 1 },	 { "GenuineIntel", 5, 4, 3, 0 },
	{ "GenuineIntel", 6, 1, 8, 2 },	 { "GenuineIntel", 6, 26, 5, 2 },
	{ "GenuineIntel", 6, 30, 5, 2 }, { "GenuineIntel", 6, 44, 2, 2 },
	{ "GenuineIntel", 6, 45, 7, 2 }, { "GenuineIntel", 6, 106, 0, 1 },
	{ "GenuineIntel", 15, 2, 9, 0 }, { "AuthenticAMD", 6, 1, 0, 1 },
};

static void a_page_has_the_errata_of_its_processor(void **state)
{
	struct vpmc_machine here;
	unsigned int nr;
	size_t i, j;

	(void)state;
	for (i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
		here = machine(shown[i].vendor, shown[i].family, shown[i].model,
			       shown[i].stepping);
		for (nr = 0, j = 0; j < nr_errata; j++)
			nr += has_erratum(&here, &errata[j]);
		assert_int_equal(nr, shown[i].nr);
	}
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

/* Interrupts that are counted must not hide a count that is wrong by as much as the program has. */
static const struct {
	uint64_t excess, wanted, count;
	bool is_right;
} counts[] = {
	{ 0, 2007, 2007, true },
	{ 0, 2007, 2006, false },
	{ 0, 2007, 2008, false },
	{ EXCESS, 2007, 2006, false },
	{ EXCESS, 2007, 2109, true },
	{ EXCESS, 2007, 2110, false },
	{ EXCESS, 2007, 4014, false },
	{ EXCESS, 1ULL << 32, (1ULL << 32) + EXCESS, true },
	{ EXCESS, 1ULL << 32, (1ULL << 32) + EXCESS + 1, false },
};

static void a_count_may_have_a_few_interrupts(void **state)
{
	struct bench bench = { .cpu = 0 };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		bench.excess = counts[i].excess;
		assert_int_equal(is_right(&bench, counts[i].count,
					  counts[i].wanted),
				 counts[i].is_right);
	}
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

/* The fake driver does not count, so the first check fails, and others cannot be judged. */
static void a_failed_check_has_a_status(void **state)
{
	(void)state;
	PERFEX_EXITS(PERFEX_SELF_TEST, "--self-test=self-test.page");
	unlink("self-test.page");
	assert_non_null(strstr(stdout_text, "\nFAILED      loop "));
	assert_non_null(strstr(stdout_text, "\nnot judged  counters "));
	assert_non_null(
		strstr(stdout_text, "\n# 0 passed, 1 failed, 0 known, "));
}

/* The caller may ignore SIGCHLD, and exec does not change this. */
static void a_check_has_a_status_if_sigchld_is_ignored(void **state)
{
	(void)state;
	caller_sigchld = SIG_IGN;
	PERFEX_EXITS(PERFEX_SELF_TEST, "--self-test=self-test.page");
	caller_sigchld = SIG_DFL;
	unlink("self-test.page");
	assert_null(strstr(stdout_text, "No child processes"));
}

/* Counts of another processor must not pass for those of a processor that perfex cannot use. */
static void a_processor_must_run_its_check(void **state)
{
	struct bench bench = { .excess = EXCESS };
	struct verdict verdict;

	(void)state;
	CPU_SET(CPU_SETSIZE - 2, &bench.cpus);
	CPU_SET(CPU_SETSIZE - 1, &bench.cpus);
	check_processors(&bench, &verdict);
	assert_int_equal(verdict.outcome, CHECK_FAILED);
	assert_string_equal(verdict.detail, "processor 1022: Invalid argument");
}

#define DRIVER_TEST(f) cmocka_unit_test_setup(f, fake_setup)

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(errata_explain_checks_of_their_processors),
	cmocka_unit_test(a_page_has_the_errata_of_its_processor),
	cmocka_unit_test(checks_follow_those_that_they_are_built_on),
	cmocka_unit_test(instructions_of_a_program_are_known),
	cmocka_unit_test(a_count_may_have_a_few_interrupts),
	DRIVER_TEST(a_self_test_is_alone),
	DRIVER_TEST(a_self_test_that_cannot_count_says_so),
	DRIVER_TEST(a_processor_must_run_its_check),
	DRIVER_TEST(a_failed_check_has_a_status),
	DRIVER_TEST(a_check_has_a_status_if_sigchld_is_ignored),
};

UNIT_MAIN(tests)
