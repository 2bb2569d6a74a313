// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests estimates of counts that cover part of the time, with simulated programs.
 * Random numbers from one seed decide the behaviour of a program and the event on the counter in
 * each clock tick. So the expected numbers are exact. Each kind of program is estimated 400
 * times.
 */
#include "unit.h"

#include <math.h>

#include <string.h>
#include <vpmc.h>

#include "fake_driver.h"

#define RUNS  400
#define CLOCK 100000 /* clocks per tick */

static uint64_t state;

/* Return a random number below @below, by Marsaglia's xorshift. */
static uint64_t draw(uint64_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 11) % below;
}

/**
 * struct tick - the behaviour of a program in one clock tick
 * @count: number of events
 * @time: number of clocks
 * @is_other: whether another process begins with this tick
 */
struct tick {
	uint64_t count, time;
	bool is_other;
};

/* Each of the following functions fills in tick @i of @nr. */
static void steady(struct tick *tick, unsigned int i, unsigned int nr)
{
	tick->count = 950 + draw(100);
}

/* The kernel takes a random part of each tick. */
static void kernel(struct tick *tick, unsigned int i, unsigned int nr)
{
	tick->count = draw(1000);
}

/* One tick of seven has ten times as many events as the other six together. */
static void bursty(struct tick *tick, unsigned int i, unsigned int nr)
{
	tick->count = draw(7) ? draw(20) : 1000 + draw(1000);
}

static void phased(struct tick *tick, unsigned int i, unsigned int nr)
{
	tick->count = (4 * i < nr	 ? 200
		       : 10 * i < 7 * nr ? 1000
					 : 50) +
		      draw(9);
}

static void with_every_second_tick(struct tick *tick, unsigned int i,
				   unsigned int nr)
{
	tick->count = i % 2 ? 1000 : 100;
}

static void with_every_third_tick(struct tick *tick, unsigned int i,
				  unsigned int nr)
{
	tick->count = i % 3 ? 1000 : 100;
}

/* The processes are short, and every second process has few events. */
static void short_processes(struct tick *tick, unsigned int i, unsigned int nr)
{
	tick->time = 5000 + draw(CLOCK / 2);
	tick->count = tick->time / (i % 2 ? 10 : 200);
	tick->is_other = true;
}

/* The event is rare. */
static void rare(struct tick *tick, unsigned int i, unsigned int nr)
{
	tick->count = !draw(4);
}

/**
 * struct sampled - an event that shares a counter with others
 * @counts: the counts of the event in count[0], and of the whole program in count[1]
 * @turns: the turns of the event
 */
struct sampled {
	struct vpmc_counts counts;
	struct vpmc_turns_of turns;
};

static void add_turn(struct sampled *sampled, const struct tick *tick)
{
	const double count = (double)tick->count, time = (double)tick->time;

	sampled->counts.count[0] += tick->count;
	sampled->counts.time[0] += tick->time;
	sampled->turns.nr++;
	sampled->turns.count_squares += count * count;
	sampled->turns.products += count * time;
	sampled->turns.time_squares += time * time;
}

/*
 * Assign turns like the driver. Each of @sharing events has one turn in a round. The event of the
 * first turn is random.
 */
static struct sampled sample(void (*program)(struct tick *, unsigned int,
					     unsigned int),
			     unsigned int ticks, unsigned int sharing)
{
	struct sampled sampled = { .counts = { .nr = 2 } };
	unsigned int i, begun = 0, first = 0, at = 0;

	for (i = 0; i < ticks; i++) {
		struct tick tick = { .time = CLOCK };

		program(&tick, i, ticks);
		if (tick.is_other) {
			if (begun % sharing == 0)
				first = (unsigned int)draw(sharing);
			at = (begun++ + first) % sharing;
		} else {
			if (i % sharing == 0)
				at = (unsigned int)draw(sharing);
			else
				at = (at + 1) % sharing;
		}
		sampled.counts.count[1] += tick.count;
		sampled.counts.tsc += tick.time;
		if (!at)
			add_turn(&sampled, &tick);
	}
	return sampled;
}

/**
 * struct coverage - the estimates for RUNS programs
 * @stated: number of counts with an interval
 * @right: number of the intervals that contain the program's count
 */
struct coverage {
	unsigned int stated, right;
};

