/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the statistics of one number over several runs. */
#ifndef PERFEX_STATISTICS_H
#define PERFEX_STATISTICS_H

#include <stdbool.h>
#include <stdint.h>

/* Of confidence intervals, in per cent; there is a table of Student's t for each. */
#define CONFIDENCE	95
#define HIGH_CONFIDENCE 99

/**
 * struct statistic - of the values so far; zeroed before the first
 * @confidence: of intervals, CONFIDENCE or HIGH_CONFIDENCE; that is left as it is
 * @nr: how many there are
 * @first: the first one, from which the others are measured: large numbers that
 *	differ little keep all their digits
 * @min: the smallest
 * @max: the largest
 * @mean: of the differences from @first
 * @squares: sum of the squares of the distances from the mean
 * @values: NULL, or room of the caller's for all of them, in which they are kept
 * @sorted: like @values, room for order_of()
 */
struct statistic {
	unsigned int confidence;
	unsigned int nr;
	uint64_t first;
	uint64_t min;
	uint64_t max;
	double mean;
	double squares;
	uint64_t *values;
	uint64_t *sorted;
};

/**
 * struct order - what the order of values says of them
 * @median: the middle one, or the mean of the middle two, rounded down
 * @is_half: whether one half was cut off
 * @outliers: how many are farther from the quartiles than 1.5 times the distance of these
 */
struct order {
	uint64_t median;
	bool is_half;
	unsigned int outliers;
};

/**
 * struct summary - what a report says of several values
 * @nr: how many there are, two or more
 * @mean: of them
 * @deviation: from deviation_of()
 * @min: the smallest
 * @max: the largest
 */
struct summary {
	unsigned int nr;
	double mean;
	double deviation;
	uint64_t min;
	uint64_t max;
};

/* add_value() - take one more value in */
void add_value(struct statistic *statistic, uint64_t value);

/**
 * restore_values() - make a statistic of what a report says of its values
 * @statistic: receives it; its confidence is left as it is, and it keeps no values
 * @summary: what the report says
 */
void restore_values(struct statistic *statistic, const struct summary *summary);

/* mean_of() - the mean, rounded to a whole number */
uint64_t mean_of(const struct statistic *statistic);

/* average_of() - the mean, as near as a floating-point number is */
double average_of(const struct statistic *statistic);

/* deviation_of() - the standard deviation of all possible runs, estimated like this one */
double deviation_of(const struct statistic *statistic);

/* variance_of_mean() - estimated; 0 of fewer than two values */
double variance_of_mean(const struct statistic *statistic);

/**
 * order_of() - find the median and count the outliers
 * @statistic: of one value or more, which it has kept
 */
struct order order_of(const struct statistic *statistic);

/**
 * student() - Student's t
 * @confidence: CONFIDENCE or HIGH_CONFIDENCE
 * @freedom: degrees of freedom, 1 or more, and not always a whole number
 *
 * Return: what it does not exceed in so many per cent of all cases, on both sides.
 */
double student(unsigned int confidence, double freedom);

/**
 * interval_of() - how far the mean of all possible runs may be from that of these
 * @statistic: of two values or more
 *
 * The half-width of the confidence interval, by Student's t distribution: of
 * values that are spread normally. 0 of fewer than two.
 */
double interval_of(const struct statistic *statistic);

#endif /* PERFEX_STATISTICS_H */
