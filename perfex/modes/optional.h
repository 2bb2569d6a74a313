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
 * goes_uncounted() - tell whether to run the command without counts
 * @request: the request of the command line
 * @command: the command, which may have run
 * @status: an enum perfex_status
 *
 * Return: true if the command has not run, it may run without counts, and @status means that the
 * counters cannot be used.
 */
bool goes_uncounted(const struct request *request,
		    const struct command *command, int status);

/**
 * run_uncounted() - run a command without counts, and write a report with UNCOUNTED_NOTE
 * @request: the request of the command line
 * @output: the output of the report; it is open, and does not have a report yet
 * @command: receives the command after its end
 * @why: why counting is not possible, an enum perfex_status after a complaint
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int run_uncounted(const struct request *request, struct output *output,
		  struct command *command, int why);

/**
 * open_and_run_uncounted() - like run_uncounted(), and open the output
 * @request: the request of the command line
 * @beside: the output of the status, or NULL
 * @command: receives the command after its end
 * @why: why counting is not possible, an enum perfex_status after a complaint
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int open_and_run_uncounted(const struct request *request,
			   const struct output *beside, struct command *command,
			   int why);

#endif /* PERFEX_OPTIONAL_H */
