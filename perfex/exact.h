/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Any number of events, each counted all the time, in as many runs as that takes.
 */
#ifndef PERFEX_EXACT_H
#define PERFEX_EXACT_H

#include "options.h"
#include "output.h"
#include "plan.h"
#include "run.h"
#include "series.h"

/**
 * struct exact - what the runs have counted
 * @plan: which events are counted in which
 * @series: of each run of the plan, what its repetitions have counted; events are in
 *	the order of its set
 * @total: how all of them have ended
 */
struct exact {
	struct plan plan;
	struct series *series;
	struct series total;
};

/**
 * count_exactly() - count a command in several runs, and report
 * @events: any number; counters are assigned here
 * @options: the command line
 * @saved: from hold_signals()
 * @output: where to print the counts
 * @command: receives how the last run has ended
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int count_exactly(const struct events *events, const struct options *options,
		  const struct signals *saved, struct output *output,
		  struct command *command);

#endif /* PERFEX_EXACT_H */