static struct coverage cover(void (*program)(struct tick *, unsigned int,
					     unsigned int),
			     unsigned int ticks, unsigned int sharing)
{
	struct coverage coverage = { 0, 0 };
	struct vpmc_estimated estimate;
	unsigned int i;

	state = 20261127;
	for (i = 0; i < RUNS; i++) {
		struct sampled sampled = sample(program, ticks, sharing);

		if (vpmc_estimate(sampled.counts.count[0],
				  sampled.counts.time[0], sampled.counts.tsc,
				  &sampled.turns,
				  &estimate) != VPMC_KNOWN_ROUGHLY)
			continue;
		coverage.stated++;
		coverage.right += estimate.low <= sampled.counts.count[1] &&
				  sampled.counts.count[1] <= estimate.high;
	}
	return coverage;
}

static const struct {
	void (*program)(struct tick *, unsigned int, unsigned int);
	unsigned int ticks, sharing;
	struct coverage coverage;
} programs[] = {
	{ steady, 60, 2, { 400, 400 } },
	{ steady, 240, 2, { 400, 400 } },
	{ steady, 240, 3, { 400, 400 } },
	{ steady, 240, 5, { 400, 400 } },
	{ kernel, 60, 2, { 400, 398 } },
	{ kernel, 240, 2, { 400, 397 } },
	{ kernel, 240, 3, { 400, 399 } },
	{ kernel, 240, 5, { 400, 396 } },
	{ bursty, 60, 2, { 73, 71 } },
	{ bursty, 240, 2, { 400, 397 } },
	{ bursty, 240, 3, { 391, 390 } },
	{ bursty, 240, 5, { 283, 282 } },
	{ phased, 60, 2, { 400, 400 } },
	{ phased, 240, 2, { 400, 400 } },
	{ phased, 240, 3, { 400, 400 } },
	{ phased, 240, 5, { 400, 400 } },
	{ with_every_second_tick, 60, 2, { 400, 393 } },
	{ with_every_second_tick, 240, 2, { 400, 385 } },
	{ with_every_second_tick, 240, 3, { 400, 381 } },
	{ with_every_second_tick, 240, 5, { 400, 391 } },
	{ with_every_third_tick, 60, 2, { 400, 395 } },
	{ with_every_third_tick, 240, 2, { 400, 394 } },
	{ with_every_third_tick, 240, 3, { 400, 389 } },
	{ with_every_third_tick, 240, 5, { 400, 390 } },
	{ short_processes, 60, 2, { 400, 398 } },
	{ short_processes, 240, 2, { 400, 391 } },
	{ short_processes, 240, 3, { 400, 394 } },
	{ short_processes, 240, 5, { 400, 394 } },
	{ rare, 60, 2, { 324, 324 } },
	{ rare, 240, 2, { 400, 398 } },
	{ rare, 240, 3, { 400, 398 } },
	{ rare, 240, 5, { 396, 395 } },
};

static void intervals_contain_the_count_in_95_of_100_runs(void **unused)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(programs); i++) {
		const struct coverage found =
			cover(programs[i].program, programs[i].ticks,
			      programs[i].sharing);

		if (found.stated != programs[i].coverage.stated ||
		    found.right != programs[i].coverage.right)
			fail_msg("row %zu: %u of %u", i, found.right,
				 found.stated);
		assert_true(100 * found.right >= 95 * found.stated);
	}
}

/* Estimate a count from @nr equal turns. */
static int known_of(uint64_t count, uint64_t time, uint64_t tsc, double nr,
		    struct vpmc_estimated *estimate)
{
	const double events = (double)count, clocks = (double)time;
	const struct vpmc_turns_of turns = {
		.nr = (uint64_t)nr,
		.count_squares = events * events / nr,
		.products = events * clocks / nr,
		.time_squares = clocks * clocks / nr,
	};

	return vpmc_estimate(count, time, tsc, &turns, estimate);
}

static void what_says_too_little_is_not_estimated(void **unused)
{
	/* 12 turns, one of which has most of the time. */
	const struct vpmc_turns_of unequal = { 12, 120, 1200, 100000, 0 };
	/* 12 turns, one of which has most of the events. */
	const struct vpmc_turns_of burst = { 12, 10000, 1200, 12000, 0 };
	struct vpmc_estimated estimate;

	assert_int_equal(vpmc_estimate(7, 10, 10, NULL, &estimate),
			 VPMC_KNOWN_EXACTLY);
	assert_int_equal(estimate.low, 7);
	assert_int_equal(estimate.high, 7);
	assert_int_equal(vpmc_estimate(0, 0, 10, NULL, &estimate),
			 VPMC_NEVER_COUNTED);
	assert_int_equal(vpmc_estimate(7, 9, 10, NULL, &estimate),
			 VPMC_FEW_TURNS);
	assert_int_equal(known_of(90, 900, 1800, 9, &estimate), VPMC_FEW_TURNS);
	assert_int_equal(known_of(0, 900, 1800, 9, &estimate), VPMC_FEW_TURNS);
	assert_int_equal(known_of(0, 900, 1800, 10, &estimate),
			 VPMC_NEVER_SEEN);
	assert_int_equal(vpmc_estimate(120, 400, 800, &unequal, &estimate),
			 VPMC_FEW_TURNS);
	assert_int_equal(vpmc_estimate(120, 360, 800, &burst, &estimate),
			 VPMC_FEW_BURSTS);
	assert_int_equal(known_of(90, 900, 1800, 10, &estimate),
			 VPMC_KNOWN_ROUGHLY);
	assert_int_equal(estimate.count, 180);
}

