// SPDX-License-Identifier: GPL-2.0-only
/* Print a merge as text, JSON or comma-separated values. */
#include "merge/merge_print.h"

#include <inttypes.h>
#include <stdlib.h>

#include "report/csv.h"
#include "report/json.h"
#include "saved/merge_form.h"
#include "stats/event_value.h"
#include "util/columns.h"
#include "util/escaped.h"

#define OVERFLOW "the sum is beyond 2^64 - 1"

/* A sentence of this file, with two numbers in it, fits into this many bytes. */
#define SENTENCE_MAX 160

/* Tell whether an event has a sum. */
static bool has_sum(const struct merged_event *event)
{
	return event->nr && !event->overflow;
}

/* Tell whether the sum is not exact and has an interval. */
static bool has_range(const struct merged_event *event)
{
	return has_sum(event) && event->projected && !event->vague;
}

/*
 * Compose the reason why an event does not have a sum, or the number of reports that lack its
 * count. The text is empty if the sum is complete.
 */
static void note_of(const struct merged_event *event, char note[SENTENCE_MAX])
{
	note[0] = '\0';
	if (event->overflow)
		snprintf(note, SENTENCE_MAX, OVERFLOW);
	else if (!event->nr)
		snprintf(note, SENTENCE_MAX, "%s", event->reason);
	else if (event->missing)
		snprintf(note, SENTENCE_MAX, "%u of %u reports %s no count",
			 event->missing, event->nr + event->missing,
			 event->missing == 1 ? "has" : "have");
}

/* Compose a note of one report or of several. */
static char *note_text(const struct merged_note *note)
{
	char *text;
	int length;

	if (note->others)
		length = asprintf(&text, "%s and %u more: %s", note->in,
				  note->others, note->text);
	else
		length = asprintf(&text, "%s: %s", note->in, note->text);
	return length < 0 ? NULL : text;
}

/* Print all sentences with a function. */
static void for_each_sentence(FILE *out, const struct merge *merge,
			      void (*print)(FILE *out, const char *text,
					    size_t i))
{
	char rest[SENTENCE_MAX];
	char *text;
	size_t i;

	for (i = 0; i < merge->nr_notes; i++) {
		text = note_text(&merge->note[i]);
		print(out, text ? text : merge->note[i].text, i);
		free(text);
	}
	if (!merge->left_out)
		return;
	snprintf(rest, sizeof(rest),
		 "%u %s of lists, metrics and resources %s not merged",
		 merge->left_out, merge->left_out == 1 ? "line" : "lines",
		 merge->left_out == 1 ? "is" : "are");
	print(out, rest, i);
}

static void print_range(FILE *out, const struct merged_event *event)
{
	if (event->nr == 1) {
		fputs("  # of ", out);
		print_escaped(out, event->min_in, print_plain);
	} else if (event->min == event->max) {
		fprintf(out, "  # %" PRIu64 " in each of %u reports",
			event->min, event->nr);
	} else {
		fprintf(out, "  # from %" PRIu64 " in ", event->min);
		print_escaped(out, event->min_in, print_plain);
		fprintf(out, " to %" PRIu64 " in ", event->max);
		print_escaped(out, event->max_in, print_plain);
	}
}

static void print_mark(FILE *out, const struct merged_event *event)
{
	char note[SENTENCE_MAX];

	note_of(event, note);
	if (event->nr)
		print_range(out, event);
	if (note[0])
		fputs(event->nr ? ", " : "  # ", out);
	print_escaped(out, note, print_plain);
	if (event->projected)
		fprintf(out,
			", %u projected, the least from %u.%u%% of the time",
			event->projected, event->share / 10, event->share % 10);
	if (has_range(event))
		fprintf(out,
			", the sum from %" PRIu64 " to %" PRIu64 " (%d %%)",
			event->low, event->high, VPMC_CONFIDENCE);
	if (event->means)
		fprintf(out, ", %u a mean of several runs", event->means);
	fputc('\n', out);
}

static void print_line(FILE *out, const struct merged_event *event)
{
	if (has_sum(event))
		fprintf(out, "%*" PRIu64 "  ", COUNT_WIDTH, event->sum);
	else
		fprintf(out, "%*s  ", COUNT_WIDTH, NO_COUNT);
	if (event->codes_differ)
		fprintf(out, "%-5s  ", NO_COUNT);
	else
		print_code(out, event->code);
	print_escaped(out, event->name, print_plain);
	fprintf(out, ":%s", event->modes);
	print_mark(out, event);
}

static void print_text_sentence(FILE *out, const char *text, size_t i)
{
	(void)i;
	fputs("# ", out);
	print_escaped(out, text, print_plain);
	fputc('\n', out);
}

