// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file compares the search for counters that share registers with one that tries everything.
 *
 * As on the Pentium 4, a register belongs to half of the counters of a group, and an event can have
 * all counters of groups, one half of a group, or a single counter. Some events need a counter that
 * the counter of the event before them can start.
 */
#include "unit.h"

#include <stdbool.h>
#include <string.h>

#include "pmu/share.h"

#define CASES	    40000
#define MOST_EVENTS 6
#define NR_COUNTERS 8
#define NR_GROUPS   2
#define NR_VALUES   3

static uint32_t seed = 1;

/* Return a number from 0 to @n - 1. */
static uint32_t below(uint32_t n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

/* These are the counters of each group, and which counters are in the first half of theirs. */
static uint32_t group[NR_GROUPS], first_half;

/* An event's code has a number of a register and the value that the register must hold. */
static __u32 shared(const struct vpmc_event *event, __u64 *value)
{
	const uint32_t second = !(first_half >> event->counter & 1);
	const uint32_t of_second_group = group[1] >> event->counter & 1;

	*value = event->code % NR_VALUES;
	return 1 + (__u32)(event->code / NR_VALUES) * 4 + of_second_group * 2 +
	       second;
}

/* A counter can start the counter next to it, and the first one can also start the last one. */
static __u32 started(unsigned int counter)
{
	return 1U << (counter ^ 1) | (counter ? 0 : 1U << (NR_COUNTERS - 1));
}

static const struct vpmc_sharing sharing = { .shared = shared,
					     .started = started };

static void choose_machine(void)
{
	const uint32_t all = (1U << (2 + below(NR_COUNTERS - 1))) - 1;

	group[0] = all & below(256);
	group[1] = all & ~group[0];
	first_half = below(256);
}

static uint32_t choose_counters(void)
{
	const uint32_t all = group[0] | group[1], one = group[below(2)];

	switch (below(5)) {
	case 0:
		return 1U << below((uint32_t)__builtin_popcount(all));
	case 1:
		return one & first_half;
	case 2:
		return one & ~first_half;
	case 3:
		return all;
	default:
		return one;
	}
}

static bool fits(const struct vpmc_event *event, const uint32_t *wanted,
		 uint32_t i)
{
	uint32_t j;

	if (i && event[i].modes & VPMC_MODE_CASCADE && wanted[i - 1] &&
	    !(started(event[i - 1].counter) >> event[i].counter & 1))
		return false;
	for (j = 0; j < i; j++) {
		if (wanted[j] &&
		    (event[j].counter == event[i].counter ||
		     vpmc_share_clash(&event[j], &event[i], shared)))
			return false;
	}
	return true;
}

/* Return whether the events from @i on have counters, and the events before @i keep theirs. */
/* NOLINTNEXTLINE(misc-no-recursion) */
static bool exists(struct vpmc_event *event, const uint32_t *wanted,
		   uint32_t nr, uint32_t i)
{
	uint32_t left;

	if (i == nr)
		return true;
	if (!wanted[i])
		return exists(event, wanted, nr, i + 1);
	for (left = wanted[i]; left; left &= left - 1) {
		event[i].counter = (uint16_t)__builtin_ctz(left);
		if (fits(event, wanted, i) && exists(event, wanted, nr, i + 1))
			return true;
	}
	return false;
}

static void check_found(const struct vpmc_event *event, const uint32_t *wanted,
			uint32_t nr)
{
	uint32_t i;

	for (i = 0; i < nr; i++) {
		if (!wanted[i])
			continue;
		assert_true(wanted[i] >> event[i].counter & 1);
		assert_true(fits(event, wanted, i));
	}
}

static void counters_are_found_if_there_are_any(void **state)
{
	uint32_t wanted[MOST_EVENTS] = { 0 }, nr, i, found = 0, nth;
	struct vpmc_event event[MOST_EVENTS], other[MOST_EVENTS];
	bool there;

	for (nth = 0; nth < CASES; nth++) {
		choose_machine();
		nr = 1 + below(MOST_EVENTS);
		memset(event, 0, sizeof(event));
		for (i = 0; i < nr; i++) {
			event[i].code = below(2 * NR_VALUES);
			if (i && !below(6))
				event[i].modes = VPMC_MODE_CASCADE;
			wanted[i] = choose_counters();
		}
		memcpy(other, event, sizeof(event));
		there = exists(other, wanted, nr, 0);
		if (vpmc_share_assign(event, wanted, nr, &sharing) != there)
			fail_msg("case %u: there are%s counters", nth,
				 there ? "" : " no");
		if (there)
			check_found(event, wanted, nr);
		found += there;
	}
	/* Both outcomes must be frequent, so that the comparison says something. */
	assert_in_range(found, CASES / 4, CASES / 4 * 3);
}

/*
 * Two registers have three counters each. Three values do not fit, nor do two events of one value and
 * four of the other.
 */
static void a_full_group_is_searched(void **state)
{
	uint32_t wanted[VPMC_MAX_EVENTS], i;
	struct vpmc_event event[VPMC_MAX_EVENTS] = { { .code = 0 } };

	group[0] = 0x3f;
	group[1] = 0;
	first_half = 0x07;
	for (i = 0; i < 6; i++) {
		event[i].code = i % NR_VALUES;
		wanted[i] = group[0];
	}
	assert_false(vpmc_share_assign(event, wanted, 6, &sharing));
	event[2].code = event[1].code;
	event[5].code = event[1].code;
	assert_false(vpmc_share_assign(event, wanted, 6, &sharing));
	event[4].code = event[0].code;
	assert_true(vpmc_share_assign(event, wanted, 6, &sharing));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(counters_are_found_if_there_are_any),
	cmocka_unit_test(a_full_group_is_searched),
};

UNIT_MAIN(tests)
