/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares how perfex counts a command in several runs. With -r each run counts all
 * events. With --runs each event is counted all the time, in as many runs as necessary.
 */
#ifndef PERFEX_MULTI_RUN_H
#define PERFEX_MULTI_RUN_H

#include "report/output.h"
#include "run/child.h"
#include "run/stdin_rewind.h"
#include "stats/exact_series.h"
#include "stats/report_spec.h"

/**
 * struct rounds - runs in progress
 * @events: the events of all runs
 * @request: the request of the command line
 * @saved: from hold_signals()
 * @output: the output of the report
 * @command: the current run
 * @exact: the counts so far
 * @input: initial position in standard input
 */
struct rounds {
	const struct events *events;
	const struct request *request;
	const struct signals *saved;
	struct output *output;
	struct command *command;
	struct exact *exact;
	struct input input;
};

/**
 * begin_exact() - plan the runs
 * @exact: receives the plan; the caller has zeroed it
 * @events: the events to count, without counters assigned
 * @request: the request of the command line
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int begin_exact(struct exact *exact, const struct events *events,
		const struct request *request);

/* end_exact() - free the memory. It may be called after a failure, or without begin_exact(). */
void end_exact(struct exact *exact);

/**
 * run_round() - run each set of the plan once, so that slow changes affect all sets
 * @rounds: the runs. If a signal ends a run, the function does not start another run.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int run_round(const struct rounds *rounds);

/* run_warmup() - run the first set once without counting; returns like run_round() */
int run_warmup(const struct rounds *rounds);

/**
 * count_repeatedly() - count all events in each run of a command, and report their means
 * @events: the events, with counters assigned
 * @request: the request of the command line
 * @saved: from hold_signals()
 * @output: the output of the report
 * @command: receives the command after its last run
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int count_repeatedly(const struct events *events, const struct request *request,
		     const struct signals *saved, struct output *output,
		     struct command *command);

/*
 * count_exactly() - like count_repeatedly(), for any number of events. The function assigns
 * counters to them.
 */
int count_exactly(const struct events *events, const struct request *request,
		  const struct signals *saved, struct output *output,
		  struct command *command);

#endif /* PERFEX_MULTI_RUN_H */
