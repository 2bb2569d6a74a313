/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the display of --live, which has a row for each event with its rate
 * and its earlier rates.
 */
#ifndef PERFEX_LIVE_H
#define PERFEX_LIVE_H

#include "live/screen.h"
#include "live/tty_redirect.h"
#include "report/report.h"
#include "stats/report_spec.h"

struct row;

/* Room for what is counted, in words. */
#define LIVE_TITLE_MAX 256

/**
 * struct live - what is shown
 * @screen: where
 * @aside: what the terminal had been used for
 * @events: what is counted
 * @title: whose
 * @interval_ms: how often there are other numbers
 * @is_shown: there is a picture
 * @us: time for which it has been counted, in microseconds
 * @rows: of the events, then of what is derived from them
 * @nr: how many
 * @cpu_rows: of the processors, event by event, if there are several
 * @nr_cpus: how many for each event
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
 * open_live() - take the terminal
 * @live: receives what is to be shown
 * @events: what is counted
 * @request: what to count, and how to report it
 *
 * What is written to the terminal from now on, by perfex or by a command, is put aside.
 * Nothing is shown yet, so that a short count shows nothing.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int open_live(struct live *live, const struct events *events,
	      const struct request *request);

/**
 * show_report() - show what was counted in an interval, and so far
 * @live: from open_live()
 * @report: that
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int show_report(struct live *live, const struct report *report);

/*
 * watch_terminal() - do what a user wants: show it in another size, or end the count,
 * by the signal that Ctrl-C sends to the same processes
 */
void watch_terminal(struct live *live);

/* close_live() - give the terminal back, with what was put aside; once */
void close_live(struct live *live);

#endif /* PERFEX_LIVE_H */
