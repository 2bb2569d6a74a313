/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares how a command is counted. */
#ifndef PERFEX_COMMAND_H
#define PERFEX_COMMAND_H

#include "report/output.h"
#include "stats/report_spec.h"

/**
 * count_command() - count a command while it runs
 * @vpmc: a handle without a start
 * @events: the events, with counters assigned
 * @request: the request of the command line
 * @output: the output of the report
 * @command: receives the command after its end
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int count_command(struct vpmc *vpmc, const struct events *events,
		  const struct request *request, struct output *output,
		  struct command *command);

#endif /* PERFEX_COMMAND_H */
