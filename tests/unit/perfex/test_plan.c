// SPDX-License-Identifier: GPL-2.0-only
/* This file tests the distribution of events over runs. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "events/run_plan.h"

static struct events events;
static struct metrics metrics;
static struct plan plan;

/* Prepare a group that counts the events of @list, which are separated by blanks. */
static void prepare(const char *pmu, const char *list)
{
	char text[400], *save, *word;

	memset(&metrics, 0, sizeof(metrics));
	memset(&events, 0, sizeof(events));
	events.pmu = vpmc_pmu_find(pmu);
	events.metrics = &metrics;
	snprintf(text, sizeof(text), "%s", list);
	for (word = strtok_r(text, " ", &save); word;
	     word = strtok_r(NULL, " ", &save)) {
		assert_int_equal(vpmc_event_parse(events.pmu, word, VPMC_USER,
						  &events.sel[events.nr], NULL),
				 0);
		metrics.event[events.nr].number = (int)events.nr;
		events.nr++;
	}
	metrics.nr_events = events.nr;
}

/* Add a metric of the events a, b, c and so on. */
static void add_metric(const char *formula)
{
	static const char *const names[] = { "a", "b", "c", "d", "e" };
	struct formula_error err;

	assert_true(parse_formula(&metrics.metric[metrics.nr++].formula,
				  formula, names, metrics.nr_events, &err));
}

/* Check the runs. In "ab c d", the first run counts a and b, the second c, and the third d. */
static void check_plan(const char *expected)
{
	char text[400] = "";
	size_t i, j, at = 0;

	make_plan(&plan, &events);
	for (i = 0; i < plan.nr; i++) {
		if (i)
			text[at++] = ' ';
		for (j = 0; j < plan.set[i].nr; j++)
			text[at++] = (char)('a' + plan.set[i].event[j]);
	}
	text[at] = '\0';
	assert_string_equal(text, expected);
}

static void each_run_has_as_many_as_the_counters_can_count(void **state)
{
	prepare("p5", "0x16");
	check_plan("a");
	prepare("p5", "0x16 0x12 0x00 0x01 0x28");
	check_plan("ab cd e");
	prepare("p6", "0x79 0xc0 0xc4");
	check_plan("ab c");
}

static void what_cannot_happen_takes_no_run(void **state)
{
	prepare("p5", "0x16 0x17 0x12 0x1f 0x15");
	events.never[1] = events.never[3] = events.never[4] = "never";
	add_metric("b / a");
	add_metric("a / c");
	add_metric("d / a");
	check_plan("ac");
	assert_int_equal(run_of_event(&plan, 2), 0);
	assert_int_equal(run_of_event(&plan, 1), plan.nr);
	assert_int_equal(run_of_ratio(&plan, &metrics, &metrics.metric[0], 2),
			 NO_RUN);
	/* The command runs even if none of the events can happen. */
	prepare("p5", "0x17 0x1f 0x15");
	events.never[0] = events.never[1] = events.never[2] = "never";
	add_metric("a / b");
	check_plan("a");
}

/* On a Pentium with MMX some events need one of the two counters. */
static void events_of_one_counter_are_not_counted_together(void **state)
{
	prepare("p5mmx", "0x2b@0 0x2d@0 0x2b@1 0x2d@1");
	check_plan("ac bd");
	/* Events that fit on any counter use the remaining ones. */
	prepare("p5mmx", "0x16 0x12 0x2b@0 0x2d@0");
	check_plan("ca db");
	prepare("p5", "0x16@1 0x12@1 0x00@1");
	check_plan("a b c");
}

static void what_is_divided_is_counted_in_one_run(void **state)
{
	prepare("p5", "0x16 0x12 0x00 0x01");
	add_metric("a / d");
	add_metric("b / c");
	check_plan("ad bc");
	/* One event is counted in two runs. */
	prepare("p5", "0x16 0x12 0x00");
	add_metric("b / a");
	add_metric("c / a");
	check_plan("ba ca");
	assert_int_equal(run_of_event(&plan, 0), 0);
	assert_int_equal(run_of_ratio(&plan, &metrics, &metrics.metric[1], 2),
			 1);
	/* One run is enough for both metrics. */
	prepare("p5", "0x16 0x12");
	add_metric("b / a");
	add_metric("a / b");
	check_plan("ba");
	/* The order of the events is not the order of their counters. */
	prepare("p5mmx", "0x2b@1 0x2d@0 0x2b@0");
	add_metric("a / b");
	check_plan("ab c");
}

