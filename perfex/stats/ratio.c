// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compute the ratio of two means, with its confidence interval. The interval is Fieller's (1954).
 * It contains each r for which Student's t test does not distinguish mean - r * base from 0. The
 * degrees of freedom are those of Welch (1947) for two different variances.
 */
#include "stats/ratio.h"

#include <math.h>

static bool is_constant(const struct statistic *statistic)
{
	return statistic->nr > 1 && statistic->min == statistic->max;
}

static double square(double value)
{
	return value * value;
}

static double welch(const struct statistic *statistic,
		    const struct statistic *base, double ratio)
{
	const double own = variance_of_mean(statistic);
	const double other = square(ratio) * variance_of_mean(base);

	/* This test also covers a ratio of 0. */
	if (own <= 0)
		return base->nr - 1;
	return square(own + other) / (square(own) / (statistic->nr - 1) +
				      square(other) / (base->nr - 1));
}

/* Find the interval, whose ends are the roots of a quadratic equation. */
static void find_interval(struct ratio *ratio,
			  const struct statistic *statistic,
			  const struct statistic *base)
{
	const double freedom = welch(statistic, base, ratio->value);
	const double t = student(base->confidence, freedom);
	const double mean = average_of(statistic), divisor = average_of(base);
	const double own = variance_of_mean(statistic);
	const double other = variance_of_mean(base);
	const double a = square(divisor) - square(t) * other;
	double root;

	if (a <= 0)
		return;
	root = t * sqrt(other * square(mean) + own * a);
	ratio->has_interval = true;
	ratio->confidence = base->confidence;
	ratio->low = (divisor * mean - root) / a;
	ratio->high = (divisor * mean + root) / a;
}

bool get_ratio(struct ratio *ratio, const struct statistic *statistic,
	       const struct statistic *base)
{
	*ratio = (struct ratio){ .is_exact = is_constant(statistic) &&
					     is_constant(base) };
	if (!base->max)
		return false;
	ratio->value = average_of(statistic) / average_of(base);
	if (statistic->nr > 1 && base->nr > 1 && !ratio->is_exact)
		find_interval(ratio, statistic, base);
	return true;
}
