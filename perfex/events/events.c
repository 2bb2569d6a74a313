// SPDX-License-Identifier: GPL-2.0-only
/* Turn the events of the command line into events to count. */
#include "events/events.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>
#include <strings.h>

#include "events/counted.h"
#include "events/group_metric.h"
#include "events/homonym.h"
#include "events/list.h"
#include "events/perf_names.h"
#include "util/lease.h"
#include "util/suggest.h"

/* A file, a line and a column fit into this many bytes. */
#define PLACE_MAX (PATH_MAX + 32)

const char *event_title(const struct events *events, size_t nr)
{
	const char *given = events->name[nr];

	return *given ? given
		      : vpmc_event_lookup(events->pmu, &events->sel[nr])->name;
}

static const char *levels_of(unsigned int modes)
{
	if (modes & VPMC_PRECISE)
		return "upp";
	if (!(modes & VPMC_KERNEL))
		return "u";
	return modes & VPMC_USER ? "uk" : "k";
}

const char *event_modes(const struct events *events, size_t nr,
			char modes[EVENT_MODES_MAX])
{
	const unsigned int all = events->sel[nr].modes,
			   after = all / VPMC_AFTER(1);

	if (after)
		snprintf(modes, EVENT_MODES_MAX, "%s:after=%u", levels_of(all),
			 after);
	else
		snprintf(modes, EVENT_MODES_MAX, "%s", levels_of(all));
	return modes;
}

void event_name(const struct events *events, size_t nr,
		char name[EVENT_NAME_MAX])
{
	char modes[EVENT_MODES_MAX];

	snprintf(name, EVENT_NAME_MAX, "%s:%s", event_title(events, nr),
		 event_modes(events, nr, modes));
}

/* Returns a hint at perfex's options for sharing counters, which libvpmc's error mentions. */
static const char *sharing_hint(const struct vpmc_error *err,
				const struct count_spec *spec)
{
	if (err->code != VPMC_E_TOO_MANY && err->code != VPMC_E_COUNTER_TAKEN)
		return "";
	if (spec->multiplex || spec->system || spec->regions || spec->exactly)
		return "";
	return spec->nr_pids || spec->processes
		       ? " (perfex --multiplex)"
		       : " (perfex --runs, or --multiplex)";
}

/* Tell whether events share counters. If the driver chooses the counters, they may. */
static bool share_counters(const struct events *events, bool may)
{
	struct vpmc_event_sel sel[EVENTS_MAX];
	const size_t nr = started_events(events, sel);
	uint32_t taken = 0;
	size_t i;

	for (i = 0; i < nr; i++) {
		if (sel[i].counter == VPMC_ANY_COUNTER)
			return may;
		if (taken & 1U << sel[i].counter)
			return true;
		taken |= 1U << sel[i].counter;
	}
	return false;
}

/*
 * Parse an event of vpmc. The user has not chosen the name of the default event, so the report
 * shows the table's name for it.
 */
static int parse_own(const struct count_spec *spec, struct events *events,
		     const char *text, struct vpmc_error *err)
{
	const size_t i = events->nr;
	int ret = vpmc_event_parse(events->pmu, text, spec->modes,
				   &events->sel[i], err);

	events->name[i][0] = '\0';
	if (!ret && !spec->by_default)
		ret = vpmc_event_name(events->pmu, text, events->name[i], err);
	return ret;
}

/* Add the name that the user wrote to the error. */
static int explain_translated(const char *text, const char *translated,
			      struct vpmc_error *err)
{
	const struct vpmc_error own = *err;

	snprintf(err->text, sizeof(err->text),
		 "event \"%.127s\" of perf is %s: %.230s", text, translated,
		 own.text);
	return (int)own.code;
}

/*
 * Parse the translation of an event of perf. The report shows perf's name, or the table's name if
 * the user wrote a code.
 */
static int parse_translated(const struct count_spec *spec,
			    struct events *events, const char *text,
			    const char *translated, struct vpmc_error *err)
{
	int ret = parse_own(spec, events, translated, err);

	if (ret)
		return explain_translated(text, translated, err);
	if (!isdigit((unsigned char)*translated))
		snprintf(events->name[events->nr], VPMC_EVENT_NAME_MAX, "%.*s",
			 (int)strcspn(text, "@:"), text);
	return 0;
}

