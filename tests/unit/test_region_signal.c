// SPDX-License-Identifier: GPL-2.0-only
/*
 * Regions in a signal handler that interrupts begin and end of others at each of
 * their instructions.
 */
#include "unit.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "fake_driver.h"
#include "fake_rdpmc.h"
#include "fake_regions.h"
#include "single_step.h"

static void handle(void)
{
	vpmc_region_begin("handler");
	regions_work(5000);
	vpmc_region_begin("deep");
	regions_work(60000);
	vpmc_region_end("deep");
	vpmc_region_end("handler");
}

/* Counts of all regions that the handler may interrupt. */
enum { OUTER, INNER, HANDLER, DEEP, NR };
static const char *const names[NR] = { "outer", "inner", "handler", "deep" };

struct sums {
	uint64_t calls[NR];
	uint64_t inclusive[NR][2];
	uint64_t exclusive[NR][2];
};

static void read_sums(struct sums *sums)
{
	struct vpmc_regions *regions;
	size_t i, k;

	memset(sums, 0, sizeof(*sums));
	assert_int_equal(vpmc_regions_read(&regions, VPMC_THREAD, 0, NULL), 0);
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
 * What the handler counts is its own, and of no other region exclusively. The first
 * pass has no events: what it counts is not looked at.
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
	/* An RDPMC is interrupted before, and once more after it has read. */
	fake_rdpmc.then = single_step_more;
	/* A sum of 0 would tell nothing. */
	regions_work(1000000);
	interrupted();
	check_pass(0);
}

/* Interrupt each instruction of short passes, and PLACES of them in long ones. */
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
		assert_int_equal(single_step(interrupted, n, handle), n);
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
	(void)state;
	sweep_all();
}

static void without_rdpmc_too(void **state)
{
	(void)state;
	fake->map_errno = EOPNOTSUPP;
	sweep_all();
}

#define TEST(f) \
	cmocka_unit_test_setup_teardown(f, regions_setup, regions_teardown)

static const struct CMUnitTest tests[] = {
	TEST(a_handler_leaves_the_interrupted_regions_exact),
	TEST(without_rdpmc_too),
};

UNIT_MAIN(tests)
