// SPDX-License-Identifier: GPL-2.0-only
/* This file tests sparkline.c: histories as rows of bars, and short numbers. */
#include "unit.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "live/sparkline.h"

static struct history history;
static char bars[BARS_SIZE];

static int clear(void **state)
{
	memset(&history, 0, sizeof(history));
	return 0;
}

static void add_all(const double *values, size_t nr)
{
	while (nr--)
		add_to_history(&history, *values++);
}

/* A row of a terminal must never be too long. */
static void a_row_is_as_wide_as_asked_for(void **state)
{
	static const size_t widths[] = { 0, 1, 7, HISTORY_MAX };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(widths); i++) {
		draw_bars(&history, widths[i], false, bars);
		assert_int_equal(strlen(bars), widths[i]);
		add_to_history(&history, 1);
		draw_bars(&history, widths[i], false, bars);
		assert_int_equal(strlen(bars), widths[i]);
	}
	draw_bars(&history, HISTORY_MAX + 1, false, bars);
	assert_int_equal(strlen(bars), HISTORY_MAX);
}

static void the_newest_is_on_the_right(void **state)
{
	static const double values[] = { 7, 0, 1, 2, 3, 4, 5, 6, 7 };

	add_all(values, ARRAY_SIZE(values));
	draw_bars(&history, 8, true, bars);
	assert_string_equal(bars, "▁▂▃▄▅▆▇█");
	draw_bars(&history, 8, false, bars);
	assert_string_equal(bars, "_.:-=+*#");
	draw_bars(&history, 10, false, bars);
	assert_string_equal(bars, " #_.:-=+*#");
}

static void what_is_drawn_has_a_full_bar(void **state)
{
	static const double values[] = { 1000, 1, 1 };

	add_all(values, ARRAY_SIZE(values));
	draw_bars(&history, 3, false, bars);
	assert_string_equal(bars, "#..");
	draw_bars(&history, 2, false, bars);
	assert_string_equal(bars, "##");
}

static void what_is_not_known_has_no_bar(void **state)
{
	static const double values[] = { 1, (double)NAN, 0, -1 };

	add_all(values, ARRAY_SIZE(values));
	draw_bars(&history, 4, false, bars);
	assert_string_equal(bars, "# __");
}

static void a_long_history_forgets_the_oldest(void **state)
{
	size_t i;

	add_to_history(&history, 1000);
	for (i = 0; i < HISTORY_MAX; i++)
		add_to_history(&history, (double)(i & 1));
	draw_bars(&history, HISTORY_MAX, false, bars);
	for (i = 0; i < HISTORY_MAX; i++)
		assert_int_equal(bars[i], i & 1 ? '#' : '_');
}

static const struct {
	double value;
	const char *text;
} numbers[] = {
	{ 0, "0.000" },		{ 1.2345, "1.234" },
	{ 9.9994, "9.999" },	{ 9.9996, "10.00" },
	{ 99.994, "99.99" },	{ 99.996, "100.0" },
	{ 999.94, "999.9" },	{ 999.96, "1.000k" },
	{ 123456, "123.5k" },	{ 12345678, "12.35M" },
	{ 2e9, "2.000G" },	{ 18446744073709551615.0, "18.45E" },
	{ 1e30, "1000000.0Y" }, { -1500, "-1.500k" },
};

static void short_numbers_have_four_digits(void **state)
{
	char text[SHORT_SIZE];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		print_short(text, numbers[i].value);
		assert_string_equal(text, numbers[i].text);
	}
}

#define HISTORY_TEST(f) cmocka_unit_test_setup(f, clear)

static const struct CMUnitTest tests[] = {
	HISTORY_TEST(a_row_is_as_wide_as_asked_for),
	HISTORY_TEST(the_newest_is_on_the_right),
	HISTORY_TEST(what_is_drawn_has_a_full_bar),
	HISTORY_TEST(what_is_not_known_has_no_bar),
	HISTORY_TEST(a_long_history_forgets_the_oldest),
	cmocka_unit_test(short_numbers_have_four_digits),
};

UNIT_MAIN(tests)