/* Parse an event. vpmc's own names precede those of perf. */
static int parse_event(const struct count_spec *spec, struct events *events,
		       const char *text, struct vpmc_error *err)
{
	int ret = parse_own(spec, events, text, err);
	char translated[VPMC_EVENT_NAME_MAX];
	const char *reason;

	if (ret &&
	    (err->code == VPMC_E_UNKNOWN_EVENT || err->code == VPMC_E_SYNTAX)) {
		reason = perf_name_refusal(text);
		if (translate_perf_name(text, translated))
			ret = parse_translated(spec, events, text, translated,
					       err);
		else if (reason)
			snprintf(
				err->text, sizeof(err->text),
				"event \"%.127s\" of perf cannot be counted: %s",
				text, reason);
	}
	events->given[events->nr] = spec->by_default ? NULL : text;
	events->nr += !ret;
	return ret;
}

/*
 * Compose the position of an event in an event file, or "" if the event is in the command line.
 */
static void place_of(const struct event_origin *origin, char place[PLACE_MAX])
{
	*place = '\0';
	if (origin->file)
		snprintf(place, PLACE_MAX, "%s:%u:%u", origin->file,
			 origin->line, origin->column);
}

static int complain_event(const struct vpmc_error *err,
			  const struct vpmc_pmu *pmu, const char *text,
			  const struct event_origin *origin)
{
	char hint[VPMC_EVENT_NAME_MAX], place[PLACE_MAX];
	const char *name = NULL;

	if (err->code == VPMC_E_UNKNOWN_EVENT)
		name = suggest_event(pmu, text);
	snprintf(hint, sizeof(hint),
		 name ? " (did you mean %s? perfex -l lists"
			" the events)"
		      : "%s",
		 name ? name : usual_hint(err));
	place_of(origin, place);
	return complain_of(place, err, hint);
}

/*
 * Note which events cannot happen and which are modelled, for the report; with --strict,
 * refuse events that cannot happen.
 */
static int find_never(struct vpmc *vpmc, const struct count_spec *spec,
		      struct events *events)
{
	struct vpmc_machine machine;
	struct vpmc_error err;
	char name[EVENT_NAME_MAX];
	size_t i;

	if (vpmc_info(vpmc, &machine, &err))
		return complain_vpmc(&err);
	events->emulated = machine.emulated;
	print_processor(events->processor, &machine);
	for (i = 0; i < events->nr; i++) {
		events->never[i] = vpmc_event_never(events->pmu, &machine,
						    &events->sel[i]);
		events->emulation[i] =
			vpmc_event_emulation(&machine, &events->sel[i]);
		if (!events->never[i] || !spec->strict)
			continue;
		event_name(events, i, name);
		complain("event %s cannot happen (%s): choose another one, or"
			 " leave out --strict",
			 name, events->never[i]);
		return PERFEX_NEVER;
	}
	return 0;
}

/* Return the reason why the processor has no event for a generic name, or NULL. */
static const char *find_refusal(const struct vpmc_pmu *pmu, const char *text)
{
	const struct vpmc_named_event *event;
	const size_t length = strcspn(text, ":@");
	unsigned int i;

	for (i = 0; (event = vpmc_generic_event(pmu, i)); i++) {
		if (event->refusal && strlen(event->info.name) == length &&
		    !strncasecmp(event->info.name, text, length))
			return event->refusal;
	}
	return NULL;
}

/*
 * Return the index of an earlier event that is the same as the last event. Their names may
 * differ. Return the index of the last event if there is no such event.
 */
static size_t find_same(const struct events *events)
{
	const struct vpmc_event_sel *sel = events->sel;
	const size_t last = events->nr - 1;
	size_t i;

	for (i = 0; i < last; i++) {
		if (sel[i].code == sel[last].code &&
		    sel[i].counter == sel[last].counter &&
		    sel[i].modes == sel[last].modes)
			return i;
	}
	return last;
}

/* Add an event of a group. It is not an error if this processor does not have the event. */
static int add_group_event(const struct count_spec *spec, struct events *events,
			   struct group_event *event)
{
	char place[PLACE_MAX];
	struct vpmc_error err;

	event->refusal = find_refusal(events->pmu, event->selects);
	if (event->refusal)
		return 0;
	if (events->nr == EVENTS_MAX) {
		complain_place(event->file, event->line, event->column,
			       "too many events: count fewer groups at once");
		return PERFEX_TOO_MANY;
	}
	if (parse_event(spec, events, event->selects, &err)) {
		complain_place(event->file, event->line, event->column,
			       err.text);
		return PERFEX_UNKNOWN_EVENT;
	}
	snprintf(place, sizeof(place), "%s:%u:%u", event->file, event->line,
		 event->column);
	warn_of_homonym(place, events->pmu, event->selects);
	if (event->selects != event->text)
		snprintf(events->name[events->nr - 1], VPMC_EVENT_NAME_MAX,
			 "%s", event->text);
	event->number = (int)find_same(events);
	if ((size_t)event->number < events->nr - 1)
		events->nr--;
	return 0;
}

