// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests formulas: their values, worked out by hand, the events that must be counted
 * together, and errors in formulas.
 */
#include "unit.h"

#include <string.h>

#include "check_says.h"
#include "events/formula.h"

static const char *const names[] = { "a", "b", "branch-misses", "x:k" };

/* These are the counts of the events, and the time. */
static const double counts[] = { 10, 4, 3, 7 };
#define SECONDS 0.5

static bool value_of(const char *text, double *value)
{
	double operand[FORMULA_STEPS] = { 0 };
	struct formula_error err;
	struct formula formula;
	uint64_t negative;
	size_t i;

	if (!parse_formula(&formula, text, names, ARRAY_SIZE(names), &err))
		fail_msg("\"%s\": %s", text, err.sentence);
	for (i = 0; i < formula.nr; i++) {
		if (formula.step[i].kind == STEP_EVENT)
			operand[i] = counts[formula.step[i].event];
		else if (formula.step[i].kind == STEP_TIME)
			operand[i] = SECONDS;
		else
			operand[i] = formula.step[i].number;
	}
	return evaluate(&formula, operand, value, &negative);
}

static const struct {
	const char *text;
	double value;
} good[] = {
	{ "a", 10 },
	{ "  1e3\t", 1000 },
	{ "0.5", 0.5 },
	{ ".5", 0.5 },
	{ "a+b", 14 },
	{ "a - b - 1", 5 },
	{ "a - (b - 1)", 7 },
	{ "a / b / 5", 0.5 },
	{ "a / (b / 5)", 12.5 },
	{ "a + b * 3", 22 },
	{ "(a + b) * 3", 42 },
	{ "a * b + 3", 43 },
	{ "2 * a / b - 1", 4 },
	{ "a - b / 4 * 2", 8 },
	{ "((a))", 10 },
	{ "((a - b) * (a + b)) / 2", 42 },
	{ "100 * branch-misses / A", 30 },
	{ "a - branch-misses", 7 },
	{ "x:k / time", 14 },
	{ "a/time/1e1", 2 },
};

static void values_are_those_worked_out_by_hand(void **state)
{
	double value;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(good); i++) {
		assert_true(value_of(good[i].text, &value));
		if (value < good[i].value || value > good[i].value)
			fail_msg("\"%s\" is %g, not %g", good[i].text, value,
				 good[i].value);
	}
}

static void nothing_is_divided_by_zero(void **state)
{
	double value;

	assert_false(value_of("a / 0", &value));
	assert_false(value_of("1 + a / (b - 4)", &value));
	assert_true(value_of("0 / a", &value));
}

static const struct {
	const char *text;
	size_t at;
	const char *word;
} bad[] = {
	{ "", 0, "missing" },	   { "a +", 3, "missing" },
	{ "a b", 2, "+ - * /" },   { "a * / b", 4, "missing" },
	{ "(a", 0, "\")\"" },	   { "a + (b * (a)", 4, "\")\"" },
	{ "a)", 1, "\"(\"" },	   { "()", 1, "missing" },
	{ "-a", 0, "missing" },	   { "c", 0, "event" },
	{ "a / bb", 4, "event" },  { "a-b", 0, "blanks" },
	{ "0x16", 0, "decimal" },  { "1.2.3", 0, "decimal" },
	{ "1 a", 2, "+ - * /" },   { "1e999", 0, "decimal" },
	{ "a # b", 2, "+ - * /" }, { "2x", 0, "decimal" },
	{ "time2", 0, "event" },   { "a \xc3\xa9", 2, "+ - * /" },
	{ "1e", 0, "decimal" },	   { ".", 0, "decimal" },
};

static void what_is_wrong_is_told_with_its_place(void **state)
{
	struct formula_error err;
	struct formula formula;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		if (parse_formula(&formula, bad[i].text, names,
				  ARRAY_SIZE(names), &err))
			fail_msg("\"%s\" is understood", bad[i].text);
		if (err.at != bad[i].text + bad[i].at ||
		    !strstr(err.sentence, bad[i].word))
			fail_msg("\"%s\": \"%s\" at %td", bad[i].text,
				 err.sentence, err.at - bad[i].text);
	}
}

static void a_formula_can_be_too_long(void **state)
{
	char text[2 * FORMULA_STEPS + 4] = "";
	struct formula_error err;
	struct formula formula;
	size_t i;

	memset(text, '(', FORMULA_STEPS + 1);
	assert_false(parse_formula(&formula, text, names, 1, &err));
	assert_ptr_equal(err.at, text + FORMULA_STEPS);
	for (i = 0; i <= FORMULA_STEPS; i++)
		memcpy(text + 2 * i, i ? "+a" : " a", 3);
	assert_false(parse_formula(&formula, text, names, 1, &err));
	check_says(err.sentence, "too long");
}

/*
 * Check the number of the division of each operand. Divisions are numbered from 1 in their order;
 * 0 means no division.
 */
static void check_ratios(const char *text, const char *ratios)
{
	struct formula_error err;
	struct formula formula;
	size_t i, at = 0;

	assert_true(
		parse_formula(&formula, text, names, ARRAY_SIZE(names), &err));
	for (i = 0; i < formula.nr; i++) {
		const struct step *step = &formula.step[i];
		int division, number = 0;

		if (step->kind > STEP_TIME)
			continue;
		for (division = 0; division <= step->ratio; division++)
			number += formula.step[division].kind == STEP_DIVIDE;
		assert_int_equal(number, ratios[at++] - '0');
	}
	assert_int_equal(ratios[at], '\0');
}

static void what_is_divided_belongs_together(void **state)
{
	check_ratios("a + b", "00");
	check_ratios("100 * a / b", "111");
	check_ratios("a / b + x:k / time", "1122");
	check_ratios("a / b - x:k", "110");
	check_ratios("(a / b) / (x:k / time)", "3333");
	check_ratios("a * (b / 2)", "011");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(values_are_those_worked_out_by_hand),
	cmocka_unit_test(nothing_is_divided_by_zero),
	cmocka_unit_test(what_is_wrong_is_told_with_its_place),
	cmocka_unit_test(a_formula_can_be_too_long),
	cmocka_unit_test(what_is_divided_belongs_together),
};

UNIT_MAIN(tests)
