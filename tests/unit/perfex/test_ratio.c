// SPDX-License-Identifier: GPL-2.0-only
/* This file tests the comparison of the means of two commands. */
#include "unit.h"

#include <math.h>

#include "stats/ratio.h"

/* A row has at most this many values. */
#define VALUES 8

static struct statistic of(const uint64_t values[VALUES], unsigned int nr)
{
	struct statistic statistic = { .nr = 0 };
	unsigned int i;

	for (i = 0; i < nr; i++)
		add_value(&statistic, values[i]);
	return statistic;
}

/* Check that @value is near @expected. @most: the largest relative error */
static void check_near(double value, double expected, double most)
{
	if (!(fabs(value - expected) <= fabs(expected) * most))
		fail_msg("%.9f is not %.9f", value, expected);
}

/*
 * The ends of the intervals were computed by bisection. An end is the r for which |mean - r *
 * base| is t times its standard error; t comes from the integral of Student's density. If the
 * degrees of freedom are not an integer, perfex's value has a small error.
 */
static const struct {
	unsigned int nr_base;
	unsigned int nr;
	uint64_t base[VALUES];
	uint64_t values[VALUES];
	double low;
	double high;
	double most;
} rows[] = {
	/* These rows have 6.89, 4.00, 2, 3, 7.97 and 6.37 degrees of freedom. */
	{ 4,
	  5,
	  { 10, 12, 14, 16 },
	  { 20, 24, 28, 32, 36 },
	  1.5249561,
	  3.0358873,
	  2e-3 },
	{ 3,
	  3,
	  { 1000, 1004, 1008 },
	  { 1002, 1006, 1010 },
	  0.9929919048,
	  1.0110738967,
	  1e-5 },
	{ 3, 3, { 5, 5, 5 }, { 7, 9, 11 }, 0.80634492, 2.79365509, 1e-4 },
	{ 4,
	  4,
	  { 100, 104, 96, 100 },
	  { 50, 50, 50, 50 },
	  0.475299118,
	  0.527408986,
	  1e-5 },
	{ 4,
	  6,
	  { 1000000, 1000300, 1000100, 1000200 },
	  { 900000, 900010, 900500, 900090, 900250, 900040 },
	  0.89978593161,
	  0.90024077097,
	  1e-6 },
	{ 8,
	  4,
	  { 2, 4, 4, 4, 5, 5, 7, 9 },
	  { 1, 2, 2, 3 },
	  0.19104439,
	  0.73173132,
	  1e-2 },
};

static void intervals_are_those_of_fieller(void **state)
{
	struct statistic base, statistic;
	struct ratio ratio;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		base = of(rows[i].base, rows[i].nr_base);
		statistic = of(rows[i].values, rows[i].nr);
		assert_true(get_ratio(&ratio, &statistic, &base));
		assert_true(ratio.has_interval);
		assert_false(ratio.is_exact);
		check_near(ratio.value,
			   average_of(&statistic) / average_of(&base), 1e-15);
		check_near(ratio.low, rows[i].low, rows[i].most);
		check_near(ratio.high, rows[i].high, rows[i].most);
		/* An error of the interval makes it wider, not narrower. */
		assert_true(ratio.low < rows[i].low * (1 + 1e-4));
		assert_true(ratio.high > rows[i].high * (1 - 1e-4));
	}
}

static void what_is_the_same_in_all_runs_has_an_exact_ratio(void **state)
{
	const uint64_t eight[VALUES] = { 8, 8, 8 }, ten[VALUES] = { 10, 10 };
	const struct statistic statistic = of(eight, 3), base = of(ten, 2);
	struct ratio ratio;

	assert_true(get_ratio(&ratio, &statistic, &base));
	assert_true(ratio.is_exact);
	assert_false(ratio.has_interval);
	check_near(ratio.value, 0.8, 1e-15);
}

/* One run does not show whether the next run has the same count. */
static void one_run_is_not_all(void **state)
{
	const uint64_t values[VALUES] = { 8, 8, 9 };
	const struct statistic one = of(values, 1), two = of(values, 2);
	const struct statistic three = of(values, 3);
	struct ratio ratio;

	assert_true(get_ratio(&ratio, &one, &two));
	assert_false(ratio.is_exact);
	assert_false(ratio.has_interval);
	assert_true(get_ratio(&ratio, &three, &one));
	assert_false(ratio.is_exact);
	assert_false(ratio.has_interval);
}

static void nothing_is_divided_by_nothing(void **state)
{
	const uint64_t none[VALUES] = { 0, 0, 0 }, some[VALUES] = { 7, 9, 11 };
	const struct statistic nothing = of(none, 3), something = of(some, 3);
	struct ratio ratio;

	assert_false(get_ratio(&ratio, &something, &nothing));
	assert_false(get_ratio(&ratio, &nothing, &nothing));
	assert_true(get_ratio(&ratio, &nothing, &something));
	assert_true(ratio.value == 0);
	assert_true(ratio.has_interval);
	assert_true(ratio.low == 0 && ratio.high == 0);
}

/* Any ratio would be possible if the divisor might be 0. */
static void a_divisor_that_might_be_0_has_no_interval(void **state)
{
	const uint64_t wide[VALUES] = { 1, 20, 1 }, some[VALUES] = { 5, 6, 7 };
	const struct statistic base = of(wide, 3), statistic = of(some, 3);
	struct ratio ratio;

	assert_true(get_ratio(&ratio, &statistic, &base));
	check_near(ratio.value, 18.0 / 22, 1e-15);
	assert_false(ratio.has_interval);
	assert_false(ratio.is_exact);
}

/* Squares of counts near 2^64 must not cancel out. */
static void large_counts_keep_their_interval(void **state)
{
	const uint64_t small[VALUES] = { 1000, 1004, 1008 };
	const uint64_t other[VALUES] = { 1002, 1006, 1010 };
	uint64_t large_small[VALUES], large_other[VALUES];
	struct statistic base, statistic;
	struct ratio ratio;
	unsigned int i;

	for (i = 0; i < 3; i++) {
		large_small[i] = small[i] << 54;
		large_other[i] = other[i] << 54;
	}
	base = of(large_small, 3);
	statistic = of(large_other, 3);
	assert_true(get_ratio(&ratio, &statistic, &base));
	check_near(ratio.low, 0.9929919048, 1e-5);
	check_near(ratio.high, 1.0110738967, 1e-5);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(intervals_are_those_of_fieller),
	cmocka_unit_test(what_is_the_same_in_all_runs_has_an_exact_ratio),
	cmocka_unit_test(one_run_is_not_all),
	cmocka_unit_test(nothing_is_divided_by_nothing),
	cmocka_unit_test(a_divisor_that_might_be_0_has_no_interval),
	cmocka_unit_test(large_counts_keep_their_interval),
};

UNIT_MAIN(tests)