static int add_group_events(const struct count_spec *spec,
			    struct events *events, struct metrics *metrics)
{
	int status = 0;
	size_t i;

	if (!metrics->nr)
		return 0;
	events->metrics = metrics;
	for (i = 0; !status && i < metrics->nr_events; i++)
		status = add_group_event(spec, events, &metrics->event[i]);
	if (status || events->nr)
		return status;
	complain("this processor (%s) has none of the events of the group:"
		 " perfex -l lists those that it has",
		 vpmc_pmu_name(events->pmu));
	return PERFEX_UNKNOWN_EVENT;
}

/* Check each event by itself, because with --runs the events need not be counted together. */
static int check_each(const struct events *events, struct vpmc_error *err)
{
	struct vpmc_event_sel sel;
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < events->nr; i++) {
		sel = events->sel[i];
		ret = vpmc_event_assign(events->pmu, &sel, 1, err);
	}
	return ret;
}

/*
 * Tell whether any event can happen. If no event can happen, all are started, because the driver
 * needs an event.
 */
static bool any_can_happen(const struct events *events)
{
	size_t i = 0;

	while (i < events->nr && events->never[i])
		i++;
	return i < events->nr;
}

/*
 * Distribute events over counters. Events that cannot happen do not take a turn, but must
 * be countable.
 */
static int distribute(struct events *events, struct vpmc_error *err)
{
	struct vpmc_event_sel sel[EVENTS_MAX];
	size_t i, nr, next = 0;
	int ret;

	events->skips = any_can_happen(events);
	nr = started_events(events, sel);
	ret = vpmc_event_distribute(events->pmu, events->sel, events->nr, err);
	if (!ret)
		ret = vpmc_event_distribute(events->pmu, sel, nr, err);
	for (i = 0; !ret && i < events->nr; i++) {
		if (!events->skips || !events->never[i])
			events->sel[i] = sel[next++];
	}
	return ret;
}

static int choose_counters(const struct count_spec *spec, struct events *events)
{
	struct vpmc_error err;
	int ret;

	if (spec->exactly)
		ret = check_each(events, &err);
	else if (spec->multiplex)
		ret = distribute(events, &err);
	else
		ret = vpmc_event_assign(events->pmu, events->sel, events->nr,
					&err);
	if (ret)
		return complain_hint(&err, sharing_hint(&err, spec));
	events->shared =
		!spec->exactly && share_counters(events, spec->multiplex);
	return 0;
}

/* Add an event of the command line, or a metric of a group. */
static int add_event(const struct count_spec *spec, struct events *events,
		     struct metrics *metrics, size_t i)
{
	const char *const text = spec->events[i];
	char place[PLACE_MAX];
	struct vpmc_error err;
	bool found = false;
	int status = 0;

	if (!parse_event(spec, events, text, &err)) {
		events->period[events->nr - 1] = spec->periods[i];
		events->jitter[events->nr - 1] = spec->jitters[i];
		place_of(&spec->origins[i], place);
		warn_of_homonym(place, events->pmu, text);
		return 0;
	}
	if (err.code == VPMC_E_UNKNOWN_EVENT)
		status = load_metric(metrics, events->pmu, text, &found);
	if (status || found)
		return status;
	return complain_event(&err, events->pmu, text, &spec->origins[i]);
}

int choose_events(struct vpmc *vpmc, const struct count_spec *spec,
		  struct metrics *metrics, struct events *events)
{
	int status = 0;
	size_t i;

	events->pmu = vpmc_pmu_of(vpmc);
	events->nr = 0;
	memset(events->period, 0, sizeof(events->period));
	memset(events->jitter, 0, sizeof(events->jitter));
	events->seed = spec->seed;
	events->callers = spec->callers;
	events->at_ticks = spec->at_ticks;
	events->leased = leased_counters();
	events->skips = false;
	events->metrics = NULL;
	for (i = 0; !status && i < spec->nr_events; i++)
		status = add_event(spec, events, metrics, i);
	if (!status)
		status = add_group_events(spec, events, metrics);
	if (!status)
		status = find_never(vpmc, spec, events);
	vpmc_event_call(events->sel, events->given, events->nr);
	return status ? status : choose_counters(spec, events);
}
