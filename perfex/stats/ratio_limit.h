/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How large the ratios of --compare may be.
 */
#ifndef PERFEX_RATIO_LIMIT_H
#define PERFEX_RATIO_LIMIT_H

#include "cli/options.h"
#include "stats/compare_ratios.h"

/**
 * add_limit() - take an argument of --limit in, or a part of one with commas
 * @options: receives it
 * @text: "RATIO", or "NAME=RATIO" for an event or a resource; it stays where it is
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int add_limit(struct options *options, const char *text);

/**
 * check_limits() - see that what has a limit is compared
 * @options: the command line
 * @events: what is counted
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int check_limits(const struct options *options, const struct events *events);

/**
 * judge_limits() - say which ratios exceed their limits
 * @options: the command line
 * @comparison: what is compared
 *
 * Return: 0; PERFEX_LIMIT if there are some; or PERFEX_UNLIKE if there is no ratio where
 * there is a limit.
 */
int judge_limits(const struct options *options,
		 const struct comparison *comparison);

#endif /* PERFEX_RATIO_LIMIT_H */
