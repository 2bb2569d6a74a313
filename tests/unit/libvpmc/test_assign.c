// SPDX-License-Identifier: GPL-2.0-only
/* This file tests the assignment of events to hardware counters. */
#include "unit.h"

#include <string.h>

#include "check_says.h"
#include "vpmc.h"

#define MAX_EVENTS 4

/* Each row has events as texts, and their counters on a p5mmx. */
static const struct {
	const char *events[MAX_EVENTS];
	int counters[MAX_EVENTS];
} good[] = {
	{ { "0x16" }, { 0 } },
	{ { "0x16@1" }, { 1 } },
	{ { "0x16", "branches" }, { 0, 1 } },
	{ { "0x16:u", "0x16:k" }, { 0, 1 } },
	{ { "0x16@1", "branches" }, { 1, 0 } },
	{ { "0x16", "branches@0" }, { 1, 0 } },
	{ { "mmx_instructions_v_pipe" }, { 1 } },
	{ { "0x16", "mmx_instructions_u_pipe" }, { 1, 0 } },
	{ { "0x16", "mmx_instructions_v_pipe" }, { 0, 1 } },
	{ { "mmx_instructions_v_pipe", "0x16" }, { 1, 0 } },
	{ { "0x2b@1", "0x2b@0" }, { 1, 0 } },
	{ { "clocks", "emms_executed" }, { 1, 0 } },
};

static size_t parse_all(const char *const *texts, struct vpmc_event_sel *sel)
{
	const struct vpmc_pmu *pmu = vpmc_pmu_find("p5mmx");
	size_t nr;

	for (nr = 0; nr < MAX_EVENTS && texts[nr]; nr++)
		assert_int_equal(vpmc_event_parse(pmu, texts[nr], VPMC_USER,
						  &sel[nr], NULL),
				 0);
	return nr;
}

static void every_possible_set_of_events_fits(void **state)
{
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(good); i++) {
		struct vpmc_event_sel sel[MAX_EVENTS];
		struct vpmc_error err;
		size_t nr = parse_all(good[i].events, sel);

		if (vpmc_event_assign(vpmc_pmu_find("p5mmx"), sel, nr, &err))
			fail_msg("row %zu: %s", i, err.text);
		for (j = 0; j < nr; j++) {
			if (sel[j].counter != good[i].counters[j])
				fail_msg("row %zu: %s on counter %d", i,
					 good[i].events[j], sel[j].counter);
		}
	}
}

static const struct {
	const char *events[MAX_EVENTS];
	enum vpmc_code code;
	const char *words;
} bad[] = {
	{ { "mmx_instructions_u_pipe", "emms_executed" },
	  VPMC_E_COUNTER_TAKEN,
	  "event emms_executed ... counter 0 ... which event mmx_instructions_u_pipe has" },
	{ { "0x16@1", "rsb_overflows" },
	  VPMC_E_COUNTER_TAKEN,
	  "event rsb_overflows ... counter 1 ... which event instructions_executed has" },
	{ { "data_read@0", "data_write@0" },
	  VPMC_E_COUNTER_TAKEN,
	  "event data_write ... counter 0 ... which event data_read has" },
	{ { "0x16", "0x12", "0x00" },
	  VPMC_E_TOO_MANY,
	  "3 are asked for ... p5mmx ... 2 counters" },
	{ { NULL }, VPMC_E_ARGUMENT, "no events" },
};

static void an_impossible_set_is_refused_with_the_reason(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		struct vpmc_event_sel before[MAX_EVENTS] = { 0 };
		struct vpmc_event_sel sel[MAX_EVENTS];
		size_t nr = parse_all(bad[i].events, before);
		struct vpmc_error err;

		memcpy(sel, before, sizeof(sel));
		assert_int_equal(vpmc_event_assign(vpmc_pmu_find("p5mmx"), sel,
						   nr, &err),
				 bad[i].code);
		assert_int_equal(err.code, bad[i].code);
		assert_memory_equal(sel, before, sizeof(sel));
		check_says(err.text, bad[i].words);
	}
}

/* Two equal events each keep their own text. */
static void check_same_event_twice(const struct vpmc_pmu *pmu)
{
	static const char *const events[MAX_EVENTS] = { "0x16", "22@1",
							"branches@1" };
	static const char *const texts[] = { "0x16", "twenty-two@1", NULL };
	struct vpmc_event_sel sel[MAX_EVENTS] = { 0 };
	struct vpmc_error err;

	parse_all(events, sel);
	vpmc_event_call(sel, texts, 3);
	assert_int_equal(vpmc_event_assign(pmu, sel + 1, 2, &err),
			 VPMC_E_COUNTER_TAKEN);
	check_says(err.text, "which event twenty-two@1 has");
}

