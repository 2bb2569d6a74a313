/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares perfex --optional, which runs the command even if there are no
 * counters.
 */
#ifndef PERFEX_OPTIONAL_H
#define PERFEX_OPTIONAL_H

#include "report/output.h"
#include "stats/report_spec.h"

/**
 * goes_uncounted() - whether the command is to run without counts
 * @request: what to count, and how to report it
 * @command: the command, which may have run
 * @status: an enum perfex_status
 *
 * Return: whether it has not run, may do so without counts, and @status is that of
 * counters nobody can use.
 */
bool goes_uncounted(const struct request *request,
		    const struct command *command, int status);

/**
 * run_uncounted() - run a command without counts, and write a report that says so
 * @request: what to count, and how to report it
 * @output: where to; it may have been meant for counts, of which nothing is written yet
 * @command: receives how it has ended
 * @why: why nothing can be counted, an enum perfex_status that was complained of
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int run_uncounted(const struct request *request, struct output *output,
		  struct command *command, int why);

/**
 * open_and_run_uncounted() - the same, where the output is not open yet
 * @request: what to count, and how to report it
 * @beside: another output, where the status goes; or NULL
 * @command: receives how it has ended
 * @why: why nothing can be counted, an enum perfex_status that was complained of
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int open_and_run_uncounted(const struct request *request,
			   const struct output *beside, struct command *command,
			   int why);

#endif /* PERFEX_OPTIONAL_H */
