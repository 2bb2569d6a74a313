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
 * @vpmc: a handle that nothing was started on
 * @request: what to count, and how to report it
 * @saved: from hold_signals()
 * @intervals: reported meanwhile; its file is emptied when the command has started
 * @command: receives how it has ended
 * @result: receives what was counted; its records say which events
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int run_once(struct vpmc *vpmc, const struct request *request,
	     const struct signals *saved, struct intervals *intervals,
	     struct command *command, struct result *result);

/* run_before() - run what --pre gives; @vpmc as for run_once(), returns as that */
int run_before(struct vpmc *vpmc, const struct request *request,
	       const struct signals *saved);

/**
 * run_after() - run what --post gives, if the command has run
 * @vpmc: from run_once(), with the counts read
 * @request: what to count, and how to report it
 * @saved: from hold_signals()
 * @command: from run_once()
 * @status: of the run so far: a failure before is the one that is returned
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int run_after(struct vpmc *vpmc, const struct request *request,
	      const struct signals *saved, const struct command *command,
	      int status);

/**
 * run_again() - one of several runs, with what goes before and after it, and a handle
 *	of its own
 * @events: with counters assigned
 * @request: what to count, and how to report it
 * @saved: from hold_signals()
 * @output: emptied when the command has started
 * @command: receives how it has ended
 * @series: takes the run in, or NULL
 * @total: takes how it has ended, or NULL
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int run_again(const struct events *events, const struct request *request,
	      const struct signals *saved, struct output *output,
	      struct command *command, struct series *series,
	      struct series *total);

/*
 * is_killed() - whether a signal has ended it, which is meant for all further runs; the
 * one that --for sends is not
 */
bool is_killed(const struct command *command);

#endif /* PERFEX_SINGLE_RUN_H */