/* If the program has passed the user's text, an error quotes this text. */
static void an_error_calls_events_as_the_user_wrote_them(void **state)
{
	static const char *const events[MAX_EVENTS] = { "22@1", "branches@1" };
	const char *texts[] = { "22@1:uk", NULL };
	struct vpmc_event_sel sel[MAX_EVENTS] = { 0 };
	const struct vpmc_pmu *pmu = vpmc_pmu_find("p5mmx");
	struct vpmc_error err;

	parse_all(events, sel);
	vpmc_event_call(sel, texts, 2);
	assert_int_equal(vpmc_event_assign(pmu, sel, 2, &err),
			 VPMC_E_COUNTER_TAKEN);
	check_says(err.text, "event branches: ");
	check_says(err.text, "which event 22@1:uk has");
	texts[1] = "Branches@1";
	assert_int_equal(vpmc_event_assign(pmu, sel, 2, &err),
			 VPMC_E_COUNTER_TAKEN);
	check_says(err.text, "event Branches@1: ");
	check_same_event_twice(pmu);
	vpmc_event_call(NULL, NULL, 0);
	assert_int_equal(vpmc_event_assign(pmu, sel, 2, &err),
			 VPMC_E_COUNTER_TAKEN);
	check_says(err.text, "which event instructions_executed has");
}

/* The program fills in these selections itself, without vpmc_event_parse(). */
static void selections_made_by_hand_are_checked(void **state)
{
	static const struct {
		struct vpmc_event_sel sel;
		enum vpmc_code code;
	} rows[] = {
		{ { 0x10, 0, VPMC_USER }, VPMC_E_UNKNOWN_EVENT },
		{ { 0xffffffff, 0, VPMC_USER }, VPMC_E_UNKNOWN_EVENT },
		{ { 0x16, 2, VPMC_USER }, VPMC_E_NO_COUNTER },
		{ { 0x16, 1000, VPMC_USER }, VPMC_E_NO_COUNTER },
		{ { 0x16, -2, VPMC_USER }, VPMC_E_NO_COUNTER },
		{ { 0x2b, VPMC_ANY_COUNTER, VPMC_USER }, VPMC_E_AMBIGUOUS },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct vpmc_event_sel sel = rows[i].sel;

		assert_int_equal(vpmc_event_assign(vpmc_pmu_find("p5mmx"), &sel,
						   1, NULL),
				 rows[i].code);
	}
}

static void more_events_than_any_processor_counts_are_refused(void **state)
{
	struct vpmc_event_sel sel[2 * VPMC_COUNTS_MAX] = { 0 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sel); i++)
		sel[i].counter = VPMC_ANY_COUNTER;
	assert_int_equal(vpmc_event_assign(vpmc_pmu_find("p5"), sel,
					   ARRAY_SIZE(sel), NULL),
			 VPMC_E_TOO_MANY);
}

/* Each row is like a row above, but its events share counters. */
static const struct {
	const char *events[MAX_EVENTS];
	int counters[MAX_EVENTS];
} shared[] = {
	{ { "0x16", "0x12", "0x00" }, { 0, 1, 0 } },
	{ { "0x16", "0x12", "0x00", "0x01" }, { 0, 1, 0, 1 } },
	{ { "0x16@1", "0x12@1" }, { 1, 1 } },
	{ { "0x2b@0", "0x2d@0" }, { 0, 0 } },
	{ { "0x16", "0x12", "0x2b@0", "0x2d@0" }, { 1, 1, 0, 0 } },
	{ { "0x16", "0x12", "0x00", "0x2b@0" }, { 1, 0, 1, 0 } },
};

static void events_that_do_not_fit_are_spread_evenly(void **state)
{
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(shared); i++) {
		struct vpmc_event_sel sel[MAX_EVENTS];
		struct vpmc_error err;
		size_t nr = parse_all(shared[i].events, sel);

		if (vpmc_event_distribute(vpmc_pmu_find("p5mmx"), sel, nr,
					  &err))
			fail_msg("row %zu: %s", i, err.text);
		for (j = 0; j < nr; j++) {
			if (sel[j].counter != shared[i].counters[j])
				fail_msg("row %zu: %s on counter %d", i,
					 shared[i].events[j], sel[j].counter);
		}
	}
}

static void events_that_fit_share_nothing(void **state)
{
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(good); i++) {
		struct vpmc_event_sel sel[MAX_EVENTS];
		size_t nr = parse_all(good[i].events, sel);

		assert_int_equal(vpmc_event_distribute(vpmc_pmu_find("p5mmx"),
						       sel, nr, NULL),
				 0);
		for (j = 0; j < nr; j++)
			assert_int_equal(sel[j].counter, good[i].counters[j]);
	}
}

