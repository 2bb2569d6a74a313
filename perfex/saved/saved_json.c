// SPDX-License-Identifier: GPL-2.0-only
/* Read a report from a JSON object. */
#include <stdlib.h>
#include <string.h>

#include "saved/json_reader.h"
#include "saved/merge_form.h"
#include "saved/saved_form.h"

static enum saved_field field_of(const char *name)
{
	static const char *const names[NR_FIELDS] = {
		[FIELD_NAME] = "name",
		[FIELD_MODES] = "modes",
		[FIELD_CODE] = "code",
		[FIELD_VALUE] = "value",
		[FIELD_SHARE] = "share",
		[FIELD_NOTE] = "note",
		[FIELD_RUNS] = "runs",
		[FIELD_LOW] = "low",
		[FIELD_HIGH] = "high",
		[FIELD_MIN] = "min",
		[FIELD_MAX] = "max",
		[FIELD_MEAN] = "mean",
		[FIELD_DEVIATION] = "deviation",
	};
	unsigned int i = 0;

	while (i < NR_FIELDS && strcmp(names[i], name) != 0)
		i++;
	return i;
}

/**
 * struct members - the members of an event or a resource
 * @field: the members as text
 * @event: the event; only the counts of its runs are set
 */
struct members {
	char *field[NR_FIELDS];
	struct saved_event event;
};

static void read_json_values(struct json_text *text, struct saved_event *event)
{
	unsigned int nr = 0;
	char *value;

	json_open(text, '[');
	while (json_next(text, &nr, ']')) {
		value = json_scalar(text);
		if (value)
			text->why = add_saved_value(event, value);
		free(value);
	}
}

static void read_json_members(struct json_text *text, struct members *members)
{
	unsigned int nr = 0, i;
	char *name;

	json_open(text, '{');
	while (json_next(text, &nr, '}')) {
		name = json_name(text);
		i = name ? field_of(name) : NR_FIELDS;
		if (name && !strcmp(name, "values") && !members->event.values)
			read_json_values(text, &members->event);
		else if (i == NR_FIELDS || members->field[i])
			json_skip(text);
		else
			members->field[i] = json_scalar(text);
		free(name);
	}
}

static void free_members(struct members *members)
{
	unsigned int i;

	for (i = 0; i < NR_FIELDS; i++)
		free(members->field[i]);
	free(members->event.values);
}

static void read_json_event(struct json_text *text, struct saved_report *report)
{
	struct members members = { .field = { NULL } };
	struct saved_event *event;

	read_json_members(text, &members);
	if (!text->why)
		text->why = add_saved_event(report, report->line,
					    (const char *const *)members.field);
	if (!text->why) {
		event = &report->event[report->nr_events - 1];
		event->values = members.event.values;
		event->nr_values = members.event.nr_values;
		members.event.values = NULL;
	}
	free_members(&members);
}

static void read_json_resource(struct json_text *text,
			       struct saved_report *report)
{
	struct members members = { .field = { NULL } };

	read_json_members(text, &members);
	if (!text->why)
		text->why = add_saved_resource(
			report, (const char *const *)members.field);
	free_members(&members);
}

static void read_json_note(struct json_text *text, struct saved_report *report)
{
	char *note = json_scalar(text);

	if (note)
		text->why = add_saved_note(report, note);
	free(note);
}

static void read_json_array(struct json_text *text, struct saved_report *report,
			    void (*read)(struct json_text *text,
					 struct saved_report *report))
{
	unsigned int nr = 0;

	json_open(text, '[');
	while (json_next(text, &nr, ']'))
		read(text, report);
}

static void read_json_member(struct json_text *text,
			     struct saved_report *report, const char *name)
{
	if (!strcmp(name, "events"))
		read_json_array(text, report, read_json_event);
	else if (!strcmp(name, "notes"))
		read_json_array(text, report, read_json_note);
	else if (!strcmp(name, "resources"))
		read_json_array(text, report, read_json_resource);
	else if (!strcmp(name, "processor") && !report->processor)
		report->processor = json_scalar(text);
	else if (!strcmp(name, "machine") && !report->machine)
		report->machine = json_scalar(text);
	else if (!strcmp(name, MERGE_REPORTS))
		text->why = IS_MERGE;
	else if (!strcmp(name, "seconds"))
		text->why = IS_INTERVAL;
	else if (!strcmp(name, "commands"))
		text->why = IS_COMPARISON;
	else
		report->left_out += json_skip(text);
}

const char *read_saved_json(const char *line, struct saved_report *report)
{
	struct json_text text = { .at = line };
	unsigned int nr = 0;
	char *name;

	json_open(&text, '{');
	while (json_next(&text, &nr, '}')) {
		name = json_name(&text);
		if (name)
			read_json_member(&text, report, name);
		free(name);
	}
	json_end(&text);
	if (!text.why && !report->nr_events)
		text.why = explain_uncounted(report);
	if (!text.why && !report->nr_events)
		text.why = "is a report without events";
	return text.why;
}
