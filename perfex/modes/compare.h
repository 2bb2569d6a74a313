/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares perfex --compare, which counts several commands in turn. */
#ifndef PERFEX_COMPARE_H
#define PERFEX_COMPARE_H

#include "report/output.h"
#include "run/child.h"
#include "stats/report_spec.h"

/**
 * count_compared() - count the commands of --compare, and report
 * @events: the events, with counters assigned, or without for --runs
 * @request: the request of the command line
 * @saved: from hold_signals()
 * @output: the output of the report
 * @command: receives the command whose run decides the exit status. It is the run that ended the
 *	comparison. If there is none, it is the first failed run of the first command with a
 *	failure. If no run failed, it is the last run.
 *
 * Each command runs once before any of them runs again.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int count_compared(const struct events *events, const struct request *request,
		   const struct signals *saved, struct output *output,
		   struct command *command);

#endif /* PERFEX_COMPARE_H */
