/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the ratio of the mean of several runs to that of other runs. */
#ifndef PERFEX_RATIO_H
#define PERFEX_RATIO_H

#include <stdbool.h>

#include "stats/statistics.h"

/**
 * struct ratio - one mean divided by another
 * @value: ratio of the means
 * @is_exact: true if each of the two numbers is the same in all runs, of which there are
 *	two or more, so that the ratio is not expected to vary
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
 * @ratio: receives the ratio. It does not have an interval if one of them has a single run,
 *	or if the numbers of @base vary so much that their mean may be 0.
 * @statistic: statistic of the dividend
 * @base: statistic of the divisor; its confidence is that of the interval
 *
 * Return: true if the divisor is not 0.
 */
bool get_ratio(struct ratio *ratio, const struct statistic *statistic,
	       const struct statistic *base);

#endif /* PERFEX_RATIO_H */
