// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests the values that the readers of vpmc_inline.h and vpmc_get() return for a page
 * and counters. It also tests the cases in which they return no value.
 */
#include "unit.h"

#include <string.h>

#include "check_error.h"
#include "fake_driver.h"
#include "fake_rdpmc.h"

static const struct vpmc_event_sel one_event[] = {
	{ 0x16, VPMC_ANY_COUNTER, VPMC_USER },
};

static struct vpmc_own_page *page;

/* Let a thread count two events and map its page. */
static struct vpmc *map_counts(void)
{
	struct vpmc *vpmc = fake_open();

	fake_rdpmc_begin();
	page = fake_page(2);
	assert_int_equal(vpmc_map(vpmc, NULL), 0);
	assert_ptr_equal(vpmc_self, page);
	return vpmc;
}

/* Set up a test, and unmap the page of the test before it. */
static int forget_page(void **state)
{
	struct vpmc_error err;
	struct vpmc *vpmc;

	fake_setup(state);
	vpmc = fake_open();
	vpmc_expect(vpmc, 1);
	fake_page(0);
	assert_int_equal(vpmc_map(vpmc, &err), VPMC_E_GENERATION);
	vpmc_close(vpmc);
	return 0;
}

#define ROUND (UINT64_C(1) << 32)

/* Counters have 40 or 48 bits. The bits above bit 31 may be copies of bit 31. */
static const struct {
	uint64_t counter;
	uint64_t high[2];
	int64_t count;
} sums[] = {
	{ 0, { 0, 0 }, 0 },
	{ 0x12345678, { 0, 0 }, 0x12345678 },
	/*
	 * If bit 31 of the counter was clear when the page was written, both numbers are the
	 * same.
	 */
	{ 0x7fffffff, { ROUND, ROUND }, 0x17fffffff },
	{ 0x80000000, { ROUND, ROUND }, 0x180000000 },
	{ 0xff80000000, { ROUND, ROUND }, 0x180000000 },
	{ 0xffff80000001, { ROUND, ROUND }, 0x180000001 },
	/*
	 * If bit 31 was set when the page was written, the counter may have wrapped. high[1] is
	 * for a clear bit 31.
	 */
	{ 0xffffffff, { ROUND, 2 * ROUND }, 0x1ffffffff },
	{ 0xffffffffffff, { ROUND, 2 * ROUND }, 0x1ffffffff },
	{ 0x0000000000, { ROUND, 2 * ROUND }, 0x200000000 },
	{ 0x0100000000, { ROUND, 2 * ROUND }, 0x200000000 },
	{ 0x0000000005, { 0, 0x7fffffff * ROUND }, 0x7fffffff00000005 },
};

static void a_count_is_the_counter_and_what_went_before(void **state)
{
	struct vpmc *vpmc = map_counts();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sums); i++) {
		fake_rdpmc.counter[1] = sums[i].counter;
		memcpy(page->count[1].high, sums[i].high, sizeof(sums[i].high));
		assert_true(vpmc_count(1) == sums[i].count);
	}
	assert_int_equal(fake_rdpmc.reads, ARRAY_SIZE(sums));
	vpmc_close(vpmc);
}

static void a_thread_without_page_reads_no_count(void **state)
{
	static const uint64_t counters[] = { 0, 0x7fffffff, 0x80000000,
					     0xffffffff, 0xffffffffffff };
	struct vpmc_snapshot mark;
	unsigned int i, j;

	fake_rdpmc_begin();
	for (i = 0; i < ARRAY_SIZE(counters); i++) {
		fake_rdpmc.counter[0] = counters[i];
		for (j = 0; j < VPMC_COUNTS_MAX; j++)
			assert_true(vpmc_count(j) < 0);
	}
	/* If vpmc_map() has not been called, RDPMC would fault. */
	fake_rdpmc.reads = 0;
	assert_int_equal(vpmc_mark(&mark), -1);
	assert_int_equal(fake_rdpmc.reads, 0);
}

static void a_page_without_counts_reads_no_count(void **state)
{
	struct vpmc *vpmc = map_counts();
	struct vpmc_snapshot mark, counts;

	assert_int_equal(vpmc_mark(&mark), 0);
	fake_take_away(page);
	fake_rdpmc.counter[0] = 0xffffffff;
	assert_true(vpmc_count(0) < 0);
	fake_rdpmc.counter[0] = 0;
	assert_true(vpmc_count(0) < 0);
	assert_int_equal(vpmc_mark(&mark), -1);
	assert_int_equal(vpmc_since(&mark, &counts), -1);
	vpmc_close(vpmc);
}

