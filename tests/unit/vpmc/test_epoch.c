// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests why a start fails in an epoch in which threads cannot count, if the epoch ends at
 * each place of the check. A call that held the counters must not look like system mode.
 */
#include "unit.h"

#include <asm/barrier.h>
#include <errno.h>
#include <stdbool.h>

#include "cpu/epoch.h"

/* The barrier with this number lets the hold end, before or after the check reads the hold. */
static unsigned int ending;
static unsigned int next_epoch;

void test_barrier(void)
{
	if (!ending || --ending)
		return;
	vpmc_epoch = next_epoch;
	vpmc_epoch_holds = 0;
}

static int check_in(unsigned int epoch, unsigned int holds)
{
	vpmc_epoch = epoch;
	vpmc_epoch_holds = holds;
	return vpmc_epoch_check();
}

static void threads_can_count_in_even_epochs(void **state)
{
	assert_int_equal(check_in(4, 0), 0);
}

static void system_mode_refuses_threads(void **state)
{
	assert_int_equal(check_in(5, 0), -EBUSY);
}

static void a_hold_refuses_threads(void **state)
{
	assert_int_equal(check_in(5, 1), -EADDRINUSE);
	assert_int_equal(check_in(5, 2), -EADDRINUSE);
}

/* The last hold ends after its epoch, so the check may still see the hold. */
static void a_hold_that_ends_is_not_system_mode(void **state)
{
	next_epoch = 6;
	ending = 1;
	assert_int_equal(check_in(5, 1), 0);
	assert_int_equal(ending, 0);
}

static void a_hold_is_not_the_system_mode_that_follows(void **state)
{
	next_epoch = 7;
	ending = 1;
	assert_int_equal(check_in(5, 1), -EBUSY);
	assert_int_equal(vpmc_epoch, 7);
}

static void system_mode_that_ends_lets_threads_count(void **state)
{
	next_epoch = 6;
	ending = 2;
	assert_int_equal(check_in(5, 0), 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(threads_can_count_in_even_epochs),
	cmocka_unit_test(system_mode_refuses_threads),
	cmocka_unit_test(a_hold_refuses_threads),
	cmocka_unit_test(a_hold_that_ends_is_not_system_mode),
	cmocka_unit_test(a_hold_is_not_the_system_mode_that_follows),
	cmocka_unit_test(system_mode_that_ends_lets_threads_count),
};

UNIT_MAIN(tests)
