// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compute means and their intervals. Means and squares are updated by Welford's method (1962),
 * which avoids large sums.
 */
#include "stats/statistics.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The tables have values for up to this many degrees of freedom. */
#define NR_FREEDOM 30

/**
 * struct student - Student's t, two-sided
 * @confidence: in per cent
 * @normal: limit for infinitely many degrees of freedom
 * @t: values, indexed by degrees of freedom less 1
 */
static const struct student {
	unsigned int confidence;
	double normal;
	double t[NR_FREEDOM];
} tables[] = {
	{ CONFIDENCE,
	  1.95996,
	  {
		  12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469,
		  2.3646,  2.3060, 2.2622, 2.2281, 2.2010, 2.1788,
		  2.1604,  2.1448, 2.1314, 2.1199, 2.1098, 2.1009,
		  2.0930,  2.0860, 2.0796, 2.0739, 2.0687, 2.0639,
		  2.0595,  2.0555, 2.0518, 2.0484, 2.0452, 2.0423,
	  } },
	{ HIGH_CONFIDENCE,
	  2.57583,
	  {
		  63.6567, 9.9248, 5.8409, 4.6041, 4.0321, 3.7074,
		  3.4995,  3.3554, 3.2498, 3.1693, 3.1058, 3.0545,
		  3.0123,  2.9768, 2.9467, 2.9208, 2.8982, 2.8784,
		  2.8609,  2.8453, 2.8314, 2.8188, 2.8073, 2.7969,
		  2.7874,  2.7787, 2.7707, 2.7633, 2.7564, 2.7500,
	  } },
};

/*
 * Compute Student's t. It is nearly linear in 1 / freedom, so interpolate between the values of
 * the table. The result may be slightly too high, but never too low. Beyond the table, use the
 * series of t, which is exact to four digits.
 */
double student(unsigned int confidence, double freedom)
{
	const struct student *table = &tables[confidence == HIGH_CONFIDENCE];
	const double z = table->normal, z2 = z * z;
	const double *const t = table->t;
	const size_t n = (size_t)freedom;

	if (n < NR_FREEDOM)
		return t[n - 1] + (t[n] - t[n - 1]) * (freedom - (double)n) *
					  (double)(n + 1) / freedom;
	return z + z * (z2 + 1) / (4 * freedom) +
	       z * ((5 * z2 + 16) * z2 + 3) / (96 * freedom * freedom) +
	       z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) /
		       (384 * freedom * freedom * freedom);
}

void add_value(struct statistic *statistic, uint64_t value)
{
	double difference, distance;

	if (!statistic->nr) {
		statistic->first = value;
		statistic->min = value;
		statistic->max = value;
	}
	if (value < statistic->min)
		statistic->min = value;
	if (value > statistic->max)
		statistic->max = value;
	if (statistic->values)
		statistic->values[statistic->nr] = value;
	difference = value >= statistic->first
			     ? (double)(value - statistic->first)
			     : -(double)(statistic->first - value);
	distance = difference - statistic->mean;
	statistic->mean += distance / ++statistic->nr;
	statistic->squares += distance * (difference - statistic->mean);
}

void restore_values(struct statistic *statistic, const struct summary *summary)
{
	statistic->nr = summary->nr;
	statistic->first = summary->min;
	statistic->min = summary->min;
	statistic->max = summary->max;
	statistic->mean = summary->mean - (double)summary->min;
	statistic->squares =
		summary->deviation * summary->deviation * (summary->nr - 1);
}

uint64_t mean_of(const struct statistic *statistic)
{
	const double mean = round(statistic->mean);

	return mean >= 0 ? statistic->first + (uint64_t)mean
			 : statistic->first - (uint64_t)-mean;
}

static int compare_values(const void *a, const void *b)
{
	const uint64_t *const first = a, *const second = b;

	return (*first > *second) - (*first < *second);
}

/*
 * Compute the difference between a quartile of the sorted values and the first value,
 * interpolated between two values. Subtracting before the interpolation keeps all digits of large
 * numbers that differ little.
 */
static double quartile(const uint64_t *sorted, unsigned int nr,
		       unsigned int quarters)
{
	const uint64_t place = (uint64_t)(nr - 1) * quarters;
	const uint64_t *const value = sorted + place / 4;
	const double above = (double)(*value - *sorted);

	return place % 4 ? above + (double)(value[1] - *value) *
					   (double)(place % 4) / 4
			 : above;
}

struct order order_of(const struct statistic *statistic)
{
	const unsigned int nr = statistic->nr;
	uint64_t *const sorted = statistic->sorted;
	struct order order = { .outliers = 0 };
	double low, high, distance, above;
	unsigned int i;

	memcpy(sorted, statistic->values, nr * sizeof(*sorted));
	qsort(sorted, nr, sizeof(*sorted), compare_values);
	order.median = sorted[(nr - 1) / 2];
	order.is_half = (sorted[nr / 2] - order.median) % 2;
	order.median += (sorted[nr / 2] - order.median) / 2;
	low = quartile(sorted, nr, 1);
	high = quartile(sorted, nr, 3);
	distance = 1.5 * (high - low);
	for (i = 0; i < nr; i++) {
		above = (double)(sorted[i] - *sorted);
		order.outliers +=
			above < low - distance || above > high + distance;
	}
	return order;
}

double average_of(const struct statistic *statistic)
{
	return (double)statistic->first + statistic->mean;
}

double deviation_of(const struct statistic *statistic)
{
	return sqrt(variance_of_mean(statistic) * statistic->nr);
}

double variance_of_mean(const struct statistic *statistic)
{
	if (statistic->nr < 2)
		return 0;
	return statistic->squares / (statistic->nr - 1) / statistic->nr;
}

double interval_of(const struct statistic *statistic)
{
	if (statistic->nr < 2)
		return 0;
	return student(statistic->confidence, statistic->nr - 1) *
	       sqrt(variance_of_mean(statistic));
}
