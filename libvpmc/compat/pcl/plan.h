/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header declares how PCL's events become events of the processor, and how counts
 * become results.
 */
#ifndef PCL_PLAN_H
#define PCL_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "make_up.h"
#include "pcl.h"
#include "vpmc.h"

/* The most events in a sum. */
#define PCLINT_TERMS 4

/* Index of the time stamp counter, behind all counts. */
#define PCLINT_TSC_INDEX VPMC_COUNTS_MAX

/**
 * struct pclint_sum - a sum of counts
 * @nr: how many terms
 * @index: of each, in the counts
 * @sign: 1 or -1
 */
struct pclint_sum {
	unsigned int nr;
	unsigned int index[PCLINT_TERMS];
	int sign[PCLINT_TERMS];
};

/**
 * struct pclint_value - how a result is worked out
 * @event: of PCL
 * @sum: of counts
 * @per: of a ratio, what that is divided by
 * @factor: of a ratio, what the quotient is multiplied with
 */
struct pclint_value {
	int event;
	struct pclint_sum sum;
	struct pclint_sum per;
	double factor;
};

/**
 * struct pclint_plan - what is counted for a list of PCL's events
 * @sel: events of the processor, each once, with their counters; may be none
 * @nr_sel: how many
 * @value: the results, in the order of the list
 * @nr_values: how many
 */
struct pclint_plan {
	struct vpmc_event_sel sel[VPMC_COUNTS_MAX];
	size_t nr_sel;
	struct pclint_value value[PCL_MAX_EVENT_PER_CALL];
	int nr_values;
};

/**
 * struct pclint_counts - counts at one moment, or since one
 * @count: of the events of a plan; at PCLINT_TSC_INDEX the time stamp counter
 */
struct pclint_counts {
	uint64_t count[VPMC_COUNTS_MAX + 1];
};

/**
 * struct pclint_processor - where a plan is to work
 * @pmu: the counters
 * @machine: the processor
 * @family: what PCL's events are made of there
 * @mhz: its rate, 0 if it is not known
 */
struct pclint_processor {
	const struct vpmc_pmu *pmu;
	struct vpmc_machine machine;
	const struct pclint_family *family;
	int mhz;
};

/* pclint_status() - what PCL's functions return for an error of libvpmc */
int pclint_status(enum vpmc_code code);

/**
 * pclint_make_plan() - find out how to count events
 * @plan: receives the plan; undefined after an error
 * @processor: where
 * @events: of PCL
 * @nr: how many
 * @modes: enum vpmc_modes bits
 *
 * Return: PCL_SUCCESS, PCL_NOT_SUPPORTED, PCL_TOO_MANY_EVENTS, PCL_ILL_EVENT,
 * PCL_FAILURE (@nr is less than 1).
 */
int pclint_make_plan(struct pclint_plan *plan,
		     const struct pclint_processor *processor,
		     const int *events, int nr, unsigned int modes);

/* pclint_integer() - a result that is a count */
PCL_CNT_TYPE pclint_integer(const struct pclint_value *value,
			    const struct pclint_counts *counts);

/* pclint_ratio() - a result that is a ratio */
PCL_FP_CNT_TYPE pclint_ratio(const struct pclint_value *value,
			     const struct pclint_counts *counts);

#endif /* PCL_PLAN_H */
