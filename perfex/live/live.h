/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the display of --live. It has a row for each event, with its rate and
 * earlier rates.
 */
#ifndef PERFEX_LIVE_H
#define PERFEX_LIVE_H

#include "live/screen.h"
#include "live/tty_redirect.h"
#include "report/report.h"
#include "stats/report_spec.h"

struct row;

/* The title, which names the counted command or processes, fits into this many bytes. */
#define LIVE_TITLE_MAX 256

/**
 * struct live - the display of --live
 * @screen: the screen
 * @aside: the descriptors that were redirected from the terminal
 * @events: the events that are counted
 * @title: name of the processes or the command that are counted
 * @interval_ms: time between updates
 * @is_shown: true if the display is shown
 * @us: duration of the count so far, in microseconds
 * @rows: rows of events, then of metrics
 * @nr: number of rows
 * @cpu_rows: rows of processors, event by event, if there are several processors
 * @nr_cpus: number of processors
 */
struct live {
	struct screen screen;
	struct aside aside;
	const struct events *events;
	char title[LIVE_TITLE_MAX];
	unsigned int interval_ms;
	bool is_shown;
	uint64_t us;
	struct row *rows;
	size_t nr;
	struct row *cpu_rows;
	size_t nr_cpus;
};

/**
 * open_live() - open the terminal
 * @live: receives the display
 * @events: the events that are counted
 * @request: the request of the command line
 *
 * From now on, output of perfex or of a command to the terminal is redirected. The display is not
 * shown yet, so that it does not appear during a short count.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int open_live(struct live *live, const struct events *events,
	      const struct request *request);

/**
 * show_report() - show the counts of an interval, and the counts so far
 * @live: from open_live()
 * @report: the report of the counts
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int show_report(struct live *live, const struct report *report);

/*
 * watch_terminal() - handle the user's input. Draw the display again in a new size, or end the
 * count by SIGINT to the processes that Ctrl-C would signal.
 */
void watch_terminal(struct live *live);

/*
 * close_live() - close the terminal, and print the redirected output. A second call has no
 * effect.
 */
void close_live(struct live *live);

#endif /* PERFEX_LIVE_H */
