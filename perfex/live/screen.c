// SPDX-License-Identifier: GPL-2.0-only
/* Draw on the terminal with ncurses. The terminal still sends signals for Ctrl-C and Ctrl-Z. */
#include "live/screen.h"

#include "util/perfex.h"

#ifdef PERFEX_CURSES

#define NCURSES_NOMACROS
#include <curses.h>
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>

#define TERMINAL_FILE "/dev/tty"

#define STRING_OF(x) #x
#define STRING(x)    STRING_OF(x)
#define SONAME	     "libncursesw.so." STRING(NCURSES_VERSION_MAJOR)

/* This is terminfo(5)'s name of the capability to move the cursor. */
#define CURSOR_ADDRESS "cup"

/* clang-format off */
#define FUNCTIONS(F) \
	F(cbreak) F(curs_set) F(del_curterm) F(delscreen) F(endwin) F(getmaxx) \
	F(getmaxy) F(mvwaddnstr) F(newterm) F(nodelay) F(noecho) F(setupterm) \
	F(tigetstr) F(wattroff) F(wattron) F(werase) F(wgetch) F(wrefresh)
/* clang-format on */

#define MEMBER(name) __typeof__(name) *(name);

/* After load_curses(), this has the functions of ncurses, its screen and its terminal. */
static struct {
	FUNCTIONS(MEMBER)
	WINDOW **screen;
	TERMINAL **terminal;
} curses;

#ifdef PERFEX_CURSES_STATIC

#define FIND(name) curses.name = name;

static bool load_curses(void)
{
	FUNCTIONS(FIND)
	curses.screen = &stdscr;
	curses.terminal = &cur_term;
	return true;
}

#else

#include <dlfcn.h>

#define FIND(name)     *(void **)&curses.name = dlsym(library, #name);
#define IS_THERE(name) &&curses.name

/*
 * Load ncurses. The caller loads it only if it is needed, because loading takes longer than the
 * rest of perfex for a short command.
 */
static bool load_curses(void)
{
	void *library = dlopen(SONAME, RTLD_NOW);

	if (!library)
		return false;
	FUNCTIONS(FIND)
	curses.screen = dlsym(library, "stdscr");
	curses.terminal = dlsym(library, "cur_term");
	return curses.screen && curses.terminal FUNCTIONS(IS_THERE);
}

#endif

bool has_curses(void)
{
	return true;
}

/* Find out whether ncurses can use the terminal of TERM, by setupterm(3). */
static const char *find_fault(FILE *file)
{
	const char *move;
	int known = 0;

	if (!getenv("TERM"))
		return "TERM is not set";
	if (curses.setupterm(NULL, fileno(file), &known))
		return known < 0 ? "there is no description of terminals"
				 : "its name in TERM is unknown";
	move = curses.tigetstr(CURSOR_ADDRESS);
	curses.del_curterm(*curses.terminal);
	/* tigetstr(3) returns -1 if the capability is not a string. */
	return move && (intptr_t)move != -1 ? NULL
					    : "it cannot move its cursor";
}

int open_screen(struct screen *screen)
{
	const char *fault;

	*screen = (struct screen){ .file = fopen(TERMINAL_FILE, "r+e") };
	if (!screen->file) {
		complain("--live needs a terminal, and there is none: %s",
			 strerror(errno));
		return PERFEX_OUTPUT;
	}
	if (!load_curses()) {
		complain("--live needs ncurses, which is not installed (" SONAME
			 "): install it, or use --interval");
		fclose(screen->file);
		screen->file = NULL;
		return PERFEX_USAGE;
	}
	setlocale(LC_CTYPE, "");
	screen->in_utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	fault = find_fault(screen->file);
	if (!fault)
		return 0;
	fclose(screen->file);
	screen->file = NULL;
	complain("--live cannot use the terminal: %s (set TERM to its type, or"
		 " use --interval)",
		 fault);
	return PERFEX_OUTPUT;
}

static bool start(struct screen *screen)
{
	screen->handle = curses.newterm(NULL, screen->file, screen->file);
	if (!screen->handle)
		return false;
	curses.cbreak();
	curses.noecho();
	curses.nodelay(*curses.screen, TRUE);
	curses.curs_set(0);
	return true;
}

bool begin_drawing(struct screen *screen, int *height, int *width)
{
	if (!screen->handle && !start(screen))
		return false;
	curses.werase(*curses.screen);
	*height = curses.getmaxy(*curses.screen);
	*width = curses.getmaxx(*curses.screen);
	return true;
}

void draw_line(int row, const char *text, bool is_head)
{
	if (is_head)
		curses.wattron(*curses.screen, A_REVERSE);
	curses.mvwaddnstr(*curses.screen, row, 0, text, -1);
	if (is_head)
		curses.wattroff(*curses.screen, A_REVERSE);
}

void end_drawing(void)
{
	curses.wrefresh(*curses.screen);
}

/* Read keys. ncurses notices a new size by SIGWINCH, and reports it as a key. */
enum screen_event read_screen(const struct screen *screen)
{
	enum screen_event event = SCREEN_NOTHING;
	int key;

	if (!screen->handle)
		return event;
	while ((key = curses.wgetch(*curses.screen)) != ERR) {
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
		curses.endwin();
		curses.delscreen(screen->handle);
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
