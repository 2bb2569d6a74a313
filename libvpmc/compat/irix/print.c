// SPDX-License-Identifier: LGPL-2.1-or-later
/* Implement print_counters(), print_costs() and load_costs() of libperfex. */
#include <stdbool.h>

#include "libperfex.h"
#include "libperfex_call.h"
#include "libperfex_report.h"

/* load_costs() stores the costs here. */
static struct perfexint_costs loaded;
static bool has_loaded;

static struct perfexint_counts counts_of(const struct perfexint_call *call,
					 long long c0, long long c1)
{
	return (struct perfexint_counts){
		.pmu = vpmc_pmu_of(call->vpmc),
		.nr = PERFEXINT_PAIR,
		.sel = { call->sel[0], call->sel[1] },
		.count = { (uint64_t)c0, (uint64_t)c1 },
		.is_signed = true,
	};
}

int print_counters(int e0, long long c0, int e1, long long c1)
{
	struct perfexint_counts counts;
	struct perfexint_call call;
	int ret = perfexint_begin(&call, e0, e1);

	if (!ret) {
		counts = counts_of(&call, c0, c1);
		perfexint_print_counts(stderr, &counts);
	}
	return perfexint_end(&call, ret);
}

static int choose_costs(const struct perfexint_call *call,
			struct perfexint_costs *costs, struct vpmc_error *err)
{
	if (has_loaded) {
		*costs = loaded;
		return 0;
	}
	return perfexint_default_costs(vpmc_pmu_of(call->vpmc), costs, err);
}

static int print_times(struct perfexint_call *call, long long c0, long long c1)
{
	const struct perfexint_counts counts = counts_of(call, c0, c1);
	struct perfexint_costs costs;
	const struct perfexint_times times = {
		.costs = &costs,
		.mhz = perfexint_mhz(PERFEXINT_CPUINFO),
	};

	if (choose_costs(call, &costs, &call->err))
		return -1;
	if (!(times.mhz > 0))
		return perfexint_fail(call, VPMC_E_UNSUPPORTED,
				      "/proc/cpuinfo does not say how many MHz"
				      " the processor has: use"
				      " print_counters()");
	perfexint_print_times(stderr, &counts, &times);
	return 0;
}

int print_costs(int e0, long long c0, int e1, long long c1)
{
	struct perfexint_call call;
	int ret = perfexint_begin(&call, e0, e1);

	if (!ret)
		ret = print_times(&call, c0, c1);
	return perfexint_end(&call, ret);
}

int load_costs(char *CostFileName)
{
	struct perfexint_call call = { .vpmc = NULL };
	struct perfexint_costs costs;

	call.vpmc = perfexint_handle(&call.err);
	if (!call.vpmc ||
	    perfexint_default_costs(vpmc_pmu_of(call.vpmc), &costs,
				    &call.err) ||
	    perfexint_load_costs(&costs, CostFileName, &call.err))
		return perfexint_end(&call, -1);
	loaded = costs;
	has_loaded = true;
	return perfexint_end(&call, 0);
}
