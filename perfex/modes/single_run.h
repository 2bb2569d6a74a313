/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares one counted run of a command. */
#ifndef PERFEX_SINGLE_RUN_H
#define PERFEX_SINGLE_RUN_H

#include "modes/interval.h"
#include "report/output.h"
#include "run/child.h"
#include "run/result.h"
#include "stats/run_series.h"

/**
 * run_once() - start the command, wait until it has ended, and read the counts
 * @vpmc: a handle without a start
 * @request: the request of the command line
 * @saved: from hold_signals()
 * @intervals: the intervals to report during the run; the function empties their file when the
 *	command has started
 * @command: receives the command after its end
 * @result: receives the counts; its records have the events
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int run_once(struct vpmc *vpmc, const struct request *request,
	     const struct signals *saved, struct intervals *intervals,
	     struct command *command, struct result *result);

/* run_before() - run the line of --pre; @vpmc and the return value are as for run_once() */
int run_before(struct vpmc *vpmc, const struct request *request,
	       const struct signals *saved);

/**
 * run_after() - run the line of --post, if the command has run
 * @vpmc: from run_once(), with the counts read
 * @request: the request of the command line
 * @saved: from hold_signals()
 * @command: from run_once()
 * @status: status of the run so far; the function returns it if it is a failure
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int run_after(struct vpmc *vpmc, const struct request *request,
	      const struct signals *saved, const struct command *command,
	      int status);

/**
 * run_again() - make one of several runs, with --pre and --post, and with its own handle
 * @events: the events, with counters assigned
 * @request: the request of the command line
 * @saved: from hold_signals()
 * @output: the output, which is emptied when the command has started
 * @command: receives the command after its end
 * @series: receives the run, or NULL
 * @total: receives the status and resources of the run, or NULL
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int run_again(const struct events *events, const struct request *request,
	      const struct signals *saved, struct output *output,
	      struct command *command, struct series *series,
	      struct series *total);

/*
 * is_killed() - tell whether a signal has ended the command, so that no more runs follow. The
 * signal of --for is not such a signal.
 */
bool is_killed(const struct command *command);

#endif /* PERFEX_SINGLE_RUN_H */
