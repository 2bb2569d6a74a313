/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the counts of all executions, and their statistics. */
#ifndef P5MON_RESULTS_H
#define P5MON_RESULTS_H

#include "parameters.h"
#include "run.h"

/**
 * struct results - of all executions
 * @parameters: what was asked for
 * @nr: how many events were counted
 * @number: of each, EVENT of libp5mon
 * @region: of the first execution: how often they were entered and left
 * @values: see value_of()
 * @executions: how often the command was executed and counted
 * @run_seconds: how long these took
 * @seconds: how long all took
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
 * open_results() - prepare for what the parameters ask for
 * @results: for close_results()
 * @parameters: must last
 *
 * Return: 0, or PERFEX_SYSTEM after a complaint.
 */
int open_results(struct results *results, const struct parameters *parameters);

/* close_results() - free their memory */
void close_results(struct results *results);

/**
 * value_of() - a count
 * @results: all of them
 * @region: its number; 0 if there are no regions, for the whole command
 * @event: index
 * @repetition: from 0
 */
uint64_t *value_of(const struct results *results, unsigned int region,
		   unsigned int event, unsigned int repetition);

/* is_used() - whether a region was entered or left */
bool is_used(const struct results *results, unsigned int region);

/* number_of_regions() - how many are used */
unsigned int number_of_regions(const struct results *results);

/**
 * struct estimate - of an event
 * @average: of all repetitions
 * @interval: how far the real value may be from it, in the confidence level; not a
 *	number with one repetition
 * @percent: the interval in percent of the average; not a number if that is 0
 * @per_entry: the average for each time that the region was entered
 */
struct estimate {
	double average;
	double interval;
	double percent;
	double per_entry;
};

/* estimate_of() - the statistics of an event, arguments as those of value_of() */
struct estimate estimate_of(const struct results *results, unsigned int region,
			    unsigned int event);

#endif /* P5MON_RESULTS_H */
