// SPDX-License-Identifier: GPL-2.0-only
/* See screen.h. Ctrl-C and Ctrl-Z stay with the terminal, which sends signals. */
#include "screen.h"

#include "perfex.h"

#ifdef PERFEX_CURSES

#include <curses.h>
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>

#define TERMINAL "/dev/tty"

bool has_curses(void)
{
	return true;
}

/* What ncurses says of TERM, by way of setupterm(3). */
static const char *find_fault(FILE *file)
{
	int known = 0;

	if (!getenv("TERM"))
		return "TERM is not set";
	if (setupterm(NULL, fileno(file), &known))
		return known < 0 ? "there is no description of terminals"
				 : "its name in TERM is unknown";
	known = cursor_address != NULL;
	del_curterm(cur_term);
	return known ? NULL : "it cannot move its cursor";
}

int open_screen(struct screen *screen)
{
	const char *fault;

	*screen = (struct screen){ .file = fopen(TERMINAL, "r+e") };
	if (!screen->file) {
		complain("--live needs a terminal, and there is none: %s",
			 strerror(errno));
		return PERFEX_OUTPUT;
	}
	setlocale(LC_CTYPE, "");
	screen->in_utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	fault = find_fault(screen->file);
	if (!fault)
		return 0;
	fclose(screen->file);
	screen->file = NULL;
	complain("--live cannot use the terminal: %s (set TERM to what it is,"
		 " or use --interval)",
		 fault);
	return PERFEX_OUTPUT;
}

static bool start(struct screen *screen)
{
	screen->handle = newterm(NULL, screen->file, screen->file);
	if (!screen->handle)
		return false;
	cbreak();
	noecho();
	nodelay(stdscr, TRUE);
	curs_set(0);
	return true;
}

bool begin_drawing(struct screen *screen, int *height, int *width)
{
	if (!screen->handle && !start(screen))
		return false;
	erase();
	getmaxyx(stdscr, *height, *width);
	return true;
}

void draw_line(int row, const char *text, bool is_head)
{
	if (is_head)
		attron(A_REVERSE);
	mvaddnstr(row, 0, text, -1);
	if (is_head)
		attroff(A_REVERSE);
}

void end_drawing(void)
{
	refresh();
}

/* ncurses learns of another size by SIGWINCH, and tells it as a key. */
enum screen_event read_screen(const struct screen *screen)
{
	enum screen_event event = SCREEN_NOTHING;
	int key;

	if (!screen->handle)
		return event;
	while ((key = getch()) != ERR) {
		if (key == 'q' || key == 'Q')
			return SCREEN_QUIT;
		if (key == KEY_RESIZE)
			event = SCREEN_RESIZED;
	}
	return event;
}

void close_screen(struct screen *screen)
{
	if (screen->handle) {
		endwin();
		delscreen(screen->handle);
		screen->handle = NULL;
	}
	if (screen->file)
		fclose(screen->file);
	screen->file = NULL;
}

#else

bool has_curses(void)
{
	return false;
}

int open_screen(struct screen *screen)
{
	*screen = (struct screen){ .file = NULL };
	return PERFEX_USAGE;
}

bool begin_drawing(struct screen *screen, int *height, int *width)
{
	(void)screen;
	*height = 0;
	*width = 0;
	return false;
}

void draw_line(int row, const char *text, bool is_head)
{
	(void)row;
	(void)text;
	(void)is_head;
}

void end_drawing(void)
{
}

enum screen_event read_screen(const struct screen *screen)
{
	(void)screen;
	return SCREEN_NOTHING;
}

void close_screen(struct screen *screen)
{
	(void)screen;
}

#endif
