/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One run of a command that is counted.
 */
#ifndef PERFEX_ONCE_H
#define PERFEX_ONCE_H

#include "interval.h"
#include "output.h"
#include "result.h"
#include "run.h"
#include "series.h"

/**
 * run_once() - run what --pre gives, then the command, and read the counts
 * @vpmc: a handle that nothing was started on
 * @options: the command line
 * @saved: from hold_signals()
 * @intervals: reported meanwhile; its file is emptied when the command has started
 * @command: receives how it has ended
 * @result: receives what was counted; its records say which events
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int run_once(struct vpmc *vpmc, const struct options *options,
	     const struct signals *saved, struct intervals *intervals,
	     struct command *command, struct result *result);

/* run_after() - what --post gives, when the counts are safe; as run_around() */
int run_after(const struct options *options, const struct signals *saved);

/**
 * run_again() - one of several runs, which has a handle of its own
 * @events: with counters assigned
 * @options: the command line
 * @saved: from hold_signals()
 * @output: emptied when the command has started
 * @command: receives how it has ended
 * @series: takes the run in, or NULL
 * @total: takes how it has ended, or NULL
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int run_again(const struct events *events, const struct options *options,
	      const struct signals *saved, struct output *output,
	      struct command *command, struct series *series,
	      struct series *total);

/*
 * is_killed() - whether a signal has ended it, which is meant for all further runs; the
 * one that --for sends is not
 */
bool is_killed(const struct command *command);

#endif /* PERFEX_ONCE_H */
