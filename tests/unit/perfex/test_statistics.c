// SPDX-License-Identifier: GPL-2.0-only
/* This file tests the statistics of one number over several runs. */
#include "unit.h"

#include <math.h>

#include "stats/statistics.h"

static struct statistic of(const uint64_t *values, size_t nr)
{
	struct statistic statistic = { .confidence = CONFIDENCE };
	size_t i;

	for (i = 0; i < nr; i++)
		add_value(&statistic, values[i]);
	return statistic;
}

static void check_near(double value, double expected)
{
	if (fabs(value - expected) > fabs(expected) * 1e-4)
		fail_msg("%f is not %f", value, expected);
}

/* The numbers 2, 4, 4, 4, 5, 5, 7, 9 have the mean 5, and the sum of squares 32. */
static void means_and_intervals_are_those_of_the_textbook(void **state)
{
	const uint64_t values[] = { 2, 4, 4, 4, 5, 5, 7, 9 };
	const struct statistic statistic = of(values, ARRAY_SIZE(values));

	assert_int_equal(statistic.nr, 8);
	assert_int_equal(statistic.min, 2);
	assert_int_equal(statistic.max, 9);
	assert_int_equal(mean_of(&statistic), 5);
	/* The interval is t(7) s / sqrt(8), with s = sqrt(32 / 7). */
	check_near(interval_of(&statistic), 2.3646 * sqrt(32.0 / 7) / sqrt(8));
}

/* A double has only 53 bits. */
static void large_numbers_keep_their_digits(void **state)
{
	const uint64_t values[] = { UINT64_MAX - 4, UINT64_MAX,
				    UINT64_MAX - 2 };
	const struct statistic statistic = of(values, 3);

	assert_int_equal(mean_of(&statistic), UINT64_MAX - 2);
	check_near(interval_of(&statistic), 4.3027 * 2 / sqrt(3));
}

static void one_value_has_no_interval(void **state)
{
	const uint64_t value = 7;
	const struct statistic statistic = of(&value, 1);

	assert_int_equal(mean_of(&statistic), 7);
	assert_true(interval_of(&statistic) == 0);
}

/* One half of the values are 0 and the other half 2, so the sum of squares is their number. */
static const struct {
	unsigned int nr;
	double student;
	double higher;
} rows[] = {
	{ 2, 12.7062, 63.6567 },  { 4, 3.1824, 5.8409 },
	{ 12, 2.2010, 3.1058 },	  { 30, 2.0452, 2.7564 },
	{ 32, 2.0395, 2.7440 },	  { 42, 2.0195, 2.7012 },
	{ 62, 1.9996, 2.6589 },	  { 122, 1.9798, 2.6171 },
	{ 1002, 1.9623, 2.5807 },
};

static void quantiles_are_those_of_tables(void **state)
{
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct statistic statistic = { .confidence = CONFIDENCE };

		for (j = 0; j < rows[i].nr; j++)
			add_value(&statistic, j % 2 * 2);
		check_near(interval_of(&statistic),
			   rows[i].student / sqrt(rows[i].nr - 1.0));
		statistic.confidence = HIGH_CONFIDENCE;
		check_near(interval_of(&statistic),
			   rows[i].higher / sqrt(rows[i].nr - 1.0));
	}
}

/*
 * Return the probability that Student's distribution gives a value between -t and t, by formula
 * 26.7.3 of Abramowitz and Stegun.
 */
static double within(double t, unsigned int freedom)
{
	const double angle = atan(t / sqrt(freedom));
	const double square = cos(angle) * cos(angle);
	double term = freedom % 2 ? cos(angle) : 1, sum = 0;
	unsigned int i;

	for (i = freedom % 2 ? 3 : 2; i <= freedom; i += 2) {
		sum += term;
		term *= square * (i - 1) / i;
	}
	return freedom % 2 ? (angle + sin(angle) * sum) / acos(0)
			   : sin(angle) * sum;
}

static void check_rounded(double confidence, double t, unsigned int freedom)
{
	const double least = within(t - 5e-5, freedom);
	const double most = within(t + 5e-5, freedom);

	if (least > confidence || most < confidence)
		fail_msg("t = %.4f of %u degrees of freedom has %f, not %f", t,
			 freedom, within(t, freedom), confidence);
}

/* Compare all quantiles of the table, which ends at 30. */
static void quantiles_have_four_digits(void **state)
{
	unsigned int freedom;

	for (freedom = 1; freedom <= 30; freedom++) {
		check_rounded(0.95, student(CONFIDENCE, freedom), freedom);
		check_rounded(0.99, student(HIGH_CONFIDENCE, freedom), freedom);
	}
}

/* The quartiles are 1002.25 and 1008.25. */
static void the_median_is_in_the_middle_and_outliers_far_away(void **state)
{
	static const uint64_t values[] = { 1009, 1003, 990,  1006,
					   1008, 1002, 1018, 1004 };
	uint64_t kept[ARRAY_SIZE(values)], sorted[ARRAY_SIZE(values)];
	struct statistic statistic = { .values = kept, .sorted = sorted };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(values); i++)
		add_value(&statistic, values[i]);
	assert_int_equal(order_of(&statistic).median, 1005);
	assert_false(order_of(&statistic).is_half);
	assert_int_equal(order_of(&statistic).outliers, 2);
	assert_memory_equal(kept, values, sizeof(values));
	/* The median of three values is the second one. */
	statistic.nr = 3;
	assert_int_equal(order_of(&statistic).median, 1003);
	assert_int_equal(order_of(&statistic).outliers, 0);
	/* The median of two values is between them. */
	statistic.nr = 2;
	kept[0] = UINT64_MAX;
	kept[1] = UINT64_MAX - 3;
	assert_true(order_of(&statistic).median == UINT64_MAX - 2);
	assert_true(order_of(&statistic).is_half);
	statistic.nr = 1;
	assert_true(order_of(&statistic).median == UINT64_MAX);
	assert_int_equal(order_of(&statistic).outliers, 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(means_and_intervals_are_those_of_the_textbook),
	cmocka_unit_test(large_numbers_keep_their_digits),
	cmocka_unit_test(one_value_has_no_interval),
	cmocka_unit_test(quantiles_are_those_of_tables),
	cmocka_unit_test(the_median_is_in_the_middle_and_outliers_far_away),
	cmocka_unit_test(quantiles_have_four_digits),
};

UNIT_MAIN(tests)
