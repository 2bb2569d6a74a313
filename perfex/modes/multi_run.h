/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares perfex --runs, which counts each event all the time, in as many runs
 * as that takes.
 */
#ifndef PERFEX_MULTI_RUN_H
#define PERFEX_MULTI_RUN_H

#include "report/output.h"
#include "run/child.h"
#include "run/stdin_rewind.h"
#include "stats/exact_series.h"
#include "stats/report_spec.h"

/**
 * struct rounds - runs under way
 * @events: all of them
 * @request: what to count, and how to report it
 * @saved: from hold_signals()
 * @output: where to print the counts
 * @command: the present one
 * @exact: what was counted so far
 * @input: where standard input was
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
 * @exact: receives the plan; zeroed before
 * @events: what to count, without counters assigned
 * @request: what to count, and how to report it
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int begin_exact(struct exact *exact, const struct events *events,
		const struct request *request);

/* end_exact() - give the memory back, also after a failure or without a beginning */
void end_exact(struct exact *exact);

/**
 * run_round() - run each set of the plan once, so that a drift meets all of them
 * @rounds: the runs. If a signal has ended one, there are no more.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int run_round(const struct rounds *rounds);

/* run_warmup() - run the first set once, and do not count that; returns as run_round() */
int run_warmup(const struct rounds *rounds);

/**
 * count_exactly() - count a command in several runs, and report
 * @events: any number; counters are assigned here
 * @request: what to count, and how to report it
 * @saved: from hold_signals()
 * @output: where to print the counts
 * @command: receives how the last run has ended
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int count_exactly(const struct events *events, const struct request *request,
		  const struct signals *saved, struct output *output,
		  struct command *command);

#endif /* PERFEX_MULTI_RUN_H */
