/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares a screen on the terminal, drawn by ncurses. A perfex that was built
 * without ncurses does not have it.
 */
#ifndef PERFEX_SCREEN_H
#define PERFEX_SCREEN_H

#include <stdbool.h>
#include <stdio.h>

/**
 * struct screen - a terminal
 * @file: it, or NULL
 * @handle: of ncurses, NULL while nothing is shown
 * @in_utf8: whether it has UTF-8
 */
struct screen {
	FILE *file;
	void *handle;
	bool in_utf8;
};

/* What a user has done. */
enum screen_event { SCREEN_NOTHING, SCREEN_QUIT, SCREEN_RESIZED };

/* has_curses() - whether perfex was built with ncurses; else nothing can be shown */
bool has_curses(void);

/**
 * open_screen() - find out whether there is a terminal that can show something
 * @screen: receives it
 *
 * Nothing is shown yet.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int open_screen(struct screen *screen);

/**
 * begin_drawing() - begin to draw what is shown next
 * @screen: from open_screen()
 * @height: receives how many rows there are
 * @width: receives how many columns there are
 *
 * Return: false if there is no memory for it: nothing is shown then.
 */
bool begin_drawing(struct screen *screen, int *height, int *width);

/**
 * draw_line() - draw a row
 * @row: from 0 on; what is below the last one is not drawn
 * @text: what, as far as there are columns
 * @is_head: it stands out
 */
void draw_line(int row, const char *text, bool is_head);

/* end_drawing() - show what was drawn */
void end_drawing(void);

/* read_screen() - what the user has done since the last call; does not wait */
enum screen_event read_screen(const struct screen *screen);

/* close_screen() - let the terminal be what it was before; once */
void close_screen(struct screen *screen);

#endif /* PERFEX_SCREEN_H */
