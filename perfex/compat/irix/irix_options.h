/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the command line of perfex.irix. */
#ifndef IRIX_OPTIONS_H
#define IRIX_OPTIONS_H

#include <stdbool.h>

#include "events/count_spec.h"
#include "libperfex_events.h"

/**
 * struct irix_options - the command line
 * @event: arguments of -e, or NULL
 * @nr_events: number of @event
 * @all: -a
 * @threads: -mp or -pp
 * @thread: argument of -pp, the number of the only thread to list of each process; 0 for all
 *	threads
 * @period_ms: argument of -p, or 0
 * @times: -y
 * @table: -t
 * @output: argument of -o, or NULL
 * @costs: argument of -c, or NULL
 * @count: options for perfex's own functions: modes, and the control of the count
 * @command: the command with its arguments, ended by NULL
 */
struct irix_options {
	const char *event[PERFEXINT_PAIR];
	unsigned int nr_events;
	bool all;
	bool threads;
	unsigned int thread;
	unsigned int period_ms;
	bool times;
	bool table;
	const char *output;
	const char *costs;
	struct count_spec count;
	char **command;
};

/**
 * irix_parse_options() - parse the command line
 * @options: receives the command line
 * @argv: argument of main()
 *
 * -h prints the help and ends the program.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int irix_parse_options(struct irix_options *options, char **argv);

#endif /* IRIX_OPTIONS_H */
