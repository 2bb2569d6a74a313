// SPDX-License-Identifier: GPL-2.0-only
/* See irix_events.h. */
#include "irix_events.h"

#include <string.h>

/*
 * -a takes these last, when there is room: matches of debug registers, which programs do
 * not set, and what other events have in them.
 */
static const char *const last_names[] = {
	"breakpoint_match_dr0",	 "breakpoint_match_dr1",
	"breakpoint_match_dr2",	 "breakpoint_match_dr3",
	"data_read_or_write",	 "data_read_or_write_miss",
	"data_cache_snoop_hits",
};

static bool is_last(const struct vpmc_event_info *info)
{
	size_t i;

	for (i = 0; i < sizeof(last_names) / sizeof(last_names[0]); i++) {
		if (!strcmp(last_names[i], info->name))
			return true;
	}
	return false;
}

/* Adds an event, with a counter for each; returns whether there is room. */
static bool add_event(struct events *events, const struct vpmc_event_sel *sel)
{
	struct vpmc_event_sel all[VPMC_COUNTS_MAX];
	size_t i;

	if (events->nr == VPMC_COUNTS_MAX)
		return false;
	for (i = 0; i < events->nr; i++) {
		all[i] = events->sel[i];
		all[i].counter = VPMC_ANY_COUNTER;
	}
	all[events->nr] = *sel;
	if (vpmc_event_distribute(events->pmu, all, events->nr + 1, NULL))
		return false;
	events->sel[events->nr++] = *sel;
	return true;
}

static bool select_event(const struct events *events, const char *name,
			 unsigned int modes, const struct vpmc_machine *machine,
			 struct vpmc_event_sel *sel)
{
	return !vpmc_event_parse(events->pmu, name, modes, sel, NULL) &&
	       !vpmc_event_never(events->pmu, machine, sel);
}

/* All that can happen here, as far as there is room; those with @last or those without. */
static void add_events(struct events *events, unsigned int modes,
		       const struct vpmc_machine *machine, bool last,
		       unsigned int *left_out)
{
	const struct vpmc_event_info *info;
	struct vpmc_event_sel sel;
	size_t nr, i;

	info = vpmc_event_table(events->pmu, &nr);
	for (i = 0; i < nr; i++) {
		if (is_last(&info[i]) == last &&
		    select_event(events, info[i].name, modes, machine, &sel) &&
		    !add_event(events, &sel))
			++*left_out;
	}
}

static int choose_all(const struct irix_options *options,
		      const struct vpmc_machine *machine, struct events *events,
		      unsigned int *left_out)
{
	struct vpmc_error err;

	add_events(events, options->count.modes, machine, false, left_out);
	add_events(events, options->count.modes, machine, true, left_out);
	if (vpmc_event_distribute(events->pmu, events->sel, events->nr, &err))
		return complain_vpmc(&err);
	events->shared = true;
	return 0;
}

static const char *text_of(const struct irix_options *options, unsigned int i)
{
	const char *text = options->event[i];

	if (!text && !options->nr_events)
		text = perfexint_environment(i);
	return text ? text : PERFEXINT_CYCLES;
}

static int choose_pair(const struct irix_options *options,
		       const struct vpmc_machine *machine,
		       struct events *events)
{
	const char *const text[PERFEXINT_PAIR] = { text_of(options, 0),
						   text_of(options, 1) };
	struct vpmc_error err;

	if (perfexint_select(events->pmu, text, options->count.modes,
			     events->sel, &err))
		return complain_of(err.code == VPMC_E_COUNTER_TAKEN
					   ? "conflicting counters"
					   : "",
				   &err, usual_hint(&err));
	for (events->nr = 0; events->nr < PERFEXINT_PAIR; events->nr++)
		events->never[events->nr] = vpmc_event_never(
			events->pmu, machine, &events->sel[events->nr]);
	return 0;
}

int irix_choose_events(struct vpmc *vpmc, const struct irix_options *options,
		       struct events *events, unsigned int *left_out)
{
	struct vpmc_machine machine;
	struct vpmc_error err;

	*events = (struct events){ .pmu = vpmc_pmu_of(vpmc) };
	*left_out = 0;
	if (vpmc_info(vpmc, &machine, &err))
		return complain_vpmc(&err);
	return options->all ? choose_all(options, &machine, events, left_out)
			    : choose_pair(options, &machine, events);
}
