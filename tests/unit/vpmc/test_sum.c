// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests the driver's sums: the counts in a sum, and the number of missing
 * ones.
 */
#include "unit.h"

#include <stdlib.h>

#include "thread/sum.h"

/* After years, more processes may have ended below a process than this number can count. */
#define MOST UINT32_MAX

static struct vpmc_sum sum_of(u32 added, u32 other_events, u32 revoked)
{
	return (struct vpmc_sum){ .tsc = added ? 7 : 0,
				  .count = { added ? 5 : 0 },
				  .added = added,
				  .other_events = other_events,
				  .revoked = revoked };
}

static void check_numbers(const struct vpmc_sum *sum, u32 added,
			  u32 other_events, u32 revoked)
{
	assert_int_equal(sum->added, added);
	assert_int_equal(sum->other_events, other_events);
	assert_int_equal(sum->revoked, revoked);
	assert_false(sum->is_large);
	assert_int_equal(sum->stopped, 0);
}

static void sums_are_added_with_what_is_missing_in_them(void **state)
{
	struct vpmc_sum sum = sum_of(1, 2, 3), more = sum_of(4, 5, 6);
	struct vpmc_sum nothing = sum_of(0, 0, 0);

	vpmc_sum_add(&sum, &more);
	check_numbers(&sum, 5, 7, 9);
	assert_int_equal(sum.count[0], 10);
	assert_int_equal(sum.tsc, 14);
	vpmc_sum_add(&sum, &nothing);
	check_numbers(&sum, 5, 7, 9);
	assert_true(vpmc_sum_is_empty(&nothing));
	vpmc_sum_count_part(&nothing);
	check_numbers(&nothing, 1, 0, 0);
}

static void what_is_not_added_is_missing(void **state)
{
	struct vpmc_sum sum = sum_of(1, 2, 3), more = sum_of(4, 5, 6);

	vpmc_sum_miss(&sum, &more);
	check_numbers(&sum, 1, 11, 9);
	vpmc_sum_hide(&sum, &more);
	check_numbers(&sum, 1, 16, 19);
	assert_int_equal(sum.count[0], 5);
}

/* Gaps are added only together with the counts that have them. */
static void gaps_are_added_with_what_has_them(void **state)
{
	struct vpmc_sum sum = sum_of(1, 0, 0), more = sum_of(1, 0, 0);

	vpmc_sum_add_stopped(&more, 3);
	vpmc_sum_add(&sum, &more);
	vpmc_sum_add(&sum, &more);
	assert_int_equal(sum.stopped, 6);
	assert_int_equal(sum.count[0], 15);
	vpmc_sum_miss(&sum, &more);
	vpmc_sum_hide(&sum, &more);
	assert_int_equal(sum.stopped, 6);
	vpmc_sum_clear(&sum);
	assert_int_equal(sum.stopped, 0);
}

static void gaps_stay_at_the_largest_number(void **state)
{
	struct vpmc_sum sum = sum_of(1, 0, 0), more = sum_of(1, 0, 0);

	vpmc_sum_add_stopped(&sum, VPMC_MAX_STOPPED - 1);
	vpmc_sum_add_stopped(&more, 2);
	vpmc_sum_add(&sum, &more);
	assert_int_equal(sum.stopped, VPMC_MAX_STOPPED);
	assert_false(sum.is_large);
	vpmc_sum_add_stopped(&sum, VPMC_MAX_STOPPED);
	assert_int_equal(sum.stopped, VPMC_MAX_STOPPED);
	assert_false(sum.is_large);
}

/* Return the counts of a large set of one event, which the caller frees. */
static struct vpmc_large_counts *large_counts_of(u64 count, u64 time)
{
	struct vpmc_large_counts *counts =
		calloc(1, sizeof(*counts) + sizeof(counts->count[0]));

	assert_non_null(counts);
	counts->nr = 1;
	counts->rows = 1;
	counts->count[0].count = count;
	counts->count[0].time = time;
	return counts;
}

static void large_sums_have_gaps_too(void **state)
{
	struct vpmc_large_counts *a = large_counts_of(5, 7);
	struct vpmc_large_counts *b = large_counts_of(5, 7);
	struct vpmc_sum sum = { .large = a, .added = 1, .is_large = 1 };
	struct vpmc_sum more = { .large = b, .added = 1, .is_large = 1 };

	vpmc_sum_add_stopped(&more, 2);
	vpmc_sum_add(&sum, &more);
	assert_int_equal(sum.stopped, 2);
	assert_int_equal(a->count[0].count, 10);
	assert_int_equal(a->count[0].time, 14);
	free(a);
	free(b);
}

/* Return counts of two events that share a counter. Each row has another count and time. */
static struct vpmc_large_counts *turns_from(u64 first)
{
	struct vpmc_large_counts *counts = calloc(
		1, sizeof(*counts) + sizeof(counts->count[0]) * 2 * VPMC_ROWS);
	u32 i;