/* The driver's sum of squares is a multiple of its unit, so smaller squares are not known. */
static void squares_of_small_counts_are_not_known(void **unused)
{
	struct vpmc_turns_of steady = {
		.nr = 400,
		.count_squares = 131072,
		.products = 4e9,
		.time_squares = 4e14,
		.unit = 131072,
	};
	struct vpmc_estimated estimate;

	assert_int_equal(vpmc_estimate(4000, 400000000, 800000000, &steady,
				       &estimate),
			 VPMC_KNOWN_ROUGHLY);
	assert_in_range(estimate.low, 5900, 7200);
	assert_in_range(estimate.high, 8800, 10100);
	steady.products = 4e8;
	assert_int_equal(vpmc_estimate(400, 400000000, 800000000, &steady,
				       &estimate),
			 VPMC_FEW_BURSTS);
	/* With short turns, there is no estimate either. */
	steady.products = 0;
	steady.time_squares = 0;
	assert_int_equal(vpmc_estimate(400, 700, 1400, &steady, &estimate),
			 VPMC_FEW_TURNS);
	steady.products = 4e8;
	steady.time_squares = 4e14;
	/* The sum of squares may also be 0, because it is the difference of two sums. */
	steady.count_squares = 0;
	assert_int_equal(vpmc_estimate(400, 400000000, 800000000, &steady,
				       &estimate),
			 VPMC_FEW_BURSTS);
}

static void sums_that_are_too_large_are_not_estimated(void **unused)
{
	const struct vpmc_turns_of infinite = { 12, INFINITY, 1200, 12000, 0 };
	const struct vpmc_turns_of none = { 12, 120, NAN, 12000, 0 };
	struct vpmc_estimated estimate;

	assert_int_equal(vpmc_estimate(120, 360, 800, &infinite, &estimate),
			 VPMC_MANY_TURNS);
	assert_int_equal(vpmc_estimate(120, 360, 800, &none, &estimate),
			 VPMC_MANY_TURNS);
}

/* The estimate is at least the count, and at most the largest number. */
static void an_interval_has_its_bounds(void **unused)
{
	struct vpmc_estimated estimate;

	assert_int_equal(known_of(1000, 999, 1000, 10, &estimate),
			 VPMC_KNOWN_ROUGHLY);
	assert_int_equal(estimate.low, 1000);
	assert_true(estimate.high > 1001);
	assert_int_equal(known_of(UINT64_MAX - 1, 900, 1800, 10, &estimate),
			 VPMC_KNOWN_ROUGHLY);
	assert_true(estimate.high == UINT64_MAX);
	assert_true(estimate.count == UINT64_MAX);
}

static void turns_are_added(void **unused)
{
	struct vpmc_spread sum = { .nr = 0 };
	const struct vpmc_spread one = { .nr = 1,
					 .event = { { 1, 2, 3, 4, 0 } } };

	vpmc_spread_add(&sum, &one);
	vpmc_spread_add(&sum, &(struct vpmc_spread){ .nr = 0 });
	vpmc_spread_add(&sum, &one);
	assert_int_equal(sum.nr, 1);
	assert_int_equal(sum.event[0].nr, 2);
	assert_true(sum.event[0].count_squares == 4);
	assert_true(sum.event[0].products == 6);
	assert_true(sum.event[0].time_squares == 8);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(intervals_contain_the_count_in_95_of_100_runs),
	cmocka_unit_test(what_says_too_little_is_not_estimated),
	cmocka_unit_test(squares_of_small_counts_are_not_known),
	cmocka_unit_test(sums_that_are_too_large_are_not_estimated),
	cmocka_unit_test(an_interval_has_its_bounds),
	cmocka_unit_test(turns_are_added),
};

UNIT_MAIN(tests)
