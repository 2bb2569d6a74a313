// SPDX-License-Identifier: GPL-2.0-only
/* Keep a short history of a number, and draw it as a row of bars. */
#include "live/sparkline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The bars are ordered from the lowest to the highest. */
static const char *const utf8_bars[] = {
	"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"
};
static const char *const ascii_bars[] = {
	"_", ".", ":", "-", "=", "+", "*", "#"
};

#define NR_BARS (sizeof(utf8_bars) / sizeof(utf8_bars[0]))

void add_to_history(struct history *history, double value)
{
	history->value[history->nr++ % HISTORY_MAX] = (float)value;
}

/* Return the value that was added @age values ago. */
static float value_before(const struct history *history, size_t age)
{
	return history->value[(history->nr - 1 - age) % HISTORY_MAX];
}

static float largest(const struct history *history, size_t nr)
{
	float most = 0;
	size_t i;

	for (i = 0; i < nr; i++)
		most = fmaxf(most, value_before(history, i));
	return most;
}

/* Choose the bar of a value. Only values of 0 or less have the lowest bar. */
static size_t bar_of(float value, float most)
{
	const size_t steps = NR_BARS - 1;

	if (!(value > 0))
		return 0;
	return 1 + (size_t)(value / most * (float)steps * 0.999F);
}

void draw_bars(const struct history *history, size_t width, bool in_utf8,
	       char bars[BARS_SIZE])
{
	const char *const *set = in_utf8 ? utf8_bars : ascii_bars;
	size_t nr = history->nr < HISTORY_MAX ? history->nr : HISTORY_MAX;
	float most, value;

	if (width > HISTORY_MAX)
		width = HISTORY_MAX;
	if (nr > width)
		nr = width;
	most = largest(history, nr);
	memset(bars, ' ', width - nr);
	bars += width - nr;
	*bars = '\0';
	while (nr--) {
		value = value_before(history, nr);
		bars = stpcpy(bars,
			      isnan(value) ? " " : set[bar_of(value, most)]);
	}
}

/* Return the number of decimals for four digits, unless rounding gives a fifth digit. */
static int decimals_of(double value)
{
	if (value >= 99.995)
		return 1;
	return value >= 9.9995 ? 2 : 3;
}

void print_short(char text[SHORT_SIZE], double value)
{
	static const char prefixes[] = " kMGTPEZY";
	const char *prefix = prefixes;
	const char *sign = value < 0 ? "-" : "";

	value = fabs(value);
	while (value >= 999.95 && prefix[1]) {
		value /= 1000;
		prefix++;
	}
	snprintf(text, SHORT_SIZE, "%s%.*f%.*s", sign, decimals_of(value),
		 value, *prefix != ' ', prefix);
}
