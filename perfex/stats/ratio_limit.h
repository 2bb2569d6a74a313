/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the limits for the ratios of --compare. */
#ifndef PERFEX_RATIO_LIMIT_H
#define PERFEX_RATIO_LIMIT_H

#include "stats/compare_ratios.h"
#include "stats/report_spec.h"

/**
 * add_limit() - take an argument of --limit in, or a part of one with commas
 * @spec: receives it
 * @text: "RATIO", or "NAME=RATIO" for an event or a resource; it stays where it is
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int add_limit(struct report_spec *spec, const char *text);

/**
 * check_limits() - see that what has a limit is compared
 * @spec: how to report
 * @events: what is counted
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int check_limits(const struct report_spec *spec, const struct events *events);

/**
 * judge_limits() - say which ratios exceed their limits
 * @spec: how to report
 * @comparison: what is compared
 *
 * Return: 0; PERFEX_LIMIT if a ratio exceeds its limit; or PERFEX_UNLIKE if a limit does
 * not have a ratio to judge.
 */
int judge_limits(const struct report_spec *spec,
		 const struct comparison *comparison);

#endif /* PERFEX_RATIO_LIMIT_H */
