// SPDX-License-Identifier: GPL-2.0-only
/* Fill in and check saved reports, whatever their form. */
#include "saved/saved_report.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "report/notes.h"
#include "stats/event_value.h"
#include "util/perfex.h"

#define NO_MEMORY "is too much for the memory"

/*
 * Times in seconds and resources are smaller than this limit. In microseconds the limit fits into
 * 63 bits.
 */
#define AMOUNT_LIMIT 1e12

/* Read a whole number. perfex writes only digits. */
static bool read_number(const char *text, uint64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno;
}

/* Read a share from 0 to 1. As in struct figure, a smaller share is never rounded up to WHOLE. */
static bool read_share(const char *text, unsigned int *share)
{
	char *end;
	const double part = strtod(text, &end);

	/* This form of the comparison also rejects NaN. */
	if (end == text || *end || !(part >= 0 && part <= 1))
		return false;
	*share = (unsigned int)(part * WHOLE + 0.5);
	if (part < 1 && *share == WHOLE)
		*share = WHOLE - 1;
	return true;
}

static bool has(const char *field)
{
	return field && *field;
}

/* Return whether a report can have these modes: see event_modes(). */
static bool is_modes(const char *text)
{
	static const char after[] = "u:after=";

	if (!strncmp(text, after, strlen(after))) {
		text += strlen(after);
		return has(text) && strspn(text, "0123456789") == strlen(text);
	}
	return !strcmp(text, "u") || !strcmp(text, "k") || !strcmp(text, "uk");
}

/* Read the interval of a count, if the report has one. */
static const char *read_interval(struct saved_event *event,
				 const char *const field[NR_FIELDS])
{
	event->low = event->high = event->value;
	event->has_interval = has(field[FIELD_LOW]) || has(field[FIELD_HIGH]);
	if (!event->has_interval)
		return NULL;
	if (!has(field[FIELD_LOW]) || !has(field[FIELD_HIGH]) ||
	    !read_number(field[FIELD_LOW], &event->low) ||
	    !read_number(field[FIELD_HIGH], &event->high) ||
	    event->low > event->value || event->high < event->value)
		return "has an interval that does not contain its count";
	return NULL;
}

/* Read either a count with its share, or the reason why there is no count. */
static const char *read_count(struct saved_event *event,
			      const char *const field[NR_FIELDS])
{
	event->has_value = has(field[FIELD_VALUE]);
	event->is_mean = has(field[FIELD_RUNS]);
	if (!event->has_value)
		return has(field[FIELD_NOTE]) ? NULL
					      : "has neither a count nor the"
						" reason why there is none";
	if (!read_number(field[FIELD_VALUE], &event->value))
		return "has a count that is not a whole number below 2^64";
	if (!has(field[FIELD_SHARE]) ||
	    !read_share(field[FIELD_SHARE], &event->share))
		return "has a share that is not from 0 to 1";
	return read_interval(event, field);
}

static const char *read_event(struct saved_event *event,
			      const char *const field[NR_FIELDS])
{
	if (!has(field[FIELD_NAME]) || !has(field[FIELD_MODES]) ||
	    !is_modes(field[FIELD_MODES]) || !has(field[FIELD_CODE]) ||
	    !read_number(field[FIELD_CODE], &event->code))
		return "has an event without a name, modes or code";
	return read_count(event, field);
}

/* Allocate memory for one more event. The caller adds it. */
static bool grow(struct saved_report *report)
{
	const size_t nr = report->nr_events + 1;
	struct saved_event *event =
		reallocarray(report->event, nr, sizeof(*event));
	unsigned int *line;

	if (!event)
		return false;
	report->event = event;
	line = reallocarray(report->event_line, nr, sizeof(*line));
	if (!line)
		return false;
	report->event_line = line;
	return true;
}

const char *add_saved_event(struct saved_report *report, unsigned int line,
			    const char *const field[NR_FIELDS])
{
	struct saved_event event = { .has_value = false };
	const char *why = read_event(&event, field);

	if (why)
		return why;
	if (!grow(report))
		return NO_MEMORY;
	event.name = strdup(field[FIELD_NAME]);
	event.modes = strdup(field[FIELD_MODES]);
	event.missing = strdup(event.has_value ? "" : field[FIELD_NOTE]);
	report->event_line[report->nr_events] = line;
	report->event[report->nr_events++] = event;
	return event.name && event.modes && event.missing ? NULL : NO_MEMORY;
}

