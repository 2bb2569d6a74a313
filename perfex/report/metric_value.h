/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the value of a metric. Reports of all forms show it. */
#ifndef PERFEX_METRIC_VALUE_H
#define PERFEX_METRIC_VALUE_H

#include "report/report.h"

/**
 * struct derived - a number that is computed from counts
 * @name: name of the number
 * @unit: unit of the number
 * @has_value: true if there is a value
 * @value: the value, as text
 * @low: lowest value as text if the value is projected from one run; else empty
 * @high: highest value like @low, with VPMC_CONFIDENCE per cent
 * @share: share of the time in which its least counted event was counted, see struct figure
 * @note: reason why there is no value, or a remark; may be empty
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
 * get_metric() - compute a metric
 * @report: the report
 * @i: index of the metric, from 0
 * @derived: receives the metric
 *
 * Return: false if there are only @i metrics.
 */
bool get_metric(const struct report *report, size_t i, struct derived *derived);

#endif /* PERFEX_METRIC_VALUE_H */
