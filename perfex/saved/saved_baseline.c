// SPDX-License-Identifier: GPL-2.0-only
/* Read the saved reports that --compare compares commands with. */
#include "saved/saved_baseline.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "stats/event_value.h"
#include "util/clock.h"

#define PURPOSE "compare with"

/* The name of a report has this ending. */
#define ENDING ".json"

/* A code without a name in any table has this name. */
#define NO_NAME "raw"

/* The reports are kept until perfex ends. */
static struct saved_report saved[COMMANDS_MAX];

static int complain_unlike(const struct saved_report *report, const char *why)
{
	complain("cannot " PURPOSE " %s: %s", report->file, why);
	return PERFEX_UNLIKE;
}

static bool is_report(char *const *words)
{
	const size_t length = strlen(*words), end = strlen(ENDING);

	return !words[1] && length > end &&
	       !strcmp(*words + length - end, ENDING);
}

/* Keep a report, which the reader would otherwise free. */
static int keep_report(struct saved_report *report, void *arg)
{
	struct saved_report *kept = arg;

	if (kept->nr_events)
		return complain_saved(PURPOSE, report->file, report->line,
				      "is a second report: save each report to"
				      " its own file, without --append");
	*kept = *report;
	*report = (struct saved_report){ .file = kept->file };
	return 0;
}

int load_saved(struct count_spec *spec)
{
	size_t i, nr = 0;
	int status = 0;

	for (i = 0; !status && i < spec->nr_commands; i++) {
		if (!is_report(spec->commands[i]))
			continue;
		spec->saved[i] = &saved[i];
		status = read_saved_reports(PURPOSE, *spec->commands[i],
					    keep_report, &saved[i]);
		nr++;
	}
	if (status || !nr || nr < spec->nr_commands)
		return status;
	complain("--compare needs a command that is run: a word that ends in"
		 " \"" ENDING "\" is a saved report");
	return PERFEX_USAGE;
}

const char *name_saved_event(struct saved_report *report, size_t i)
{
	struct saved_event *event = &report->event[i];
	const bool is_code = !strcmp(event->name, NO_NAME);
	char *text;
	int length;

	length = is_code ? asprintf(&text, "0x%" PRIx64 ":%s", event->code,
				    event->modes)
			 : asprintf(&text, "%s:%s", event->name, event->modes);
	event->selects = length < 0 ? NULL : text;
	return event->selects;
}

/*
 * Check that this kind of processor has counted the report, because all numbers depend on the
 * processor.
 */
static int check_processor(const struct saved_report *report,
			   const struct events *events)
{
	const char *machine = events->emulated ? "emulated" : "hardware";

	if (!report->processor || !report->machine)
		return complain_unlike(report, "it does not say which processor"
					       " counted, so save it again with"
					       " --json of this perfex");
	if (!strcmp(report->processor, events->processor) &&
	    !strcmp(report->machine, machine))
		return 0;
	complain("cannot " PURPOSE " %s: its counts are of another processor,"
		 " %s (%s), and this one is %s (%s)",
		 report->file, report->processor, report->machine,
		 events->processor, machine);
	return PERFEX_UNLIKE;
}

/*
 * Find the event with the name of event @i, preferably in its modes. Returns NULL if the report
 * does not have the name.
 */
static const struct saved_event *find_event(const struct saved_report *report,
					    const struct events *events,
					    size_t i)
{
	const struct saved_event *found = NULL, *event;
	char modes[EVENT_MODES_MAX];
	size_t j;

	event_modes(events, i, modes);
	for (j = 0; j < report->nr_events; j++) {
		event = &report->event[j];
		if (strcmp(event->name, event_title(events, i)) != 0)
			continue;
		if (!found || (!strcmp(event->modes, modes) &&
			       (strcmp(found->modes, event->modes) != 0 ||
				event->code == events->sel[i].code)))
			found = event;
	}
	return found;
}

static int complain_event(const struct saved_report *report, const char *name,
			  const char *why)
{
	complain("cannot " PURPOSE " %s: %s %s", report->file, name, why);
	return PERFEX_UNLIKE;
}

/*
 * Check that the report has the values of all runs of a mean, because its interval is computed
 * from them.
 */
static int check_values(const struct saved_report *report,
			const struct saved_event *event,
			const struct saved_event *first)
{
	if (event->is_mean != (event->nr_values > 0))
		return complain_unlike(report, "it does not have the count of"
					       " each run, so save it again"
					       " with --json of this perfex");
	if (event->nr_values == first->nr_values)
		return 0;
	return complain_unlike(report, "its events have different numbers of"
				       " runs, so save it again, or choose one"
				       " with -e");
}

