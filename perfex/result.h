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
 * struct result - what has been counted
 * @counts: the sum to report
 * @records: of threads, if there are to be lists; its memory is the caller's
 * @running: processes that had not ended when the command had
 */
struct result {
	struct vpmc_counts counts;
	struct records records;
	unsigned int running;
};

/**
 * read_result() - read the counts, and take the records that were not taken yet
 * @vpmc: the handle that stands for the process
 * @options: the command line
 * @result: receives them
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int read_result(struct vpmc *vpmc, const struct options *options,
		struct result *result);

/**
 * report_of() - what there is to report, so far
 * @options: the command line
 * @result: what was counted
 *
 * Return: the report, which uses @result.
 */
struct report report_of(const struct options *options, struct result *result);

#endif /* PERFEX_RESULT_H */
