// SPDX-License-Identifier: GPL-2.0-only
/* Check ratios against the limits that the user has set. */
#include "stats/ratio_limit.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "stats/event_value.h"
#include "stats/run_series.h"
#include "stats/rusage.h"

/* The text on the certainty of an excess has at most this many bytes. */
#define SURE_MAX (2 * RATIO_MAX + 120)

/* Tell whether a limit has the name @name. A limit without a name applies to all events. */
static bool is_of(const struct limit *limit, const char *name)
{
	return limit->length == strlen(name) &&
	       !strncasecmp(limit->name, name, limit->length);
}

static int check_last(const struct report_spec *spec)
{
	const struct limit *last = &spec->limits[spec->nr_limits - 1];
	const struct limit *limit;

	for (limit = spec->limits; limit < last; limit++) {
		if (limit->length != last->length ||
		    strncasecmp(limit->name, last->name, last->length) != 0)
			continue;
		complain("--limit is given twice for %.*s: give it once",
			 last->length ? (int)last->length : INT_MAX,
			 last->length ? last->name : "all events");
		return PERFEX_USAGE;
	}
	return 0;
}

/* Add a limit. Search the last "=", because the name of an event can contain one, too. */
int add_limit(struct report_spec *spec, const char *text)
{
	const char *equals = strrchr(text, '=');
	const char *number = equals ? equals + 1 : text;
	char *end;
	const double ratio = strtod(number, &end);

	if (end == number || *end || !isfinite(ratio) || ratio <= 0 ||
	    equals == text) {
		complain("\"%s\" is not a limit: give RATIO or EVENT=RATIO"
			 " after --limit, for example 1.02",
			 text);
		return PERFEX_USAGE;
	}
	if (spec->nr_limits == LIMITS_MAX) {
		complain("too many limits: give %d at most", LIMITS_MAX);
		return PERFEX_USAGE;
	}
	spec->limits[spec->nr_limits++] = (struct limit){
		.name = text,
		.length = equals ? (size_t)(equals - text) : 0,
		.ratio = ratio,
	};
	return check_last(spec);
}

/* Return how exactly a limit names an event: 2 with its modes, 1 without modes, 0 not at all. */
static unsigned int names_event(const struct limit *limit,
				const struct events *events, size_t i)
{
	char name[EVENT_NAME_MAX];

	event_name(events, i, name);
	if (is_of(limit, name))
		return 2;
	return is_of(limit, event_title(events, i)) ? 1 : 0;
}

static bool is_compared(const struct limit *limit, const struct events *events,
			const struct report_spec *spec)
{
	size_t i;

	for (i = 0; i < events->nr; i++) {
		if (names_event(limit, events, i))
			return true;
	}
	for (i = 0; spec->resources && i < NR_RESOURCES; i++) {
		if (is_of(limit, resource_name(i)))
			return true;
	}
	return false;
}

int check_limits(const struct report_spec *spec, const struct events *events)
{
	const struct limit *limit = spec->limits;
	size_t i;

	for (i = 0; i < spec->nr_limits; i++, limit++) {
		if (!limit->length || is_compared(limit, events, spec))
			continue;
		complain(
			"--limit has \"%.*s\", which is not compared: name it as"
			" the report does, and give --times for times and"
			" resources",
			(int)limit->length, limit->name);
		return PERFEX_USAGE;
	}
	return 0;
}

/* Return how exactly a limit names a ratio, or 0 if the limit does not name it. */
static unsigned int exactness(const struct limit *limit,
			      const struct events *events,
			      const struct relation *relation)
{
	unsigned int named;

	if (relation->resource)
		return is_of(limit, relation->resource);
	if (!limit->length)
		return 1;
	named = names_event(limit, events, relation->event);
	return named ? named + 1 : 0;
}

/*
 * Return the limit that names a ratio most exactly, whatever the order of limits; NULL if no
 * limit names it.
 */
