// SPDX-License-Identifier: GPL-2.0-only
/* Merge many reports into one. */
#include "merge/merge.h"

#include <stdlib.h>
#include <string.h>

#include "merge/merge_print.h"
#include "report/output.h"
#include "saved/saved_report.h"
#include "stats/event_value.h"
#include "util/stream.h"

/* A code without a name in any table has this name. */
#define NO_NAME "raw"

static int no_memory(void)
{
	complain("cannot merge so many reports: out of memory");
	return PERFEX_SYSTEM;
}

/*
 * Compose the name of a report. It has the line number, because a file may have several reports.
 */
static char *name_of(const struct saved_report *report)
{
	char *name;

	if (report->line == 1)
		return strdup(report->file);
	if (asprintf(&name, "%s:%u", report->file, report->line) < 0)
		return NULL;
	return name;
}

static int complain_events(const struct merge *merge,
			   const struct saved_report *report, size_t i)
{
	const struct saved_event *is = &report->event[i];
	const struct merged_event *was = &merge->event[i];
	const bool has = i < report->nr_events, had = i < merge->nr_events;

	complain("cannot merge %s: line %u has %s%s%s as event %zu, and %s has"
		 " %s%s%s (merge reports of the same events in the same order)",
		 report->file,
		 report->nr_events ? report->event_line[has ? i : i - 1]
				   : report->line,
		 has ? is->name : "none", has ? ":" : "", has ? is->modes : "",
		 i + 1, merge->first, had ? was->name : "none", had ? ":" : "",
		 had ? was->modes : "");
	return PERFEX_INPUT;
}

/*
 * Tell whether two events are the same. Their codes may differ, because a name has different
 * codes on different processors.
 */
static bool is_same(const struct merged_event *a, const struct saved_event *b)
{
	return !strcmp(a->name, b->name) && !strcmp(a->modes, b->modes) &&
	       (a->code == b->code || strcmp(a->name, NO_NAME) != 0);
}

static int check_events(const struct merge *merge,
			const struct saved_report *report)
{
	size_t i;

	for (i = 0; i < merge->nr_events || i < report->nr_events; i++) {
		if (i >= merge->nr_events || i >= report->nr_events ||
		    !is_same(&merge->event[i], &report->event[i]))
			return complain_events(merge, report, i);
	}
	return 0;
}

/* Take the events of the first report. All other reports must have the same events. */
static bool take_events(struct merge *merge, const struct saved_report *report)
{
	struct merged_event *event;
	size_t i;

	merge->first = name_of(report);
	merge->event = calloc(report->nr_events, sizeof(*merge->event));
	if (!merge->first || !merge->event)
		return false;
	merge->nr_events = report->nr_events;
	for (i = 0; i < report->nr_events; i++) {
		event = &merge->event[i];
		event->name = strdup(report->event[i].name);
		event->modes = strdup(report->event[i].modes);
		event->code = report->event[i].code;
		event->share = WHOLE;
		if (!event->name || !event->modes)
			return false;
	}
	return true;
}

static bool add_note(struct merge *merge, const char *name, const char *text)
{
	struct merged_note *note;
	size_t i;

	for (i = 0; i < merge->nr_notes; i++) {
		if (!strcmp(merge->note[i].text, text)) {
			merge->note[i].others++;
			return true;
		}
	}
	note = reallocarray(merge->note, merge->nr_notes + 1, sizeof(*note));
	if (!note)
		return false;
	merge->note = note;
	note += merge->nr_notes++;
	*note = (struct merged_note){ .text = strdup(text),
				      .in = strdup(name) };
	return note->text && note->in;
}

static bool add_missing(struct merge *merge, struct merged_event *sum,
			const struct saved_event *event, const char *name)
{
	char *text;
	bool good;

	if (!sum->missing++) {
		sum->reason = strdup(event->missing);
		if (!sum->reason)
			return false;
	}
	if (asprintf(&text, "%s:%s has no count: %s", event->name, event->modes,
		     event->missing) < 0)
		return false;
	good = add_note(merge, name, text);
	free(text);
	return good;
}

