// SPDX-License-Identifier: GPL-2.0-only
/* This file tests how the driver extends a counter of 40 bits to 64 bits. */
#include "unit.h"

#include <linux/types.h>

#include "pmu/extend.h"

#define MASK_40 0xffffffffffULL

static const struct {
	u64 now;
	u64 before;
	u64 mask;
	u64 delta;
} rows[] = {
	{ 0, 0, MASK_40, 0 },
	{ 1, 0, MASK_40, 1 },
	{ 1000, 400, MASK_40, 600 },
	{ MASK_40, 0, MASK_40, MASK_40 },
	/* over the wrap */
	{ 0, MASK_40, MASK_40, 1 },
	{ 5, MASK_40, MASK_40, 6 },
	{ 9, MASK_40 - 10, MASK_40, 20 },
	{ 0, 1, MASK_40, MASK_40 },
	/* over a boundary of 32 bits, which has no effect */
	{ 0x100000000, 0xffffffff, MASK_40, 1 },
	{ 0x200000005, 0x0fffffff0, MASK_40, 0x100000015 },
	/* other widths */
	{ 3, 0xffffffff, 0xffffffff, 4 },
	{ 3, 0xffffffffffff, 0xffffffffffff, 4 },
	{ 3, ~0ULL, ~0ULL, 4 },
};

static void a_difference_is_right_over_the_wrap(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		u64 delta =
			vpmc_delta(rows[i].now, rows[i].before, rows[i].mask);

		if (delta != rows[i].delta)
			fail_msg("row %zu: %llu", i, (unsigned long long)delta);
	}
}

/* If a reader extends the counts, they stay exact beyond the width of any hardware counter. */
static void folding_goes_on_past_the_width_of_the_counter(void **state)
{
	const u64 step = 0x7fffff1234ULL;
	u64 hardware = MASK_40 - 3, total = 0, next;
	unsigned int i;

	for (i = 0; i < 100000; i++) {
		next = (hardware + step) & MASK_40;
		total += vpmc_delta(next, hardware, MASK_40);
		hardware = next;
	}
	assert_true(total == step * 100000);
	assert_true(total > MASK_40);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_difference_is_right_over_the_wrap),
	cmocka_unit_test(folding_goes_on_past_the_width_of_the_counter),
};

UNIT_MAIN(tests)