	assert_non_null(counts);
	counts->nr = 2;
	counts->rows = VPMC_ROWS;
	counts->multiplex = true;
	for (i = 0; i < 2 * VPMC_ROWS; i++)
		counts->count[i] =
			(struct vpmc_large_count){ first + i, 10 * first + i };
	return counts;
}

static void turns_are_added_with_counts(void **state)
{
	struct vpmc_large_counts *a = turns_from(100), *b = turns_from(300);
	struct vpmc_sum sum = { .large = a, .added = 1, .is_large = 1 };
	struct vpmc_sum more = { .large = b, .added = 1, .is_large = 1 };
	struct vpmc_turns turns[2] = {};

	vpmc_sum_add(&sum, &more);
	assert_int_equal(a->count[1].count, 402);
	assert_int_equal(a->count[1].time, 4002);
	assert_int_equal(vpmc_sum_turns(&sum, turns), 2);
	assert_int_equal(turns[0].count_squares, 404);
	assert_int_equal(turns[0].products, 4004);
	assert_int_equal(turns[0].time_squares, 408);
	assert_int_equal(turns[0].nr, 4008);
	assert_int_equal(turns[1].count_squares, 406);
	assert_int_equal(turns[1].products, 4006);
	assert_int_equal(turns[1].time_squares, 410);
	assert_int_equal(turns[1].nr, 4010);
	free(a);
	free(b);
}

static void squares_stay_at_the_largest_number(void **state)
{
	struct vpmc_large_counts *a = turns_from(100), *b = turns_from(300);
	struct vpmc_sum sum = { .large = a, .added = 1, .is_large = 1 };
	struct vpmc_sum more = { .large = b, .added = 1, .is_large = 1 };

	a->count[2].count = ~0ULL - 302;
	a->count[3].time = ~0ULL - 3002;
	vpmc_sum_add(&sum, &more);
	assert_true(a->count[2].count == ~0ULL);
	assert_true(a->count[3].time == ~0ULL);
	vpmc_sum_add(&sum, &more);
	assert_true(a->count[2].count == ~0ULL);
	free(a);
	free(b);
}

/* A read that does not ask for turns has no room for them. */
static void a_short_sum_gets_no_turns(void **state)
{
	struct vpmc_large_counts *a = turns_from(100), *b = turns_from(300);
	struct vpmc_sum sum = { .large = a, .added = 1, .is_large = 1 };
	struct vpmc_sum more = { .large = b, .added = 1, .is_large = 1 };

	a->rows = 1;
	vpmc_sum_add(&sum, &more);
	assert_int_equal(a->count[0].count, 400);
	assert_int_equal(a->count[1].time, 4002);
	assert_int_equal(a->count[2].count, 102);
	assert_int_equal(a->count[5].time, 1005);
	free(a);
	free(b);
}

/* With 32 bits, 2^32 added counts would become 0, and the sum would be dropped as empty. */
static void a_number_stays_at_the_largest(void **state)
{
	struct vpmc_sum sum = sum_of(MOST, MOST, MOST);
	struct vpmc_sum one = sum_of(1, 1, 1), most = sum;

	vpmc_sum_add(&sum, &one);
	check_numbers(&sum, MOST, MOST, MOST);
	vpmc_sum_add(&one, &most);
	check_numbers(&one, MOST, MOST, MOST);
	vpmc_sum_add(&one, &most);
	check_numbers(&one, MOST, MOST, MOST);
	assert_int_equal(one.count[0], 15);
	vpmc_sum_count_part(&one);
	check_numbers(&one, MOST, MOST, MOST);
}

static void a_number_of_missing_ones_stays_at_the_largest(void **state)
{
	struct vpmc_sum most = sum_of(MOST, 1, 1);
	struct vpmc_sum missing = sum_of(0, 1, 1), hidden = missing;

	vpmc_sum_miss(&missing, &most);
	check_numbers(&missing, 0, MOST, 2);
	vpmc_sum_hide(&hidden, &most);
	check_numbers(&hidden, 0, 2, MOST);
	vpmc_sum_add_missing(&hidden, MOST - 2, 1);
	check_numbers(&hidden, 0, MOST, MOST);
	vpmc_sum_add_missing(&hidden, 1, MOST);
	check_numbers(&hidden, 0, MOST, MOST);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(sums_are_added_with_what_is_missing_in_them),
	cmocka_unit_test(what_is_not_added_is_missing),
	cmocka_unit_test(gaps_are_added_with_what_has_them),
	cmocka_unit_test(gaps_stay_at_the_largest_number),
	cmocka_unit_test(large_sums_have_gaps_too),
	cmocka_unit_test(turns_are_added_with_counts),
	cmocka_unit_test(squares_stay_at_the_largest_number),
	cmocka_unit_test(a_short_sum_gets_no_turns),
	cmocka_unit_test(a_number_stays_at_the_largest),
	cmocka_unit_test(a_number_of_missing_ones_stays_at_the_largest),
};

UNIT_MAIN(tests)
