/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the short history of a number, and the row of bars that shows it. */
#ifndef PERFEX_SPARKLINE_H
#define PERFEX_SPARKLINE_H

#include <stdbool.h>
#include <stddef.h>

/* A history has at most this many values, because terminals do not show more. */
#define HISTORY_MAX 512

/* These are the sizes in bytes of the longest bar, of a row of bars, and of a short number. */
#define BAR_BYTES  3
#define BARS_SIZE  (HISTORY_MAX * BAR_BYTES + 1)
#define SHORT_SIZE 16

/**
 * struct history - the last values of a number
 * @value: a ring of values; NaN for an unknown value
 * @nr: number of values that were added
 */
struct history {
	float value[HISTORY_MAX];
	size_t nr;
};

/* add_to_history() - add a value. It replaces the oldest value if there is no room. */
void add_to_history(struct history *history, double value);

/**
 * draw_bars() - draw the last values, the newest on the right
 * @history: the values
 * @width: number of columns, at most HISTORY_MAX; columns on the left stay blank if there
 *	are fewer values
 * @in_utf8: true if the terminal displays UTF-8; else the bars are ASCII characters
 * @bars: receives the text
 *
 * The highest bar is the largest value that is drawn, and the lowest bar is 0 or less.
 */
void draw_bars(const struct history *history, size_t width, bool in_utf8,
	       char bars[BARS_SIZE]);

/**
 * print_short() - print a number in six or seven columns, for example 12.34M
 * @text: receives the text
 * @value: the number
 */
void print_short(char text[SHORT_SIZE], double value);

#endif /* PERFEX_SPARKLINE_H */
