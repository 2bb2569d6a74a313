// SPDX-License-Identifier: GPL-2.0-only
/* Choose the events that perfex.irix counts. */
#include "irix_events.h"

#include <string.h>

/*
 * -a adds these events last, if there is room. They are matches of debug registers, which
 * programs do not set, and sums of other events.
 */
static const char *const last_names[] = {
	"breakpoint_match_dr0",	 "breakpoint_match_dr1",
	"breakpoint_match_dr2",	 "breakpoint_match_dr3",
	"data_read_or_write",	 "data_read_or_write_miss",
	"data_cache_snoop_hits",
};

/* -a adds the events of the generic names first, for example instructions and branches. */
enum rank { COMMON, OTHER, LAST, RANKS };

static enum rank rank_of(const struct vpmc_pmu *pmu,
			 const struct vpmc_event_info *info)
{
	const struct vpmc_named_event *generic;
	unsigned int i;

	for (i = 0; i < sizeof(last_names) / sizeof(last_names[0]); i++) {
		if (!strcmp(last_names[i], info->name))
			return LAST;
	}
	for (i = 0; (generic = vpmc_generic_event(pmu, i)); i++) {
		if (!generic->refusal && generic->info.code == info->code &&
		    generic->info.counters == info->counters)
			return COMMON;
	}
	return OTHER;
}

/* Add an event, and distribute counters. Returns whether there is room. */
static bool add_event(struct events *events, const struct vpmc_event_sel *sel)
{
	struct vpmc_event_sel all[VPMC_COUNTS_MAX];

	if (events->nr == VPMC_COUNTS_MAX)
		return false;
	memcpy(all, events->sel, events->nr * sizeof(*all));
	all[events->nr] = *sel;
	if (vpmc_event_distribute(events->pmu, all, events->nr + 1, NULL))
		return false;
	events->sel[events->nr++] = *sel;
	return true;
}

/* Move the last event to its place in the table. @place has the place of each event. */
static void sort_last(struct events *events, size_t place[VPMC_COUNTS_MAX],
		      size_t own_place)
{
	const struct vpmc_event_sel sel = events->sel[events->nr - 1];
	size_t i = events->nr - 1;

	for (; i && place[i - 1] > own_place; i--) {
		events->sel[i] = events->sel[i - 1];
		place[i] = place[i - 1];
	}
	events->sel[i] = sel;
	place[i] = own_place;
}

static bool select_event(const struct events *events, const char *name,
			 unsigned int modes, const struct vpmc_machine *machine,
			 struct vpmc_event_sel *sel)
{
	return !vpmc_event_parse(events->pmu, name, modes, sel, NULL) &&
	       !vpmc_event_never(events->pmu, machine, sel);
}

/* Add all events that can happen, in the order of the table, until there is no room. */
static void add_events(struct events *events, unsigned int modes,
		       const struct vpmc_machine *machine,
		       unsigned int *left_out)
{
	const struct vpmc_event_info *info;
	size_t place[VPMC_COUNTS_MAX], nr, i;
	struct vpmc_event_sel sel;
	enum rank rank;

	info = vpmc_event_table(events->pmu, &nr);
	for (rank = COMMON; rank < RANKS; rank++) {
		for (i = 0; i < nr; i++) {
			if (rank_of(events->pmu, &info[i]) != rank ||
			    !select_event(events, info[i].name, modes, machine,
					  &sel))
				continue;
			if (add_event(events, &sel))
				sort_last(events, place, i);
			else
				++*left_out;
		}
	}
}

static int choose_all(const struct irix_options *options,
		      const struct vpmc_machine *machine, struct events *events,
		      unsigned int *left_out)
{
	struct vpmc_error err;

	add_events(events, options->count.modes, machine, left_out);
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

/* Return the names of the environment variables of the events, for complaints. */
static const char *owner_of(const struct irix_options *options)
{
	return !options->nr_events && (perfexint_environment(0) ||
				       perfexint_environment(1))
		       ? "T5_EVENT0 and T5_EVENT1"
		       : "";
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
					   : owner_of(options),
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
