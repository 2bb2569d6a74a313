/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares perfex -p and -t, which count processes and threads that already run. */
#ifndef PERFEX_ATTACH_MODE_H
#define PERFEX_ATTACH_MODE_H

#include "report/output.h"
#include "stats/report_spec.h"

/**
 * count_processes() - count processes that run already, or a thread
 * @events: the events, with counters assigned
 * @request: the request of the command line. The count lasts until all processes have exited, the
 *	time is over, or a signal that would end perfex comes.
 * @output: the output of the report
 *
 * Each process has its own handle.
 *
 * Return: the exit status for perfex: 0, or an enum perfex_status after a
 * complaint.
 */
int count_processes(const struct events *events, const struct request *request,
		    struct output *output);

#endif /* PERFEX_ATTACH_MODE_H */