const char *add_saved_value(struct saved_event *event, const char *text)
{
	uint64_t *values, value;

	if (!read_number(text, &value))
		return "has a count of a run that is not a whole number below 2^64";
	values = reallocarray(event->values, event->nr_values + 1,
			      sizeof(*values));
	if (!values)
		return NO_MEMORY;
	event->values = values;
	values[event->nr_values++] = value;
	return NULL;
}

/* Read a number that is not negative. It is 0 if the report does not have it. */
static bool read_amount(const char *text, double *amount)
{
	char *end;

	*amount = 0;
	if (!has(text))
		return true;
	*amount = strtod(text, &end);
	/* This form of the comparison also rejects NaN. */
	return !*end && *amount >= 0 && *amount < AMOUNT_LIMIT;
}

static bool read_count_of(const char *text, unsigned int *count)
{
	uint64_t number = 0;

	if (has(text) && (!read_number(text, &number) || number > UINT_MAX))
		return false;
	*count = (unsigned int)number;
	return true;
}

static bool read_resource(struct saved_resource *resource,
			  const char *const field[NR_FIELDS])
{
	resource->has_mean =
		has(field[FIELD_MEAN]) && has(field[FIELD_DEVIATION]);
	return has(field[FIELD_NAME]) && has(field[FIELD_VALUE]) &&
	       read_amount(field[FIELD_VALUE], &resource->value) &&
	       read_count_of(field[FIELD_RUNS], &resource->runs) &&
	       read_amount(field[FIELD_MIN], &resource->min) &&
	       read_amount(field[FIELD_MAX], &resource->max) &&
	       read_amount(field[FIELD_MEAN], &resource->mean) &&
	       read_amount(field[FIELD_DEVIATION], &resource->deviation);
}

const char *add_saved_resource(struct saved_report *report,
			       const char *const field[NR_FIELDS])
{
	const size_t nr = report->nr_resources + 1;
	struct saved_resource resource = { .name = NULL }, *resources;

	if (!read_resource(&resource, field))
		return "has a resource without a name or with a value that is"
		       " not a number";
	resources = reallocarray(report->resource, nr, sizeof(*resources));
	if (!resources)
		return NO_MEMORY;
	report->resource = resources;
	resource.name = strdup(field[FIELD_NAME]);
	resources[report->nr_resources++] = resource;
	report->left_out++;
	return resource.name ? NULL : NO_MEMORY;
}

const char *add_saved_note(struct saved_report *report, const char *note)
{
	char **notes = reallocarray(report->note, report->nr_notes + 1,
				    sizeof(*notes));

	if (!notes)
		return NO_MEMORY;
	report->note = notes;
	notes[report->nr_notes] = strdup(note);
	return notes[report->nr_notes++] ? NULL : NO_MEMORY;
}

const char *explain_uncounted(const struct saved_report *report)
{
	size_t i;

	for (i = 0; i < report->nr_notes; i++) {
		if (!strcmp(report->note[i], UNCOUNTED_NOTE))
			return "has no counts, because the counters could not"
			       " be used when --optional ran its command: save"
			       " it again where they can be used";
	}
	return NULL;
}

void free_saved(struct saved_report *report)
{
	size_t i;

	for (i = 0; i < report->nr_events; i++) {
		free(report->event[i].name);
		free(report->event[i].modes);
		free(report->event[i].missing);
		free(report->event[i].values);
		free(report->event[i].selects);
	}
	for (i = 0; i < report->nr_resources; i++)
		free(report->resource[i].name);
	/* The last note is NULL if memory was lacking. free() accepts NULL. */
	for (i = 0; i < report->nr_notes; i++)
		free(report->note[i]);
	free(report->event);
	free(report->event_line);
	free(report->resource);
	free(report->note);
	free(report->processor);
	free(report->machine);
	*report = (struct saved_report){ .file = report->file };
}

int complain_saved(const char *purpose, const char *file, unsigned int line,
		   const char *why)
{
	if (line)
		complain("cannot %s %s: line %u %s", purpose, file, line, why);
	else
		complain("cannot %s %s: %s", purpose, file, why);
	return PERFEX_INPUT;
}
