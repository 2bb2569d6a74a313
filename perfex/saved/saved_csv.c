// SPDX-License-Identifier: GPL-2.0-only
/* Read a report from rows of comma-separated values. */
#include <string.h>

#include "report/csv.h"
#include "saved/saved_form.h"

/* End a field in place. Returns the text after its comma, or NULL at the end of the row. */
static char *end_field(char *end)
{
	const bool more = *end == ',';

	*end = '\0';
	return more ? end + 1 : NULL;
}

/*
 * Read the field at *@at, and advance *@at to the next field. Returns NULL if the field's quotes
 * do not conform to RFC 4180.
 */
static char *read_field(char **at)
{
	char *field = *at, *from = field + 1, *to = field;

	if (*field != '"') {
		*at = end_field(field + strcspn(field, ","));
		return strchr(field, '"') ? NULL : field;
	}
	for (; *from && (*from != '"' || from[1] == '"'); from++) {
		from += *from == '"';
		*to++ = *from;
	}
	if (*from != '"' || (from[1] && from[1] != ','))
		return NULL;
	*at = end_field(from + 1);
	*to = '\0';
	return field;
}

/*
 * Read the fields of a row. Returns NULL, or the error. Ignore columns after the known columns.
 */
static const char *read_fields(char *text, char *field[NR_CSV_COLUMNS])
{
	char *one;
	size_t nr;

	for (nr = 0; text; nr++) {
		one = read_field(&text);
		if (!one)
			return "has quotes where none can be";
		if (nr < NR_CSV_COLUMNS)
			field[nr] = one;
	}
	return nr < NR_CSV_COLUMNS ? "lacks columns" : NULL;
}

static bool is_twice(const struct saved_report *report)
{
	const struct saved_event *last = &report->event[report->nr_events - 1];
	const struct saved_event *event;

	for (event = report->event; event < last; event++) {
		if (!strcmp(event->name, last->name) &&
		    !strcmp(event->modes, last->modes) &&
		    event->code == last->code)
			return true;
	}
	return false;
}

static const char *read_event(struct saved_report *report, unsigned int line,
			      char *const field[NR_CSV_COLUMNS])
{
	const char *const event[NR_FIELDS] = {
		[FIELD_NAME] = field[CSV_NAME],
		[FIELD_MODES] = field[CSV_MODES],
		[FIELD_CODE] = field[CSV_CODE],
		[FIELD_VALUE] = field[CSV_VALUE],
		[FIELD_SHARE] = field[CSV_SHARE],
		[FIELD_NOTE] = field[CSV_NOTE],
		[FIELD_RUNS] = field[CSV_RUNS],
		[FIELD_LOW] = field[CSV_LOW],
		[FIELD_HIGH] = field[CSV_HIGH],
	};
	const char *why = add_saved_event(report, line, event);

	if (why)
		return why;
	return is_twice(report)
		       ? "has an event for the second time: perfex cannot tell"
			 " which rows are one report (write each report to its"
			 " own file, or with --json)"
		       : NULL;
}

/*
 * Tell whether a row has data of runs. With -r, an event has additional rows for its runs. With
 * --json, these data are in the event's object.
 */
static bool is_of_runs(const char *kind)
{
	return !strcmp(kind, "median") || !strcmp(kind, "outliers") ||
	       !strcmp(kind, "run");
}

const char *read_saved_csv(char *text, struct saved_report *report,
			   unsigned int line)
{
	char *field[NR_CSV_COLUMNS];
	const char *why = read_fields(text, field);

	if (why)
		return why;
	if (*field[CSV_SECONDS])
		return IS_INTERVAL;
	if (*field[CSV_NUMBER])
		return IS_COMPARISON;
	if (!strcmp(field[CSV_KIND], "event"))
		return read_event(report, line, field);
	if (!strcmp(field[CSV_KIND], "note"))
		return add_saved_note(report, field[CSV_NOTE]);
	report->left_out += !is_of_runs(field[CSV_KIND]);
	return NULL;
}
