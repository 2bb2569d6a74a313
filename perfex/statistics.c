// SPDX-License-Identifier: GPL-2.0-only
/* See statistics.h. Means and squares after Welford (1962): no sum gets large. */
#include "statistics.h"

#include <math.h>
#include <stddef.h>

#define NR_STUDENT 30

/**
 * struct student - Student's t of one level, two-sided
 * @normal: what it comes near to
 * @table: by degrees of freedom from 1
 */
struct student {
	double normal;
	double table[NR_STUDENT];
};

static const struct student level_95 = {
	1.95996,
	{ 12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060,
	  2.2622,  2.2281, 2.2010, 2.1788, 2.1604, 2.1448, 2.1314, 2.1199,
	  2.1098,  2.1009, 2.0930, 2.0860, 2.0796, 2.0739, 2.0687, 2.0639,
	  2.0595,  2.0555, 2.0518, 2.0484, 2.0452, 2.0423 },
};

static const struct student level_99 = {
	2.57583,
	{ 63.6567, 9.9248, 5.8409, 4.6041, 4.0321, 3.7074, 3.4995, 3.3554,
	  3.2498,  3.1693, 3.1058, 3.0545, 3.0123, 2.9768, 2.9467, 2.9208,
	  2.8982,  2.8784, 2.8609, 2.8453, 2.8314, 2.8188, 2.8073, 2.7969,
	  2.7874,  2.7787, 2.7707, 2.7633, 2.7564, 2.7500 },
};

/*
 * It is nearly straight in 1 / freedom: between two of the table on a line, and beyond
 * it by its series, exact to four digits.
 */
static double student(const struct student *level, double freedom)
{
	const double z = level->normal, *t = level->table;
	const size_t n = (size_t)freedom;

	if (n < NR_STUDENT)
		return t[n - 1] + (t[n] - t[n - 1]) * (freedom - (double)n) *
					  (double)(n + 1) / freedom;
	return z + (pow(z, 3) + z) / (4 * freedom) +
	       (5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z) /
		       (96 * pow(freedom, 2)) +
	       (3 * pow(z, 7) + 19 * pow(z, 5) + 17 * pow(z, 3) - 15 * z) /
		       (384 * pow(freedom, 3));
}

double student_95(double freedom)
{
	return student(&level_95, freedom);
}

double student_99(double freedom)
{
	return student(&level_99, freedom);
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
