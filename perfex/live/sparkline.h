/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the short history of a number, and the row of bars that shows it. */
#ifndef PERFEX_SPARKLINE_H
#define PERFEX_SPARKLINE_H

#include <stdbool.h>
#include <stddef.h>

/* The most values of a history: no terminal shows more. */
#define HISTORY_MAX 512

/* Bytes of the longest bar; room for a row of bars, and for a short number. */
#define BAR_BYTES  3
#define BARS_SIZE  (HISTORY_MAX * BAR_BYTES + 1)
#define SHORT_SIZE 16

/**
 * struct history - the last values of a number
 * @value: a ring, NaN where the number was not known
 * @nr: how many values there have been
 */
struct history {
	float value[HISTORY_MAX];
	size_t nr;
};

/* add_to_history() - add a value, in place of the oldest if there is no room */
void add_to_history(struct history *history, double value);

/**
 * draw_bars() - draw the last values, the newest on the right
 * @history: the values
 * @width: columns to draw, of which those on the left stay blank if there are fewer
 *	values; more than HISTORY_MAX count as that
 * @in_utf8: whether the terminal has UTF-8; else the bars are of ASCII
 * @bars: receives the text
 *
 * The highest bar is the largest value that is drawn, the lowest 0 and what is below.
 */
void draw_bars(const struct history *history, size_t width, bool in_utf8,
	       char bars[BARS_SIZE]);

/**
 * print_short() - a number in six columns or seven, as 12.34M
 * @text: receives it
 * @value: the number
 */
void print_short(char text[SHORT_SIZE], double value);

#endif /* PERFEX_SPARKLINE_H */