/* Check that the report has the same event, and that it was counted all the time. */
static int check_event(const struct saved_report *report,
		       const struct events *events, size_t i)
{
	const struct saved_event *event = find_event(report, events, i);
	char name[EVENT_NAME_MAX], why[EVENT_NAME_MAX + 64];
	char modes[EVENT_MODES_MAX];

	event_name(events, i, name);
	if (!event)
		return complain_event(report, name,
				      "is missing there: count only events"
				      " that it has, or save it again");
	if (strcmp(event->modes, event_modes(events, i, modes)) != 0) {
		snprintf(why, sizeof(why),
			 "is counted there in other modes (%s): use these, or"
			 " save it again",
			 event->modes);
		return complain_event(report, name, why);
	}
	if (event->code != events->sel[i].code) {
		snprintf(why, sizeof(why),
			 "has another code there (0x%" PRIx64
			 "): save it again",
			 event->code);
		return complain_event(report, name, why);
	}
	if (!event->has_value) {
		snprintf(why, sizeof(why), "has no count there (%.60s)",
			 event->missing);
		return complain_event(report, name, why);
	}
	if (event->share < WHOLE)
		return complain_event(report, name,
				      "is projected there: save it again with"
				      " --runs instead of --multiplex");
	return check_values(report, event, find_event(report, events, 0));
}

static int check_events(const struct saved_report *report,
			const struct events *events)
{
	int status = check_processor(report, events);
	size_t i;

	for (i = 0; !status && i < events->nr; i++)
		status = check_event(report, events, i);
	return status;
}

static void add_values(struct statistic *statistic,
		       const struct saved_event *event)
{
	size_t i;

	if (!event->nr_values)
		add_value(statistic, event->value);
	for (i = 0; i < event->nr_values; i++)
		add_value(statistic, event->values[i]);
}

static const struct saved_resource *
find_resource(const struct saved_report *report, const char *name)
{
	size_t i;

	for (i = 0; i < report->nr_resources; i++) {
		if (!strcmp(report->resource[i].name, name))
			return &report->resource[i];
	}
	return NULL;
}

static uint64_t whole(double value, double unit)
{
	return (uint64_t)llround(value * unit);
}

/*
 * Tell whether a mean is possible: the sum of all runs is at least the largest value. The mean
 * and the largest value are rounded, each by less than half of its value.
 */
static bool can_be_mean(const struct saved_resource *resource)
{
	return resource->mean >= resource->min &&
	       resource->mean <= resource->max &&
	       resource->mean * resource->runs * 2 >= resource->max;
}

/*
 * Add a resource. The report has its statistics, but not the values of each run. With
 * --runs, a resource has more runs than the events.
 */
static int add_resource(struct series *series,
			const struct saved_report *report, size_t i)
{
	const char *name = resource_name(i);
	const struct saved_resource *resource = find_resource(report, name);
	const double unit = resource_is_time(i) ? (double)US_PER_S : 1;

	if (!resource)
		return complain_event(report, name,
				      "is missing there: leave --times out, or"
				      " save it again with --times");
	if (resource->runs < 2) {
		add_value(&series->resource[i], whole(resource->value, unit));
		return 0;
	}
	if (!resource->has_mean)
		return complain_event(report, name,
				      "has only a rounded mean there: save it"
				      " again with --json of this perfex");
	if (!can_be_mean(resource))
		return complain_unlike(report,
				       "it is damaged: a mean is not between"
				       " the smallest and the largest value");
	restore_values(&series->resource[i],
		       &(struct summary){
			       .nr = resource->runs,
			       .mean = resource->mean * unit,
			       .deviation = resource->deviation * unit,
			       .min = whole(resource->min, unit),
			       .max = whole(resource->max, unit),
		       });
	return 0;
}

int begin_saved(struct series *series, const struct saved_report *report,
		const struct events *events, const struct request *request)
{
	struct request own = *request;
	int status = check_events(report, events);
	size_t i;

	if (status)
		return status;
	own.count.runs = (unsigned int)find_event(report, events, 0)->nr_values;
	status = begin_series(series, events->nr, &own);
	for (i = 0; !status && i < events->nr; i++) {
		series->share[i] = WHOLE;
		add_values(&series->event[i], find_event(report, events, i));
	}
	for (i = 0; !status && request->report.resources && i < NR_RESOURCES;
	     i++)
		status = add_resource(series, report, i);
	series->runs = series->wanted;
	return status;
}
