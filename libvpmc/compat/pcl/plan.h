/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header declares how PCL's events are converted to events of the processor, and how
 * counts are converted to results.
 */
#ifndef PCL_PLAN_H
#define PCL_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "make_up.h"
#include "pcl.h"
#include "vpmc.h"

/* A sum has at most this number of events. */
#define PCLINT_TERMS 4

/* The time stamp counter has this index, after all counts. */
#define PCLINT_TSC_INDEX VPMC_COUNTS_MAX

/**
 * struct pclint_sum - a sum of counts
 * @nr: number of terms
 * @index: for each term, its index in the counts
 * @sign: for each term, 1 or -1
 */
struct pclint_sum {
	unsigned int nr;
	unsigned int index[PCLINT_TERMS];
	int sign[PCLINT_TERMS];
};

/**
 * struct pclint_value - the rule for computing a result
 * @event: number of PCL's event
 * @sum: sum of counts
 * @per: for a ratio, the divisor
 * @factor: for a ratio, the factor of the quotient
 */
struct pclint_value {
	int event;
	struct pclint_sum sum;
	struct pclint_sum per;
	double factor;
};

/**
 * struct pclint_plan - the events to count for a list of PCL's events
 * @sel: events of the processor with their counters, without duplicates; may be empty
 * @nr_sel: number of @sel
 * @value: the results, in the order of the list
 * @nr_values: number of @value
 */
struct pclint_plan {
	struct vpmc_event_sel sel[VPMC_COUNTS_MAX];
	size_t nr_sel;
	struct pclint_value value[PCL_MAX_EVENT_PER_CALL];
	int nr_values;
};

/**
 * struct pclint_counts - counts at one moment, or since a moment
 * @count: counts of the events of a plan; the time stamp counter at PCLINT_TSC_INDEX
 */
struct pclint_counts {
	uint64_t count[VPMC_COUNTS_MAX + 1];
};

/**
 * struct pclint_processor - the processor of a plan
 * @pmu: its family of counters
 * @machine: its description
 * @family: the make-ups of PCL's events on it
 * @mhz: its clock rate, or 0 if the rate is not known
 */
struct pclint_processor {
	const struct vpmc_pmu *pmu;
	struct vpmc_machine machine;
	const struct pclint_family *family;
	int mhz;
};

/* pclint_status() - convert an error of libvpmc into one of PCL's */
int pclint_status(enum vpmc_code code);

/**
 * pclint_make_plan() - find out how to count events
 * @plan: receives the plan; undefined after an error
 * @processor: the processor
 * @events: numbers of PCL's events
 * @nr: number of @events
 * @modes: enum vpmc_modes bits
 *
 * Return: PCL_SUCCESS, PCL_NOT_SUPPORTED, PCL_TOO_MANY_EVENTS, PCL_ILL_EVENT,
 * PCL_FAILURE (@nr is less than 1).
 */
int pclint_make_plan(struct pclint_plan *plan,
		     const struct pclint_processor *processor,
		     const int *events, int nr, unsigned int modes);

/* pclint_integer() - compute a result that is a count */
PCL_CNT_TYPE pclint_integer(const struct pclint_value *value,
			    const struct pclint_counts *counts);

/* pclint_ratio() - compute a result that is a ratio */
PCL_FP_CNT_TYPE pclint_ratio(const struct pclint_value *value,
			     const struct pclint_counts *counts);

#endif /* PCL_PLAN_H */
