// SPDX-License-Identifier: GPL-2.0-only
/* This file tests projections of counts of events that shared counters. */
#include "unit.h"

#include "vpmc.h"

static void a_count_of_part_of_the_time_is_projected(void **state)
{
	const struct vpmc_counts counts = {
		.tsc = 100,
		.nr = 3,
		.time = { 99, 100, 0 },
	};

	assert_int_equal(vpmc_is_projected(&counts, 0), 1);
	assert_int_equal(vpmc_is_projected(&counts, 1), 0);
	assert_int_equal(vpmc_is_projected(&counts, 2), 1);
}

static const struct {
	uint64_t count, time, tsc, projected;
} rows[] = {
	{ 1234, 100, 100, 1234 },
	{ 1234, 25, 100, 4936 },
	{ 0, 25, 100, 0 },
	/* rounded to the nearest */
	{ 1, 3, 4, 1 },
	{ 1, 2, 3, 2 },
	{ 10, 3, 10, 33 },
	{ 20, 3, 10, 67 },
	{ 7, 1000000, 1000001, 7 },
	/* Without a time, the count is unknown. */
	{ 1234, 0, 100, 0 },
	{ 0, 0, 0, 0 },
	/* A time longer than the whole time is treated as the whole time. */
	{ 1234, 200, 100, 1234 },
	{ 1234, 5, 0, 1234 },
	/* products of more than 64 bits */
	{ UINT64_MAX - 1, UINT64_MAX - 1, UINT64_MAX, UINT64_MAX },
	{ UINT64_MAX - 2, UINT64_MAX - 1, UINT64_MAX, UINT64_MAX - 1 },
	{ 1ULL << 62, 1ULL << 62, 3ULL << 62, 3ULL << 62 },
	{ 1ULL << 40, 1ULL << 50, 1ULL << 63, 1ULL << 53 },
	{ 123456789012345, 1000000007, 4000000028, 493827156049380 },
	{ 10000000000000000ULL, 3, 1000, 3333333333333333333ULL },
	{ UINT64_MAX / 2, 1ULL << 63, UINT64_MAX, UINT64_MAX - 2 },
	/* results that do not fit */
	{ UINT64_MAX, 1, 2, UINT64_MAX },
	{ 1ULL << 63, 1, 2, UINT64_MAX },
	{ UINT64_MAX - 1, UINT64_MAX / 2, UINT64_MAX, UINT64_MAX },
};

static void projections_are_rounded_and_do_not_overflow(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t projected =
			vpmc_project(rows[i].count, rows[i].time, rows[i].tsc);

		if (projected != rows[i].projected)
			fail_msg("row %zu: %llu", i,
				 (unsigned long long)projected);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_count_of_part_of_the_time_is_projected),
	cmocka_unit_test(projections_are_rounded_and_do_not_overflow),
};

UNIT_MAIN(tests)
