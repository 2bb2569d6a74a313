/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the ratio of the mean of several runs to that of other runs. */
#ifndef PERFEX_RATIO_H
#define PERFEX_RATIO_H

#include <stdbool.h>

#include "stats/statistics.h"

/**
 * struct ratio - one mean divided by another
 * @value: of the means
 * @is_exact: the numbers are the same in all runs, two or more, so that this one would be
 *	in any others
 * @has_interval: there are the following two
 * @confidence: of the interval, in per cent
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
 * get_ratio() - divide means
 * @ratio: receives it. There is no interval if one of them is of a single run, or if
 *	the numbers of @base are spread so widely that it might be 0.
 * @statistic: of the dividend
 * @base: of the divisor; the interval is of its confidence
 *
 * Return: whether the divisor is not 0.
 */
bool get_ratio(struct ratio *ratio, const struct statistic *statistic,
	       const struct statistic *base);

#endif /* PERFEX_RATIO_H */
