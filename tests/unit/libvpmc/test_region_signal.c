// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests regions in a signal handler. The handler interrupts the begin and end of other
 * regions at each instruction, or the library while it changes or reads regions.
 */
#include "unit.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "fake_driver.h"
#include "fake_rdpmc.h"
#include "fake_regions.h"
#include "single_step.h"

/* These are the regions that the handler may interrupt, and the handler's own regions. */
enum { OUTER, INNER, HANDLER, DEEP, NR };
static const char *const names[NR] = { "outer", "inner", "handler", "deep" };

struct sums {
	uint64_t calls[NR];
	uint64_t inclusive[NR][2];
	uint64_t exclusive[NR][2];
};

static struct vpmc_regions *regions;

static void read_regions(void)
{
	vpmc_regions_read(&regions, VPMC_THREAD, 0, NULL);
}

static void take_sums(struct sums *sums)
{
	size_t i, k;

	memset(sums, 0, sizeof(*sums));
	assert_non_null(regions);
	assert_int_equal(regions->mismatches + regions->lost, 0);
	for (i = 0; i < regions->nr; i++) {
		assert_int_equal(regions->region[i].flags, 0);
		k = 0;
		while (strcmp(regions->region[i].name, names[k]) != 0)
			assert_true(++k < NR);
		sums->calls[k] = regions->region[i].calls;
		memcpy(sums->inclusive[k], regions->region[i].inclusive,
		       sizeof(sums->inclusive[k]));
		memcpy(sums->exclusive[k], regions->region[i].exclusive,
		       sizeof(sums->exclusive[k]));
	}
	vpmc_regions_free(regions);
	regions = NULL;
}

static void read_sums(struct sums *sums)
{
	read_regions();
	take_sums(sums);
}

static void __attribute__((noinline)) interrupted(void)
{
	vpmc_region_begin("outer");
	regions_work(1);
	vpmc_region_begin("inner");
	regions_work(20);
	vpmc_region_end("inner");
	regions_work(300);
	vpmc_region_end("outer");
}

#define GREW(what, i, event) (after.what[i][event] - before.what[i][event])

/*
 * Check the counts of the handler, which must not be among the exclusive counts of another
 * region. The first pass has no events, so its counts are not checked.
 */
static void check_pass(unsigned int events)
{
	static struct sums before;
	struct sums after;
	uint64_t scale = 1, within;
	unsigned int event;

	read_sums(&after);
	if (!events) {
		before = after;
		return;
	}
	assert_int_equal(after.calls[OUTER] - before.calls[OUTER], 1);
	assert_int_equal(after.calls[INNER] - before.calls[INNER], 1);
	assert_int_equal(after.calls[HANDLER] - before.calls[HANDLER], 1);
	for (event = 0; event < events; event++, scale *= 10) {
		assert_int_equal(GREW(exclusive, OUTER, event), 301 * scale);
		assert_int_equal(GREW(exclusive, INNER, event), 20 * scale);
		assert_int_equal(GREW(exclusive, HANDLER, event), 5000 * scale);
		assert_int_equal(GREW(exclusive, DEEP, event), 60000 * scale);
		assert_int_equal(GREW(inclusive, HANDLER, event),
				 65000 * scale);
		within = GREW(inclusive, INNER, event);
		assert_true(within == 20 * scale || within == 65020 * scale);
		within = GREW(inclusive, OUTER, event);
		assert_true(within == 321 * scale || within == 65321 * scale);
	}
	before = after;
}

static void prepare(unsigned int events)
{
	regions_start(events);
	/* A handler also comes after the RDPMC itself, before its result is used. */
	fake_rdpmc.then = single_step_more;
	/* If the sum were 0, the test could not detect an error. */
	regions_work(1000000);
	interrupted();
	check_pass(0);
}

/* Interrupt each instruction of a short pass, and PLACES instructions of a long pass. */
#define SHORT  150U
#define PLACES 30U

static void sweep(unsigned int events)
{
	unsigned int all, n;

	prepare(events);
	all = single_step(interrupted, UINT_MAX, NULL);
	check_pass(0);
	assert_true(all > 50);
	for (n = 1; n < all - 10; n += all < SHORT ? 1 : all / PLACES) {
		assert_int_equal(single_step(interrupted, n, regions_handle),
				 n);
		check_pass(events);
	}
}

static void sweep_all(void)
{
	sweep(1);
	sweep(2);
}

static void a_handler_leaves_the_interrupted_regions_exact(void **state)
{
	sweep_all();
}

static void without_rdpmc_too(void **state)
{
	fake->map_errno = EOPNOTSUPP;
	sweep_all();
}

/* A handler's regions are either complete or missing. */
static void check_whole(const struct sums *sums)
{
	assert_int_equal(sums->calls[OUTER], 1);
	assert_int_equal(sums->exclusive[OUTER][0], 301);
	assert_int_equal(sums->exclusive[INNER][0], 20);
	assert_true(sums->calls[HANDLER] < 2);
	assert_int_equal(sums->exclusive[HANDLER][0],
			 5000 * sums->calls[HANDLER]);
	assert_int_equal(sums->exclusive[DEEP][0],
			 60000 * sums->calls[HANDLER]);
}

static unsigned int pass(void (*function)(void), void (*prepare_pass)(void),
			 void (*check)(void), unsigned int at)
{
	unsigned int all;

	prepare_pass();
	fake_rdpmc.then = single_step_more;
	all = single_step(function, at, regions_handle);
	check();
	return all;
}

/* This test interrupts about a hundred places. Their number depends on malloc(3). */
static void interrupt_each(void (*function)(void), void (*prepare_pass)(void),
			   void (*check)(void))
{
	unsigned int all, n = 1;

	prepare(1);
	all = pass(function, prepare_pass, check, UINT_MAX);
	while (pass(function, prepare_pass, check, n) == n)
		n += all / (4 * PLACES) + 1;
	assert_true(n > all / 2);
}

static void start(void)
{
	vpmc_start(regions_vpmc, regions_events, 1, VPMC_FORCE, NULL);
}

static void prepare_start(void)
{
	regions_renew(1);
}

/* The start clears the counts of an earlier handler. */
static void check_start(void)
{
	struct sums sums;

	interrupted();
	read_sums(&sums);
	check_whole(&sums);
}

static void a_handler_may_interrupt_a_start(void **state)
{
	interrupt_each(start, prepare_start, check_start);
}

static void prepare_read(void)
{
	regions_start(1);
	interrupted();
}

static void check_read(void)
{
	struct sums sums;

	take_sums(&sums);
	check_whole(&sums);
}

static void a_handler_may_interrupt_a_read(void **state)
{
	interrupt_each(read_regions, prepare_read, check_read);
}

#define TEST(f) \
	cmocka_unit_test_setup_teardown(f, regions_setup, regions_teardown)

static const struct CMUnitTest tests[] = {
	TEST(a_handler_leaves_the_interrupted_regions_exact),
	TEST(without_rdpmc_too),
	TEST(a_handler_may_interrupt_a_start),
	TEST(a_handler_may_interrupt_a_read),
};

UNIT_MAIN(tests)