static bool replace(char **text, const char *by)
{
	free(*text);
	*text = strdup(by);
	return *text;
}

static void add_saturated(uint64_t *sum, uint64_t more)
{
	if (__builtin_add_overflow(*sum, more, sum))
		*sum = UINT64_MAX;
}

static bool add_count(struct merged_event *sum, const struct saved_event *event,
		      const char *name)
{
	const bool is_first = !sum->nr++;
	bool good = true;

	sum->overflow |=
		__builtin_add_overflow(sum->sum, event->value, &sum->sum);
	sum->projected += event->share < WHOLE;
	/* The interval of a mean is not the interval of a count, so it cannot be added. */
	sum->vague += event->is_mean ||
		      (event->share < WHOLE && !event->has_interval);
	add_saturated(&sum->low, event->low);
	add_saturated(&sum->high, event->high);
	sum->means += event->is_mean;
	if (event->share < sum->share)
		sum->share = event->share;
	if (is_first || event->value < sum->min) {
		sum->min = event->value;
		good = replace(&sum->min_in, name);
	}
	if (is_first || event->value > sum->max) {
		sum->max = event->value;
		good &= replace(&sum->max_in, name);
	}
	return good;
}

static bool add_events(struct merge *merge, const struct saved_report *report,
		       const char *name)
{
	struct merged_event *sum;
	bool good = true;
	size_t i;

	for (i = 0; good && i < merge->nr_events; i++) {
		sum = &merge->event[i];
		sum->codes_differ |= sum->code != report->event[i].code;
		good = report->event[i].has_value
			       ? add_count(sum, &report->event[i], name)
			       : add_missing(merge, sum, &report->event[i],
					     name);
	}
	return good;
}

static bool add_notes(struct merge *merge, const struct saved_report *report,
		      const char *name)
{
	bool good = true;
	size_t i;

	for (i = 0; good && i < report->nr_notes; i++)
		good = add_note(merge, name, report->note[i]);
	return good;
}

static int merge_report(struct saved_report *report, void *arg)
{
	struct merge *merge = arg;
	char *name;
	bool good;

	if (!merge->reports++ && !take_events(merge, report))
		return no_memory();
	if (check_events(merge, report))
		return PERFEX_INPUT;
	merge->left_out += report->left_out;
	name = name_of(report);
	good = name && add_events(merge, report, name) &&
	       add_notes(merge, report, name);
	free(name);
	return good ? 0 : no_memory();
}

static void free_merge(struct merge *merge)
{
	size_t i;

	for (i = 0; i < merge->nr_events; i++) {
		free(merge->event[i].name);
		free(merge->event[i].modes);
		free(merge->event[i].reason);
		free(merge->event[i].min_in);
		free(merge->event[i].max_in);
	}
	for (i = 0; i < merge->nr_notes; i++) {
		free(merge->note[i].text);
		free(merge->note[i].in);
	}
	free(merge->event);
	free(merge->note);
	free(merge->first);
}

static int write_merge(struct output *output, const struct merge *merge)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	int status;

	if (!out)
		return no_memory();
	print_merge(out, output->format, output->is_begun, merge);
	status = close_stream(out) ? write_text(output, text, size)
				   : no_memory();
	free(text);
	return status;
}

static int open_and_write(const struct request *request,
			  const struct merge *merge,
			  const struct output *beside)
{
	struct output output;
	int status = open_output(&output, request->report.output, "-o",
				 request->report.append, request->report.format,
				 beside);
	int failure;

	if (status)
		return status;
	status = empty_output(&output);
	if (!status)
		status = write_merge(&output, merge);
	failure = close_output(&output);
	return status ? status : failure;
}

int merge_reports(const struct request *request, const struct output *beside)
{
	struct merge merge = { .reports = 0 };
	char **file;
	int status = 0;

	for (file = request->count.command; !status && *file; file++)
		status = read_saved_reports("merge", *file, merge_report,
					    &merge);
	if (!status)
		status = open_and_write(request, &merge, beside);
	free_merge(&merge);
	return status;
}
