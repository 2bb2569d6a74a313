/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What has been counted in a command or a process.
 */
#ifndef PERFEX_RESULT_H
#define PERFEX_RESULT_H

#include "options.h"

/**
 * start_flags() - how to start, for what is to be reported
 * @options: the command line
 *
 * Return: enum vpmc_start_flags bits.
 */
unsigned int start_flags(const struct options *options);

/**
 * report_result() - read the counts and print them
 * @vpmc: the handle that stands for the process
 * @options: the command line
 * @events: what was counted
 * @records: what was recorded so far, if @options ask for records; the others are
 *	taken
 * @out: where to
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int report_result(struct vpmc *vpmc, const struct options *options,
		  const struct events *events, struct records *records,
		  FILE *out);

#endif /* PERFEX_RESULT_H */
