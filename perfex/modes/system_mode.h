/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares perfex --system, which counts the whole system. */
#ifndef PERFEX_SYSTEM_MODE_H
#define PERFEX_SYSTEM_MODE_H

#include "report/output.h"
#include "stats/report_spec.h"

/**
 * count_system() - count the events of processors while a command runs
 * @vpmc: a handle without a start
 * @events: the events, with counters assigned
 * @request: the request of the command line. Without a command, a signal that would end perfex
 *	ends the count.
 * @output: the output of the report
 * @command: receives the command after its end, if there is one
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int count_system(struct vpmc *vpmc, const struct events *events,
		 const struct request *request, struct output *output,
		 struct command *command);

#endif /* PERFEX_SYSTEM_MODE_H */
