// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Implement start_counters() and read_counters() of libperfex.
 *
 * The driver knows the events and the start of the counts, so this file does not keep a
 * state.
 */
#include <limits.h>

#include "libperfex.h"
#include "libperfex_call.h"

/*
 * Return whether a counted event is the wanted event. If the wanted event has no counter,
 * the driver has chosen its counter.
 */
static int is_event(const struct vpmc_event_sel *counted,
		    const struct vpmc_event_sel *wanted)
{
	return counted->code == wanted->code &&
	       counted->modes == wanted->modes &&
	       (counted->counter == wanted->counter ||
		wanted->counter == VPMC_ANY_COUNTER);
}

/* Convert a generation to a positive int. */
static int shortened(uint64_t generation)
{
	return (int)(generation % INT_MAX) + 1;
}

static int start(struct vpmc *vpmc, const struct vpmc_event_sel *sel,
		 struct vpmc_error *err)
{
	if (vpmc_start(vpmc, sel, PERFEXINT_PAIR, VPMC_FORCE, err))
		return -1;
	return shortened(vpmc_start_id(vpmc));
}

int start_counters(int e0, int e1)
{
	struct perfexint_call call;
	int ret = perfexint_begin(&call, e0, e1);

	if (!ret)
		ret = start(call.vpmc, call.sel, &call.err);
	return perfexint_end(&call, ret);
}

/* Check that the thread counts these two events, in this order. */
static int check_events(struct perfexint_call *call)
{
	struct vpmc_event_set set;

	if (vpmc_events(call->vpmc, VPMC_THREAD, &set, &call->err))
		return -1;
	if (set.nr == PERFEXINT_PAIR && is_event(&set.sel[0], &call->sel[0]) &&
	    is_event(&set.sel[1], &call->sel[1]))
		return 0;
	return perfexint_fail(call, VPMC_E_NOT_STARTED,
			      "the counted events are not those to be read:"
			      " give read_counters() the numbers that"
			      " start_counters() was given");
}

/* Read the thread's count first, so that it contains as little as possible of this function. */
static int read_all(struct perfexint_call *call, struct vpmc_counts *counts)
{
	struct vpmc_counts children;

	call->vpmc = perfexint_handle(&call->err);
	if (!call->vpmc ||
	    vpmc_read(call->vpmc, VPMC_THREAD, counts, &call->err) ||
	    vpmc_read(call->vpmc, VPMC_CHILDREN, &children, &call->err) ||
	    vpmc_counts_add(counts, &children, &call->err))
		return -1;
	return 0;
}

int read_counters(int e0, long long *c0, int e1, long long *c1)
{
	struct vpmc_counts counts;
	struct perfexint_call call;

	if (read_all(&call, &counts) || perfexint_begin(&call, e0, e1) ||
	    check_events(&call) || vpmc_stop(call.vpmc, &call.err))
		return perfexint_end(&call, -1);
	*c0 = (long long)counts.count[0];
	*c1 = (long long)counts.count[1];
	return shortened(counts.start);
}
