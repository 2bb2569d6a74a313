// SPDX-License-Identifier: GPL-2.0-only
/* See events.h, and perfex.h for their names. */
#include "events.h"

#include "suggest.h"

const char *event_title(const struct events *events, size_t nr)
{
	const char *given = events->name[nr];

	return *given ? given
		      : vpmc_event_lookup(events->pmu, &events->sel[nr])->name;
}

const char *event_modes(const struct events *events, size_t nr)
{
	const unsigned int modes = events->sel[nr].modes;

	if (modes == VPMC_USER)
		return "u";
	return modes == VPMC_KERNEL ? "k" : "uk";
}

void event_name(const struct events *events, size_t nr,
		char name[EVENT_NAME_MAX])
{
	snprintf(name, EVENT_NAME_MAX, "%s:%s", event_title(events, nr),
		 event_modes(events, nr));
}

/* The option for what libvpmc calls letting events share counters. */
static const char *sharing_hint(const struct vpmc_error *err,
				const struct options *options)
{
	if (options->multiplex || options->system)
		return "";
	return err->code == VPMC_E_TOO_MANY || err->code == VPMC_E_COUNTER_TAKEN
		       ? " (perfex --multiplex)"
		       : "";
}

/* Where the driver chooses, they may. */
static bool share_counters(const struct events *events, bool may)
{
	uint32_t taken = 0;
	size_t i;

	for (i = 0; i < events->nr; i++) {
		if (events->sel[i].counter == VPMC_ANY_COUNTER)
			return may;
		if (taken & 1U << events->sel[i].counter)
			return true;
		taken |= 1U << events->sel[i].counter;
	}
	return false;
}

/* The default is not the user's word for it, so the report has the table's. */
static int parse_event(const struct options *options, struct events *events,
		       size_t i, struct vpmc_error *err)
{
	int ret = vpmc_event_parse(events->pmu, options->events[i],
				   options->modes, &events->sel[i], err);

	events->name[i][0] = '\0';
	if (ret || options->by_default)
		return ret;
	return vpmc_event_name(events->pmu, options->events[i], events->name[i],
			       err);
}

static int complain_event(const struct vpmc_error *err,
			  const struct vpmc_pmu *pmu, const char *text)
{
	char hint[VPMC_EVENT_NAME_MAX];
	const char *name = NULL;

	if (err->code == VPMC_E_UNKNOWN_EVENT)
		name = suggest_event(pmu, text);
	if (!name)
		return complain_vpmc(err);
	snprintf(hint, sizeof(hint),
		 " (did you mean %s? perfex -l lists the events)", name);
	return complain_hint(err, hint);
}

/* What would be counted is nothing that happens: say so before, or in the report. */
static int find_never(struct vpmc *vpmc, const struct options *options,
		      struct events *events)
{
	struct vpmc_machine machine;
	struct vpmc_error err;
	char name[EVENT_NAME_MAX];
	size_t i;

	if (vpmc_info(vpmc, &machine, &err))
		return complain_vpmc(&err);
	events->emulated = machine.emulated;
	for (i = 0; i < events->nr; i++) {
		events->never[i] = vpmc_event_never(events->pmu, &machine,
						    &events->sel[i]);
		if (!events->never[i] || !options->strict)
			continue;
		event_name(events, i, name);
		complain("event %s cannot happen (%s): choose another one, or"
			 " leave out --strict",
			 name, events->never[i]);
		return PERFEX_NEVER;
	}
	return 0;
}

int choose_events(struct vpmc *vpmc, const struct options *options,
		  struct events *events)
{
	struct vpmc_error err;
	size_t i;
	int ret;

	events->pmu = vpmc_pmu_of(vpmc);
	events->nr = options->nr_events;
	for (i = 0; i < events->nr; i++) {
		if (parse_event(options, events, i, &err))
			return complain_event(&err, events->pmu,
					      options->events[i]);
	}
	ret = options->multiplex
		      ? vpmc_event_distribute(events->pmu, events->sel,
					      events->nr, &err)
		      : vpmc_event_assign(events->pmu, events->sel, events->nr,
					  &err);
	if (ret)
		return complain_hint(&err, sharing_hint(&err, options));
	events->shared = share_counters(events, options->multiplex);
	return find_never(vpmc, options, events);
}