static void a_mark_has_all_counts(void **state)
{
	struct vpmc *vpmc = map_counts();
	struct vpmc_snapshot mark, counts;

	fake_rdpmc.counter[0] = 1000;
	fake_rdpmc.counter[1] = 0xffffffff;
	page->count[0].high[1] = 3 * ROUND;
	assert_int_equal(vpmc_mark(&mark), 0);
	assert_int_equal(mark.nr, 2);
	assert_int_equal(mark.generation, 7);
	assert_true(mark.count[0] == 0x3000003e8);
	assert_true(mark.count[1] == 0xffffffff);

	fake_rdpmc.counter[0] = 1017;
	fake_rdpmc.counter[1] = 4;
	page->count[1].high[1] = ROUND;
	assert_int_equal(vpmc_since(&mark, &counts), 0);
	assert_int_equal(counts.nr, 2);
	assert_true(counts.count[0] == 17);
	assert_true(counts.count[1] == 5);
	vpmc_close(vpmc);
}

/* This test uses the largest number of events that a page has room for. */
static void a_mark_has_counts_of_many_events(void **state)
{
	struct vpmc *vpmc = map_counts();
	struct vpmc_snapshot mark, counts;
	unsigned int i;

	page = fake_page(VPMC_COUNTS_MAX);
	assert_int_equal(vpmc_map(vpmc, NULL), 0);
	for (i = 0; i < VPMC_COUNTS_MAX; i++)
		fake_rdpmc.counter[i] = 1000 + i;
	assert_int_equal(vpmc_mark(&mark), 0);
	for (i = 0; i < VPMC_COUNTS_MAX; i++)
		fake_rdpmc.counter[i] += UINT64_C(10) * i;
	assert_int_equal(vpmc_since(&mark, &counts), 0);
	assert_int_equal(mark.nr, VPMC_COUNTS_MAX);
	assert_int_equal(counts.nr, ARRAY_SIZE(counts.count));
	for (i = 0; i < counts.nr; i++) {
		assert_true(mark.count[i] == 1000 + i);
		assert_true(counts.count[i] == UINT64_C(10) * i);
	}
	vpmc_close(vpmc);
}

static void a_mark_has_the_virtual_tsc(void **state)
{
	struct vpmc *vpmc = map_counts();
	struct vpmc_snapshot mark, counts;

	assert_int_equal(vpmc_mark(&mark), 0);
	page->tsc += UINT64_C(1) << 60;
	assert_int_equal(vpmc_since(&mark, &counts), 0);
	assert_int_equal(counts.tsc >> 60, 1);
	page->tsc -= UINT64_C(1) << 60;
	assert_int_equal(vpmc_since(&mark, &counts), 0);
	assert_int_equal(counts.tsc >> 60, 0);
	vpmc_close(vpmc);
}

/*
 * The thread is switched out after the first count, and another thread runs before the second
 * count.
 */
static void switch_once(void)
{
	if (fake_rdpmc.reads > 1)
		return;
	page->sequence++;
	fake_rdpmc.counter[0] += 100;
	fake_rdpmc.counter[1] += 100;
}

static void a_mark_is_of_one_moment(void **state)
{
	struct vpmc *vpmc = map_counts();
	struct vpmc_snapshot mark;

	fake_rdpmc.then = switch_once;
	assert_int_equal(vpmc_mark(&mark), 0);
	assert_int_equal(fake_rdpmc.reads, 4);
	assert_true(mark.count[0] == 100);
	assert_true(mark.count[1] == 100);
	vpmc_close(vpmc);
}

/* Start other events once, in a signal handler. */
static void start_once(void)
{
	if (fake_rdpmc.reads > 1)
		return;
	page->sequence++;
	page->generation++;
	page->nr_counts = 1;
}

static void other_counts_are_not_taken_for_those_marked(void **state)
{
	struct vpmc *vpmc = map_counts();
	struct vpmc_snapshot mark, counts;

	assert_int_equal(vpmc_mark(&mark), 0);
	fake_rdpmc.reads = 0;
	fake_rdpmc.then = start_once;
	assert_int_equal(vpmc_since(&mark, &counts), -1);
	assert_int_equal(counts.nr, 1);
	vpmc_close(vpmc);
}

static void a_start_in_the_same_generation_is_noticed(void **state)
{
	struct vpmc *vpmc = map_counts();
	struct vpmc_snapshot mark, counts;

	assert_int_equal(vpmc_mark(&mark), 0);
	page->start++;
	assert_int_equal(vpmc_since(&mark, &counts), -1);
	vpmc_close(vpmc);
}

