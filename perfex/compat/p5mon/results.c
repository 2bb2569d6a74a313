// SPDX-License-Identifier: GPL-2.0-only
/* Collect the counts of all executions, and compute their statistics. */
#include "results.h"

#include <math.h>
#include <stdlib.h>

#include "run_p5mon.h"
#include "stats/statistics.h"

static unsigned int number_of_places(const struct parameters *parameters)
{
	return parameters->use_assembly_regions ? parameters->max_regions : 1;
}

int open_results(struct results *results, const struct parameters *parameters)
{
	size_t i;

	*results = (struct results){ .parameters = parameters };
	for (i = 0; i < NR_EVENTS; i++) {
		if (parameters->event[i])
			results->number[results->nr++] = events[i].number;
	}
	/* The values of a repetition are at most 31200 bytes. calloc() checks the product. */
	results->values =
		calloc(parameters->repetitions,
		       (size_t)number_of_places(parameters) * results->nr *
			       sizeof(*results->values));
	return results->values ? 0 : complain_memory();
}

void close_results(struct results *results)
{
	free(results->values);
}

uint64_t *value_of(const struct results *results, unsigned int region,
		   unsigned int event, unsigned int repetition)
{
	const size_t row = (size_t)region * results->nr + event;

	return &results->values[row * results->parameters->repetitions +
				repetition];
}

bool is_used(const struct results *results, unsigned int region)
{
	return results->region[region].entered ||
	       results->region[region].exited;
}

unsigned int number_of_regions(const struct results *results)
{
	unsigned int i, nr = 0;

	for (i = 0; i < P5MON_REGIONS; i++)
		nr += is_used(results, i);
	return nr;
}

/*
 * Compute an interval as in p5mon's published reports. They use a table of t with three digits at
 * n degrees of freedom, and the deviation of a whole population of n values. Such intervals are
 * too narrow, because both numbers should use n - 1 for a sample.
 */
static double published_interval(const struct statistic *statistic,
				 unsigned int confidence)
{
	return round(student(confidence, statistic->nr) * 1000) / 1000 *
	       sqrt(statistic->squares) / statistic->nr;
}

static double interval(const struct statistic *statistic,
		       const struct parameters *parameters)
{
	unsigned int confidence =
		parameters->level_99 ? HIGH_CONFIDENCE : CONFIDENCE;

	if (parameters->published_intervals)
		return published_interval(statistic, confidence);
	if (statistic->nr < 2)
		return NAN;
	return student(confidence, statistic->nr - 1) *
	       sqrt(variance_of_mean(statistic));
}

static double ratio(double a, double b)
{
	return b > 0 ? a / b : NAN;
}

struct estimate estimate_of(const struct results *results, unsigned int region,
			    unsigned int event)
{
	const struct parameters *parameters = results->parameters;
	struct statistic statistic = { .nr = 0 };
	struct estimate estimate;
	unsigned int i;

	for (i = 0; i < parameters->repetitions; i++)
		add_value(&statistic, *value_of(results, region, event, i));
	estimate.average = average_of(&statistic);
	estimate.interval = interval(&statistic, parameters);
	estimate.percent = ratio(100 * estimate.interval, estimate.average);
	estimate.per_entry = ratio(estimate.average,
				   (double)results->region[region].entered);
	return estimate;
}
