/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perfex -p.
 */
#ifndef PERFEX_PROCESS_H
#define PERFEX_PROCESS_H

#include "options.h"
#include "output.h"

/**
 * count_process() - count a process that runs already
 * @vpmc: a handle that nothing was started on
 * @events: with counters assigned
 * @options: the command line. The count lasts until the process has exited, the
 *	time is over, or a signal comes that would end perfex.
 * @output: where to print the counts
 *
 * Return: the exit status for perfex: 0, or an enum perfex_status after a
 * complaint.
 */
int count_process(struct vpmc *vpmc, const struct events *events,
		  const struct options *options, struct output *output);

#endif /* PERFEX_PROCESS_H */
