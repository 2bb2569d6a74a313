// SPDX-License-Identifier: GPL-2.0-only
/* See statistics.h. Means and squares after Welford (1962): no sum gets large. */
#include "statistics.h"

#include <math.h>
#include <stddef.h>

/* Student's t for 95 %, two-sided, by degrees of freedom from 1. */
static const double student[] = {
	12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060,
	2.2622,	 2.2281, 2.2010, 2.1788, 2.1604, 2.1448, 2.1314, 2.1199,
	2.1098,	 2.1009, 2.0930, 2.0860, 2.0796, 2.0739, 2.0687, 2.0639,
	2.0595,	 2.0555, 2.0518, 2.0484, 2.0452, 2.0423,
};

#define NR_STUDENT (sizeof(student) / sizeof(student[0]))

/* What it comes near to. */
#define NORMAL 1.95996

/*
 * It is nearly straight in 1 / freedom: between two of the table on a line, and beyond
 * it by its series, exact to four digits.
 */
double student_95(double freedom)
{
	const double z = NORMAL;
	const size_t n = (size_t)freedom;

	if (n < NR_STUDENT)
		return student[n - 1] + (student[n] - student[n - 1]) *
						(freedom - (double)n) *
						(double)(n + 1) / freedom;
	return z + (z * z * z + z) / (4 * freedom) +
	       (5 * z * z * z * z * z + 16 * z * z * z + 3 * z) /
		       (96 * freedom * freedom);
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

uint64_t mean_of(const struct statistic *statistic)
{
	const double mean = round(statistic->mean);

	return mean >= 0 ? statistic->first + (uint64_t)mean
			 : statistic->first - (uint64_t)-mean;
}

double average_of(const struct statistic *statistic)
{
	return (double)statistic->first + statistic->mean;
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
	return student_95(statistic->nr - 1) *
	       sqrt(variance_of_mean(statistic));
}
