/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the statistics of one number over several runs. */
#ifndef PERFEX_STATISTICS_H
#define PERFEX_STATISTICS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Confidence intervals have one of these confidences, in per cent. There is a table of
 * Student's t for each.
 */
#define CONFIDENCE	95
#define HIGH_CONFIDENCE 99

/**
 * struct statistic - statistic of the values so far; zeroed before the first value
 * @confidence: confidence of intervals, CONFIDENCE or HIGH_CONFIDENCE; the functions below
 *	do not change it
 * @nr: number of values
 * @first: the first value. The other values are measured from it, so that large numbers that
 *	differ little keep all their digits.
 * @min: the smallest value
 * @max: the largest value
 * @mean: mean of the differences from @first
 * @squares: sum of the squares of the distances from the mean
 * @values: NULL, or memory of the caller that receives all values
 * @sorted: memory for order_of(), as large as @values
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
 * struct order - order statistics of values
 * @median: the middle value, or the mean of the middle two, rounded down
 * @is_half: true if @median was rounded down from a half
 * @outliers: number of values whose distance from the quartiles is more than 1.5 times the
 *	distance between the quartiles
 */
struct order {
	uint64_t median;
	bool is_half;
	unsigned int outliers;
};

/**
 * struct summary - the summary of several values in a report
 * @nr: number of values, two or more
 * @mean: their mean
 * @deviation: their deviation_of()
 * @min: the smallest value
 * @max: the largest value
 */
struct summary {
	unsigned int nr;
	double mean;
	double deviation;
	uint64_t min;
	uint64_t max;
};

/* add_value() - add a value */
void add_value(struct statistic *statistic, uint64_t value);

/**
 * restore_values() - make a statistic from a report's summary
 * @statistic: receives the statistic, without the values of the runs; its confidence does not
 *	change
 * @summary: the report's summary
 */
void restore_values(struct statistic *statistic, const struct summary *summary);

/* mean_of() - compute the mean, rounded to a whole number */
uint64_t mean_of(const struct statistic *statistic);

/* average_of() - compute the mean as a floating-point number */
double average_of(const struct statistic *statistic);

/* deviation_of() - estimate the standard deviation of all possible runs from these runs */
double deviation_of(const struct statistic *statistic);

/* variance_of_mean() - estimate the variance of the mean; 0 for fewer than two values */
double variance_of_mean(const struct statistic *statistic);

/**
 * order_of() - find the median and count the outliers
 * @statistic: statistic of one value or more, with @values
 */
struct order order_of(const struct statistic *statistic);

/**
 * student() - compute Student's t
 * @confidence: CONFIDENCE or HIGH_CONFIDENCE
 * @freedom: degrees of freedom, 1 or more; may be fractional
 *
 * Return: the limit that the absolute value of t does not exceed in @confidence per cent of all
 * cases.
 */
double student(unsigned int confidence, double freedom);

/**
 * interval_of() - compute how far the mean of all possible runs may be from the mean of these
 * runs
 * @statistic: statistic of two values or more
 *
 * This distance is the half-width of the confidence interval by Student's t distribution, which
 * assumes that values are distributed normally. It is 0 for fewer than two values.
 */
double interval_of(const struct statistic *statistic);

#endif /* PERFEX_STATISTICS_H */
