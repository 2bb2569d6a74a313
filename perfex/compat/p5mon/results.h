/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the counts of all executions, and their statistics. */
#ifndef P5MON_RESULTS_H
#define P5MON_RESULTS_H

#include "parameters.h"
#include "run.h"

/**
 * struct results - the results of all executions
 * @parameters: the parameters
 * @nr: number of events that were counted
 * @number: EVENT number of each event in libp5mon
 * @region: entries and exits of each region in the first execution
 * @values: the counts, see value_of()
 * @executions: number of counted executions
 * @run_seconds: total duration of these executions
 * @seconds: duration of the measurement
 */
struct results {
	const struct parameters *parameters;
	unsigned int nr;
	EVENT number[NR_EVENTS];
	struct region_counts region[P5MON_REGIONS];
	uint64_t *values;
	unsigned int executions;
	double run_seconds;
	double seconds;
};

/**
 * open_results() - prepare the results for the parameters
 * @results: receives empty results, for close_results()
 * @parameters: the parameters, which must stay valid
 *
 * Return: 0, or PERFEX_SYSTEM after a complaint.
 */
int open_results(struct results *results, const struct parameters *parameters);

/* close_results() - free the memory of results */
void close_results(struct results *results);

/**
 * value_of() - find a count
 * @results: the results
 * @region: number of the region; 0 for the whole command if there are no regions
 * @event: index of the event
 * @repetition: index of the repetition, from 0
 */
uint64_t *value_of(const struct results *results, unsigned int region,
		   unsigned int event, unsigned int repetition);

/* is_used() - tell whether the command has entered or left a region */
bool is_used(const struct results *results, unsigned int region);

/* number_of_regions() - count the regions that are used */
unsigned int number_of_regions(const struct results *results);

/**
 * struct estimate - statistics of an event
 * @average: average over all repetitions
 * @interval: half-width of the confidence interval; NaN with one repetition
 * @percent: the interval in per cent of the average; NaN if the average is 0
 * @per_entry: average for each entry into the region
 */
struct estimate {
	double average;
	double interval;
	double percent;
	double per_entry;
};

/* estimate_of() - compute the statistics of an event, with arguments as for value_of() */
struct estimate estimate_of(const struct results *results, unsigned int region,
			    unsigned int event);

#endif /* P5MON_RESULTS_H */
