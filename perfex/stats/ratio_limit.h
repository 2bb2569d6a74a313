/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the limits for the ratios of --compare. */
#ifndef PERFEX_RATIO_LIMIT_H
#define PERFEX_RATIO_LIMIT_H

#include "stats/compare_ratios.h"
#include "stats/report_spec.h"

/**
 * add_limit() - add one of the limits in an argument of --limit
 * @spec: receives the limit
 * @text: "RATIO", or "NAME=RATIO" for an event or a resource; it must stay valid
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int add_limit(struct report_spec *spec, const char *text);

/**
 * check_limits() - check that all names in limits are compared
 * @spec: the options of reporting
 * @events: the events that are counted
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int check_limits(const struct report_spec *spec, const struct events *events);

/**
 * judge_limits() - print the ratios that exceed their limits
 * @spec: the options of reporting
 * @comparison: the ratios
 *
 * Return: 0; PERFEX_LIMIT if a ratio exceeds its limit; or PERFEX_UNLIKE if a limit does
 * not have a ratio to judge.
 */
int judge_limits(const struct report_spec *spec,
		 const struct comparison *comparison);

#endif /* PERFEX_RATIO_LIMIT_H */
