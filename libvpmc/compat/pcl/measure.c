// SPDX-License-Identifier: LGPL-2.1-or-later
/* Implement PCL's high-level interface: PCLquery(), PCLstart(), PCLread() and PCLstop(). */
#include <string.h>

#include "descr.h"

static uint64_t read_tsc(void)
{
	return __builtin_ia32_rdtsc();
}

int PCLquery(PCL_DESCR_TYPE descr, const int *counter_list, int ncounter,
	     unsigned int mode)
{
	struct pclint_plan plan;
	unsigned int modes;
	int status;

	if (!pclint_is_own(descr))
		return PCL_FAILURE;
	status = pclint_modes(mode, &modes);
	if (status)
		return status;
	return pclint_make_plan(&plan, &descr->processor, counter_list,
				ncounter, modes);
}

static int read_counts(PCL_DESCR_TYPE descr, struct pclint_counts *counts)
{
	struct vpmc_counts now;

	counts->count[PCLINT_TSC_INDEX] = read_tsc();
	if (!descr->plan.nr_sel)
		return PCL_SUCCESS;
	if (vpmc_read(descr->vpmc, VPMC_THREAD, &now, NULL))
		return PCL_FAILURE;
	memcpy(counts->count, now.count, sizeof(now.count));
	return PCL_SUCCESS;
}

static int start_first(PCL_DESCR_TYPE descr, const int *events, int nr,
		       unsigned int mode)
{
	struct pclint_level *level = &descr->level[0];
	struct pclint_plan plan;
	unsigned int modes;
	int i, status;

	if (descr->driver == PCLINT_STARTED)
		return PCL_FAILURE;
	status = pclint_modes(mode, &modes);
	if (!status)
		status = pclint_make_plan(&plan, &descr->processor, events, nr,
					  modes);
	if (status)
		return status;
	memset(&level->begin, 0, sizeof(level->begin));
	for (i = 0; i < nr; i++)
		level->value[i] = i;
	level->begin.count[PCLINT_TSC_INDEX] = read_tsc();
	status = pclint_start(descr, plan.sel, plan.nr_sel);
	if (status)
		return status;
	descr->plan = plan;
	descr->mode = mode;
	descr->depth = 1;
	/* The counts of the low-level interface are lost. */
	if (descr->driver == PCLINT_STOPPED)
		descr->driver = PCLINT_OPEN;
	return PCL_SUCCESS;
}

/* Match the events with the events of the outermost start. Each must occur once, in any order. */
static bool match_events(const struct pclint_plan *plan, const int *events,
			 int value[PCL_MAX_EVENT_PER_CALL])
{
	bool taken[PCL_MAX_EVENT_PER_CALL] = { false };
	int i, j;

	for (i = 0; i < plan->nr_values; i++) {
		for (j = 0; j < plan->nr_values; j++) {
			if (!taken[j] && plan->value[j].event == events[i])
				break;
		}
		if (j == plan->nr_values)
			return false;
		taken[j] = true;
		value[i] = j;
	}
	return true;
}

static int start_nested(PCL_DESCR_TYPE descr, const int *events, int nr,
			unsigned int mode)
{
	struct pclint_level level;
	int status;

	if (descr->depth == PCL_MAX_NESTING_LEVEL)
		return PCL_TOO_MANY_NESTINGS;
	if (nr != descr->plan.nr_values || mode != descr->mode || !events ||
	    !match_events(&descr->plan, events, level.value))
		return PCL_TOO_ILL_NESTING;
	status = read_counts(descr, &level.begin);
	if (!status)
		descr->level[descr->depth++] = level;
	return status;
}

int PCLstart(PCL_DESCR_TYPE descr, const int *counter_list, int ncounter,
	     unsigned int mode)
{
	if (!pclint_is_own(descr))
		return PCL_FAILURE;
	return descr->depth ? start_nested(descr, counter_list, ncounter, mode)
			    : start_first(descr, counter_list, ncounter, mode);
}

/* Return whether the caller has passed an array for each kind of result. */
static bool can_store(PCL_DESCR_TYPE descr, const PCL_CNT_TYPE *integers,
		      const PCL_FP_CNT_TYPE *ratios, int nr)
{
	int i;

	if (!pclint_is_own(descr) || !descr->depth ||
	    nr != descr->plan.nr_values)
		return false;
	for (i = 0; i < nr; i++) {
		if (PCL_EVENT_IS_INT(descr->plan.value[i].event) ? !integers
								 : !ratios)
			return false;
	}
	return true;
}

static void store(PCL_DESCR_TYPE descr, const struct pclint_counts *now,
		  PCL_CNT_TYPE *integers, PCL_FP_CNT_TYPE *ratios)
{
	const struct pclint_level *level = &descr->level[descr->depth - 1];
	struct pclint_counts since;
	size_t i;
	int j;

	for (i = 0; i <= PCLINT_TSC_INDEX; i++)
		since.count[i] = now->count[i] - level->begin.count[i];
	for (j = 0; j < descr->plan.nr_values; j++) {
		const struct pclint_value *value =
			&descr->plan.value[level->value[j]];

		if (PCL_EVENT_IS_INT(value->event))
			integers[j] = pclint_integer(value, &since);
		else
			ratios[j] = pclint_ratio(value, &since);
	}
}

int PCLread(PCL_DESCR_TYPE descr, PCL_CNT_TYPE *i_result_list,
	    PCL_FP_CNT_TYPE *fp_result_list, int ncounter)
{
	struct pclint_counts now = { 0 };

	if (!can_store(descr, i_result_list, fp_result_list, ncounter) ||
	    read_counts(descr, &now))
		return PCL_FAILURE;
	store(descr, &now, i_result_list, fp_result_list);
	return PCL_SUCCESS;
}

int PCLstop(PCL_DESCR_TYPE descr, PCL_CNT_TYPE *i_result_list,
	    PCL_FP_CNT_TYPE *fp_result_list, int ncounter)
{
	struct pclint_counts now = { 0 };

	if (!can_store(descr, i_result_list, fp_result_list, ncounter))
		return PCL_FAILURE;
	/*
	 * Stop first, so that the code below is not counted. If the counters were taken away, the
	 * read below fails.
	 */
	if (descr->depth == 1 && descr->plan.nr_sel)
		vpmc_stop(descr->vpmc, NULL);
	if (read_counts(descr, &now)) {
		descr->depth = 0;
		return PCL_FAILURE;
	}
	store(descr, &now, i_result_list, fp_result_list);
	descr->depth--;
	return PCL_SUCCESS;
}