static void counts_taken_away_during_a_mark(void)
{
	if (fake_rdpmc.reads == 1)
		fake_take_away(page);
}

static void half_a_mark_is_none(void **state)
{
	struct vpmc *vpmc = map_counts();
	struct vpmc_snapshot mark;

	fake_rdpmc.then = counts_taken_away_during_a_mark;
	assert_int_equal(vpmc_mark(&mark), -1);
	vpmc_close(vpmc);
}

static void a_count_is_got_without_a_system_call(void **state)
{
	struct vpmc *vpmc = map_counts();
	uint64_t count;

	fake_rdpmc.counter[1] = 555;
	assert_int_equal(vpmc_get(vpmc, 1, &count, NULL), 0);
	assert_true(count == 555);
	assert_int_equal(vpmc_start(vpmc, one_event, 1, 0, NULL), 0);
	assert_int_equal(vpmc_get(vpmc, 1, &count, NULL), 0);
	assert_true(count == 555);
	assert_int_equal(fake_rdpmc.reads, 2);
	assert_int_equal(fake->scopes, 0);
	vpmc_close(vpmc);
}

/* Check that the call reads 1000 by a system call. */
static void check_call(struct vpmc *vpmc)
{
	uint64_t count;

	fake->scopes = 0;
	assert_int_equal(vpmc_get(vpmc, 0, &count, NULL), 0);
	assert_true(count == 1000);
	assert_int_equal(fake->scopes, 1U << VPMC_SCOPE_THREAD);
}

static void a_count_is_got_with_a_system_call_where_needed(void **state)
{
	struct vpmc *vpmc = fake_open();
	struct vpmc *other;

	fake_rdpmc_begin();
	check_call(vpmc);
	assert_int_equal(fake_rdpmc.reads, 0);
	vpmc_close(vpmc);

	vpmc = map_counts();
	/* A handle without a start may stand for another process, so the page is not used. */
	other = fake_open();
	check_call(other);
	assert_int_equal(vpmc_attach(other, 1, 0, NULL), 0);
	check_call(other);
	vpmc_close(other);
	/* Another handle has started the thread again. */
	page->generation = 8;
	check_call(vpmc);
	page->generation = 7;
	assert_int_equal(fake_rdpmc.reads, 0);
	/* The counts have been stopped. */
	fake_take_away(page);
	check_call(vpmc);
	vpmc_close(vpmc);
}

static void what_cannot_be_got_is_explained(void **state)
{
	struct vpmc *vpmc = fake_open();
	struct vpmc_error err;
	uint64_t count = 42;

	check_error(vpmc_get(vpmc, 2, &count, &err), &err, VPMC_E_ARGUMENT,
		    "index 2 ... the 2 that");
	check_error(vpmc_get(vpmc, 4000000000U, &count, &err), &err,
		    VPMC_E_ARGUMENT, "index 4000000000");

	fake->read.tsc = 100;
	fake->read.time[0] = 100;
	fake->read.time[1] = 50;
	check_error(vpmc_get(vpmc, 1, &count, &err), &err, VPMC_E_ARGUMENT,
		    "event 1 ... shares ... vpmc_read()");

	assert_int_equal(vpmc_start(vpmc, one_event, 1, 0, NULL), 0);
	fake->read.generation = 8;
	check_error(vpmc_get(vpmc, 0, &count, &err), &err, VPMC_E_GENERATION,
		    "generation 7 ... generation 8");
	assert_true(count == 42);
	vpmc_close(vpmc);
}

#define INLINE_TEST(f) cmocka_unit_test_setup(f, forget_page)

static const struct CMUnitTest tests[] = {
	INLINE_TEST(a_count_is_the_counter_and_what_went_before),
	INLINE_TEST(a_thread_without_page_reads_no_count),
	INLINE_TEST(a_page_without_counts_reads_no_count),
	INLINE_TEST(a_mark_has_all_counts),
	INLINE_TEST(a_mark_has_counts_of_many_events),
	INLINE_TEST(a_mark_has_the_virtual_tsc),
	INLINE_TEST(a_mark_is_of_one_moment),
	INLINE_TEST(other_counts_are_not_taken_for_those_marked),
	INLINE_TEST(a_start_in_the_same_generation_is_noticed),
	INLINE_TEST(half_a_mark_is_none),
	INLINE_TEST(a_count_is_got_without_a_system_call),
	INLINE_TEST(a_count_is_got_with_a_system_call_where_needed),
	INLINE_TEST(what_cannot_be_got_is_explained),
};

UNIT_MAIN(tests)
