/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares a screen on the terminal, drawn by ncurses. A perfex that was built
 * without ncurses does not have the screen.
 */
#ifndef PERFEX_SCREEN_H
#define PERFEX_SCREEN_H

#include <stdbool.h>
#include <stdio.h>

/**
 * struct screen - a terminal
 * @file: the terminal, or NULL
 * @handle: handle of ncurses, NULL while nothing is shown
 * @in_utf8: true if it displays UTF-8
 */
struct screen {
	FILE *file;
	void *handle;
	bool in_utf8;
};

/* These are the user's inputs. */
enum screen_event { SCREEN_NOTHING, SCREEN_QUIT, SCREEN_RESIZED };

/*
 * has_curses() - tell whether perfex was built with ncurses, which the screen needs
 */
bool has_curses(void);

/**
 * open_screen() - check that a terminal can show the display
 * @screen: receives the terminal
 *
 * The function does not change the terminal yet.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int open_screen(struct screen *screen);

/**
 * begin_drawing() - begin to draw the next picture
 * @screen: from open_screen()
 * @height: receives the number of rows
 * @width: receives the number of columns
 *
 * Return: false if there is no memory, so that nothing is shown.
 */
bool begin_drawing(struct screen *screen, int *height, int *width);

/**
 * draw_line() - draw a row of the screen
 * @row: index of the row; rows below the screen are not drawn
 * @text: text of the row, cut off at the last column
 * @is_head: true to highlight the row
 */
void draw_line(int row, const char *text, bool is_head);

/* end_drawing() - show the picture */
void end_drawing(void);

/* read_screen() - get the user's input since the last call, without waiting */
enum screen_event read_screen(const struct screen *screen);

/* close_screen() - restore the terminal. A second call has no effect. */
void close_screen(struct screen *screen);

#endif /* PERFEX_SCREEN_H */