static void what_does_not_fit_is_counted_apart(void **state)
{
	prepare("p5", "0x16 0x12 0x00");
	add_metric("(a + b) / c");
	check_plan("ab c");
	assert_int_equal(run_of_ratio(&plan, &metrics, &metrics.metric[0], 4),
			 NO_RUN);
	prepare("p5mmx", "0x2b@0 0x2d@0");
	add_metric("a / b");
	check_plan("a b");
}

/* Each division of a sum may get its own run. */
static void terms_of_a_sum_may_be_of_several_runs(void **state)
{
	prepare("p5", "0x16 0x12 0x00 0x01");
	add_metric("a / c + b / d");
	check_plan("ac bd");
}

static void what_is_not_counted_takes_no_run(void **state)
{
	prepare("p5", "0x16 0x12");
	metrics.event[1].number = NOT_COUNTED;
	events.nr = 1;
	add_metric("a / b");
	check_plan("a");
}

/* perf_event leases fewer counters than the processor has. */
static void a_run_has_no_more_events_than_leased_counters(void **state)
{
	prepare("p5", "0x16 0x12 0x03");
	check_plan("ab c");
	events.leased = 1;
	check_plan("a b c");
}

static void there_may_be_many_events(void **state)
{
	size_t i;

	prepare("p5", "0x16");
	for (i = 0; i < EVENTS_MAX; i++)
		events.sel[i] = events.sel[0];
	events.nr = EVENTS_MAX;
	make_plan(&plan, &events);
	assert_int_equal(plan.nr, EVENTS_MAX / 2);
	assert_int_equal(run_of_event(&plan, EVENTS_MAX - 1),
			 EVENTS_MAX / 2 - 1);
}

/*
 * There are more ratios than a plan can have runs. Some ratios use several runs, but each event
 * is counted.
 */
static void many_ratios_leave_room_for_each_event(void **state)
{
	static struct metric *const metric = metrics.metric;
	struct step *step;
	size_t i, j, first = 0, second = 1;

	prepare("p5", "0x16");
	for (i = 0; i < EVENTS_MAX; i++) {
		events.sel[i] = events.sel[0];
		metrics.event[i].number = (int)i;
	}
	events.nr = metrics.nr_events = EVENTS_MAX;
	for (i = 0; i < METRICS_MAX; i++) {
		add_metric("a/b + a/b + a/b + a/b + a/b + a/b");
		step = metric[i].formula.step;
		for (j = 0; j < metric[i].formula.nr; j++) {
			if (step[j].kind != STEP_DIVIDE)
				continue;
			step[j - 2].event = first;
			step[j - 1].event = second;
			if (++second == 30)
				second = ++first + 1;
		}
	}
	make_plan(&plan, &events);
	assert_in_range(plan.nr, 1, PLAN_MAX);
	for (i = 0; i < EVENTS_MAX; i++)
		assert_true(run_of_event(&plan, i) < plan.nr);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(each_run_has_as_many_as_the_counters_can_count),
	cmocka_unit_test(what_cannot_happen_takes_no_run),
	cmocka_unit_test(events_of_one_counter_are_not_counted_together),
	cmocka_unit_test(what_is_divided_is_counted_in_one_run),
	cmocka_unit_test(what_does_not_fit_is_counted_apart),
	cmocka_unit_test(terms_of_a_sum_may_be_of_several_runs),
	cmocka_unit_test(what_is_not_counted_takes_no_run),
	cmocka_unit_test(a_run_has_no_more_events_than_leased_counters),
	cmocka_unit_test(there_may_be_many_events),
	cmocka_unit_test(many_ratios_leave_room_for_each_event),
};

UNIT_MAIN(tests)
