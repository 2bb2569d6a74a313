/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the value of a metric. All reports show it, each in its own form. */
#ifndef PERFEX_METRIC_VALUE_H
#define PERFEX_METRIC_VALUE_H

#include "report/report.h"

/**
 * struct derived - a number that is derived from counts
 * @name: of it
 * @unit: of it
 * @has_value: there is one
 * @value: the number, as text
 * @low: if it is projected from one run, what it is at least, as text; else empty
 * @high: and at most, with VPMC_CONFIDENCE per cent
 * @share: of the time in which the least of its events was counted, see struct figure
 * @note: why there is no number, or what there is to say of it; empty for nothing
 */
struct derived {
	const char *name;
	const char *unit;
	bool has_value;
	char value[32];
	char low[32];
	char high[32];
	unsigned int share;
	char note[400];
};

/**
 * get_metric() - work out one of the numbers
 * @report: the report
 * @i: which one, from 0
 * @derived: receives it
 *
 * Return: whether there are more than @i.
 */
bool get_metric(const struct report *report, size_t i, struct derived *derived);

#endif /* PERFEX_METRIC_VALUE_H */