static void print_as_text(FILE *out, const struct merge *merge)
{
	size_t i;

	fprintf(out, "# sums over %u %s\n", merge->reports,
		merge->reports == 1 ? "report" : "reports");
	for (i = 0; i < merge->nr_events; i++)
		print_line(out, &merge->event[i]);
	for_each_sentence(out, merge, print_text_sentence);
}

/* Print a row, with share and note between value and numbers. */
static void print_row(FILE *out, const struct merged_event *event)
{
	char note[SENTENCE_MAX];

	note_of(event, note);
	fputs("event,", out);
	print_escaped(out, event->name, print_csv_field);
	fprintf(out, ",%s,", event->modes);
	if (!event->codes_differ)
		fprintf(out, "%" PRIu64, event->code);
	fputc(',', out);
	if (has_sum(event))
		fprintf(out, "%" PRIu64, event->sum);
	fputc(',', out);
	if (event->nr)
		fprintf(out, "%u.%03u", event->share / WHOLE,
			event->share % WHOLE);
	fputc(',', out);
	print_escaped(out, note, print_csv_field);
	fprintf(out, ",%u,%u,%u,%u,", event->nr + event->missing,
		event->missing, event->projected, event->means);
	if (event->nr) {
		fprintf(out, "%" PRIu64 ",", event->min);
		print_escaped(out, event->min_in, print_csv_field);
		fprintf(out, ",%" PRIu64 ",", event->max);
		print_escaped(out, event->max_in, print_csv_field);
	} else {
		fputs(",,,", out);
	}
	if (has_range(event))
		fprintf(out, ",%" PRIu64 ",%" PRIu64 "\n", event->low,
			event->high);
	else
		fputs(",,\n", out);
}

static void print_note_row(FILE *out, const char *text, size_t i)
{
	(void)i;
	fputs("note,,,,,,", out);
	print_escaped(out, text, print_csv_field);
	fputs(",,,,,,,,,,\n", out);
}

static void print_as_csv(FILE *out, bool is_begun, const struct merge *merge)
{
	size_t i;

	if (!is_begun)
		fputs(MERGE_COLUMNS "\n", out);
	for (i = 0; i < merge->nr_events; i++)
		print_row(out, &merge->event[i]);
	for_each_sentence(out, merge, print_note_row);
}

static void print_extreme(FILE *out, const char *name, uint64_t value,
			  const char *file)
{
	if (!file) {
		fprintf(out, ",\"%s\":null,\"%s_file\":null", name, name);
		return;
	}
	fprintf(out, ",\"%s\":%" PRIu64 ",\"%s_file\":", name, value, name);
	print_escaped(out, file, print_json_string);
}

static void print_object(FILE *out, const struct merged_event *event)
{
	char note[SENTENCE_MAX];

	note_of(event, note);
	fputs("{\"name\":", out);
	print_escaped(out, event->name, print_json_string);
	fprintf(out, ",\"modes\":\"%s\",\"code\":", event->modes);
	if (event->codes_differ)
		fputs("null", out);
	else
		fprintf(out, "%" PRIu64, event->code);
	if (has_sum(event))
		fprintf(out, ",\"value\":%" PRIu64, event->sum);
	else
		fputs(",\"value\":null", out);
	if (event->nr)
		fprintf(out, ",\"share\":%u.%03u", event->share / WHOLE,
			event->share % WHOLE);
	else
		fputs(",\"share\":null", out);
	fputs(",\"note\":", out);
	if (note[0])
		print_escaped(out, note, print_json_string);
	else
		fputs("null", out);
	fprintf(out,
		",\"reports\":%u,\"missing\":%u,\"projected\":%u,\"means\":%u",
		event->nr + event->missing, event->missing, event->projected,
		event->means);
	print_extreme(out, "min", event->min, event->min_in);
	print_extreme(out, "max", event->max, event->max_in);
	if (has_range(event))
		fprintf(out, ",\"low\":%" PRIu64 ",\"high\":%" PRIu64,
			event->low, event->high);
	fputc('}', out);
}

static void print_element(FILE *out, const char *text, size_t i)
{
	if (i)
		fputc(',', out);
	print_escaped(out, text, print_json_string);
}

static void print_as_json(FILE *out, const struct merge *merge)
{
	size_t i;

	fprintf(out, "{\"" MERGE_REPORTS "\":%u,\"events\":[", merge->reports);
	for (i = 0; i < merge->nr_events; i++) {
		if (i)
			fputc(',', out);
		print_object(out, &merge->event[i]);
	}
	fputs("],\"notes\":[", out);
	for_each_sentence(out, merge, print_element);
	fputs("]}\n", out);
}

void print_merge(FILE *out, enum format format, bool is_begun,
		 const struct merge *merge)
{
	switch (format) {
	case FORMAT_CSV:
		print_as_csv(out, is_begun, merge);
		break;
	case FORMAT_JSON:
		print_as_json(out, merge);
		break;
	default:
		print_as_text(out, merge);
	}
}