static void sixteen_events_share_a_counter_and_no_more(void **state)
{
	const struct vpmc_pmu *pmu = vpmc_pmu_find("p5mmx");
	struct vpmc_event_sel sel[2 * VPMC_COUNTS_MAX];
	struct vpmc_error err;
	size_t users[2] = { 0 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sel); i++)
		sel[i] = (struct vpmc_event_sel){ 0x16, VPMC_ANY_COUNTER,
						  VPMC_USER };
	assert_int_equal(vpmc_event_distribute(pmu, sel, 33, &err),
			 VPMC_E_TOO_MANY);
	check_says(err.text, "33 are asked for");
	assert_int_equal(vpmc_event_distribute(pmu, sel, 32, NULL), 0);
	for (i = 0; i < 32; i++)
		users[sel[i].counter]++;
	assert_int_equal(users[0], 16);
	assert_int_equal(users[1], 16);

	for (i = 0; i < 17; i++)
		sel[i].counter = 1;
	sel[5].code = 0x12;
	sel[17].counter = VPMC_ANY_COUNTER;
	assert_int_equal(vpmc_event_distribute(pmu, sel, 17, &err),
			 VPMC_E_TOO_MANY);
	check_says(err.text, "counter 1");
	check_says(err.text, "instructions_executed");
	sel[5].counter = VPMC_ANY_COUNTER;
	assert_int_equal(vpmc_event_distribute(pmu, sel, 18, NULL), 0);
	assert_int_equal(sel[5].counter, 0);
	assert_int_equal(sel[17].counter, 0);
}

static void what_cannot_be_counted_cannot_share_either(void **state)
{
	struct vpmc_event_sel sel[] = {
		{ 0x16, 0, VPMC_USER },
		{ 0x12, 0, VPMC_USER },
		{ 0x10, 1, VPMC_USER },
	};
	const struct vpmc_pmu *pmu = vpmc_pmu_find("p5mmx");

	assert_int_equal(vpmc_event_distribute(pmu, sel, 3, NULL),
			 VPMC_E_UNKNOWN_EVENT);
	sel[2] = (struct vpmc_event_sel){ 0x2b, VPMC_ANY_COUNTER, VPMC_USER };
	assert_int_equal(vpmc_event_distribute(pmu, sel, 3, NULL),
			 VPMC_E_AMBIGUOUS);
	assert_int_equal(vpmc_event_distribute(pmu, sel, 0, NULL),
			 VPMC_E_ARGUMENT);
}

/* On the Pentium 4, front_end_event counts only while uop_type is counted. */
static void tags_and_what_they_tag_share_nothing(void **state)
{
	static const char *const names[] = { "uop_type:tagloads",
					     "front_end_event",
					     "branch_retired:taken",
					     "branch_retired:not_taken" };
	const struct vpmc_pmu *pmu = vpmc_pmu_find("p4");
	struct vpmc_event_sel sel[2 * VPMC_COUNTS_MAX];
	struct vpmc_error err;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sel); i++)
		assert_int_equal(vpmc_event_parse(pmu, names[i < 3 ? i : 3],
						  VPMC_USER, &sel[i], NULL),
				 0);
	assert_int_equal(vpmc_event_distribute(pmu, sel, 3, NULL), 0);
	assert_int_equal(vpmc_event_distribute(pmu, sel, 4, &err),
			 VPMC_E_COUNTER_TAKEN);
	check_says(err.text, "front_end_event counts only while another event");
	assert_int_equal(vpmc_event_distribute(pmu, sel, ARRAY_SIZE(sel), &err),
			 VPMC_E_COUNTER_TAKEN);
	assert_int_equal(vpmc_event_distribute(pmu, &sel[2], 2, NULL), 0);
	assert_int_equal(vpmc_event_distribute(pmu, &sel[2], 4, NULL), 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(tags_and_what_they_tag_share_nothing),
	cmocka_unit_test(every_possible_set_of_events_fits),
	cmocka_unit_test(an_error_calls_events_as_the_user_wrote_them),
	cmocka_unit_test(an_impossible_set_is_refused_with_the_reason),
	cmocka_unit_test(selections_made_by_hand_are_checked),
	cmocka_unit_test(more_events_than_any_processor_counts_are_refused),
	cmocka_unit_test(events_that_do_not_fit_are_spread_evenly),
	cmocka_unit_test(events_that_fit_share_nothing),
	cmocka_unit_test(sixteen_events_share_a_counter_and_no_more),
	cmocka_unit_test(what_cannot_be_counted_cannot_share_either),
};

UNIT_MAIN(tests)
