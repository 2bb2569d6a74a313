/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares how perfex counts the processes of a cgroup. */
#ifndef PERFEX_CGROUP_MODE_H
#define PERFEX_CGROUP_MODE_H

#include "report/output.h"
#include "stats/report_spec.h"

/**
 * count_cgroup() - count all processes that are in a cgroup or enter it during the count
 * @vpmc: a handle without a start
 * @events: the events to count
 * @request: the request of the command line, with --cgroup
 * @output: the output of the reports
 * @command: receives the command, if there is one. The count ends with the command.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int count_cgroup(struct vpmc *vpmc, const struct events *events,
		 const struct request *request, struct output *output,
		 struct command *command);

#endif /* PERFEX_CGROUP_MODE_H */