static const struct limit *limit_of(const struct report_spec *spec,
				    const struct events *events,
				    const struct relation *relation)
{
	const struct limit *found = NULL, *limit = spec->limits;
	unsigned int most = 0, own;
	size_t i;

	for (i = 0; i < spec->nr_limits; i++, limit++) {
		own = exactness(limit, events, relation);
		if (own <= most)
			continue;
		most = own;
		found = limit;
	}
	return found;
}

/* Print whether chance may be the reason for the excess. */
static void print_sure(char text[SURE_MAX], const struct relation *relation,
		       double limit)
{
	const struct ratio *ratio = &relation->ratio;
	char low[RATIO_MAX], high[RATIO_MAX];

	if (!ratio->has_interval) {
		snprintf(text, SURE_MAX, "%s", relation->note);
		return;
	}
	print_ratio(low, ratio->low);
	print_ratio(high, ratio->high);
	snprintf(text, SURE_MAX, "%s to %s (%u %%)%s", low, high,
		 ratio->confidence,
		 ratio->low > limit ? ", all above the limit"
				    : ", so chance may be the reason: try more"
				      " runs");
}

/* Return the limit's number as the user wrote it. */
static const char *text_of(const struct limit *limit)
{
	return limit->length ? limit->name + limit->length + 1 : limit->name;
}

static int complain_limit(const struct relation *relation, const char *name,
			  size_t command, const struct limit *limit)
{
	const double ratio = relation->ratio.value;
	char value[RATIO_MAX], sure[SURE_MAX];

	print_ratio(value, ratio);
	/* Print more digits if the rounded ratio does not exceed the limit. */
	if (strtod(value, NULL) <= limit->ratio)
		snprintf(value, sizeof(value), "%.15g", ratio);
	print_sure(sure, relation, limit->ratio);
	complain("%s of command %zu is %s times that of command 1, which"
		 " exceeds the limit of %s (%s)",
		 name, command + 1, value, text_of(limit), sure);
	return PERFEX_LIMIT;
}

/* Tell whether the ratio is infinite: only the number of command 1 is zero. */
static bool is_infinite(const struct comparison *comparison,
			const struct relation *relation, size_t command)
{
	const struct report *report = &comparison->report[command];
	struct figure figure;

	if (!relation->has_none)
		return false;
	if (relation->resource)
		return report->series->resource[relation->resource_nr].max;
	figure = figure_of_total(report, relation->event);
	return figure.statistic ? figure.statistic->max : figure.count;
}

static int judge(const struct report_spec *spec,
		 const struct comparison *comparison,
		 const struct relation *relation, size_t command)
{
	const struct events *events = comparison->report->events;
	const struct limit *limit = limit_of(spec, events, relation);
	char name[EVENT_NAME_MAX];

	if (!limit)
		return 0;
	if (relation->resource)
		snprintf(name, sizeof(name), "%s", relation->resource);
	else
		event_name(events, relation->event, name);
	if (relation->has_value)
		return relation->ratio.value > limit->ratio
			       ? complain_limit(relation, name, command, limit)
			       : 0;
	if (relation->has_none && !is_infinite(comparison, relation, command))
		return 0;
	if (relation->has_none) {
		complain("%s of command %zu exceeds the limit of %s, because"
			 " command 1 has none",
			 name, command + 1, text_of(limit));
		return PERFEX_LIMIT;
	}
	complain("%s of command %zu has no ratio, so its limit cannot be"
		 " checked: %s",
		 name, command + 1, relation->note);
	return PERFEX_UNLIKE;
}

int judge_limits(const struct report_spec *spec,
		 const struct comparison *comparison)
{
	struct relation relation;
	int status = 0, found;
	size_t i, j;

	for (i = 0; get_relation(comparison, i, 1, &relation); i++) {
		for (j = 1; j < comparison->nr; j++) {
			get_relation(comparison, i, j, &relation);
			found = judge(spec, comparison, &relation, j);
			if (found && status != PERFEX_LIMIT)
				status = found;
		}
	}
	return status;
}
