// SPDX-License-Identifier: LGPL-2.1-or-later
/* Look up the costs of an event, and estimate times from counts. */
#include "libperfex_costs.h"

#include <string.h>
#include <unistd.h>

#include "libperfex_events.h"

static const struct {
	const char *pmu;
	const struct perfexint_cost *cost;
	const size_t *nr;
} builtin[] = {
	{ "p5", perfexint_p5_costs, &perfexint_nr_p5_costs },
	{ "p5mmx", perfexint_p5_costs, &perfexint_nr_p5_costs },
};

static struct perfexint_cost *find(struct perfexint_cost *event, size_t nr,
				   const char *name)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		if (!strcmp(event[i].name, name))
			return &event[i];
	}
	return NULL;
}

/* Set the cost of clocks, which is one clock on every processor. */
static void set_cycles(struct perfexint_costs *costs)
{
	struct perfexint_cost *cost;
	struct vpmc_event_sel sel;

	if (vpmc_event_parse(costs->pmu, PERFEXINT_CYCLES, VPMC_USER, &sel,
			     NULL))
		return;
	cost = find(costs->event, costs->nr, perfexint_name(costs->pmu, &sel));
	if (cost)
		*cost = (struct perfexint_cost){ .name = cost->name,
						 .cost = { 1, 1, 1 } };
}

static void set_family(struct perfexint_costs *costs,
		       const struct perfexint_cost *cost, size_t nr)
{
	struct perfexint_cost *event;
	size_t i;

	for (i = 0; i < nr; i++) {
		event = find(costs->event, costs->nr, cost[i].name);
		if (event)
			*event = cost[i];
	}
}

void perfexint_builtin_costs(const struct vpmc_pmu *pmu,
			     struct perfexint_costs *costs)
{
	const struct vpmc_event_info *info = vpmc_event_table(pmu, &costs->nr);
	size_t i;

	costs->pmu = pmu;
	if (costs->nr > PERFEXINT_COSTS_MAX)
		costs->nr = PERFEXINT_COSTS_MAX;
	for (i = 0; i < costs->nr; i++)
		costs->event[i] =
			(struct perfexint_cost){ .name = info[i].name,
						 .cost = { 0, 0, 1 } };
	set_cycles(costs);
	for (i = 0; i < sizeof(builtin) / sizeof(builtin[0]); i++) {
		if (!strcmp(builtin[i].pmu, vpmc_pmu_name(pmu)))
			set_family(costs, builtin[i].cost, *builtin[i].nr);
	}
}

int perfexint_default_costs(const struct vpmc_pmu *pmu,
			    struct perfexint_costs *costs,
			    struct vpmc_error *err)
{
	perfexint_builtin_costs(pmu, costs);
	if (access(PERFEXINT_COSTS_FILE, F_OK))
		return 0;
	return perfexint_load_costs(costs, PERFEXINT_COSTS_FILE, err);
}

double perfexint_clocks(const struct perfexint_costs *costs, const char *name,
			enum perfexint_extent extent, double mhz)
{
	const struct perfexint_cost *event =
		find((struct perfexint_cost *)costs->event, costs->nr, name);

	if (!event)
		return 0;
	if (event->unit == PERFEXINT_NSEC)
		return event->cost[extent] * mhz / 1000;
	return event->cost[extent];
}
