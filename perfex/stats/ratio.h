/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the ratio of the means of two series of runs. */
#ifndef PERFEX_RATIO_H
#define PERFEX_RATIO_H

#include <stdbool.h>

#include "stats/statistics.h"

/**
 * struct ratio - one mean divided by another
 * @value: ratio of the means
 * @is_exact: true if both series have two or more runs, and each number is the same in all runs
 *	of its series. Such a ratio is not expected to vary.
 * @has_interval: true if the following members are valid
 * @confidence: confidence of the interval, in per cent
 * @low: its lower end
 * @high: its upper end
 */
struct ratio {
	double value;
	bool is_exact;
	bool has_interval;
	unsigned int confidence;
	double low;
	double high;
};

/**
 * get_ratio() - compute the ratio of two means
 * @ratio: receives the ratio. It does not have an interval if one of the statistics has a single
 *	run, or if the numbers of @base vary so much that their mean may be 0.
 * @statistic: statistic of the dividend
 * @base: statistic of the divisor; the interval has the same confidence
 *
 * Return: true if the divisor is not 0.
 */
bool get_ratio(struct ratio *ratio, const struct statistic *statistic,
	       const struct statistic *base);

#endif /* PERFEX_RATIO_H */
