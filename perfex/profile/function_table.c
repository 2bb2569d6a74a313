// SPDX-License-Identifier: GPL-2.0-only
/* Print the table of a profile. */
#include "profile/function_table.h"

#include <inttypes.h>
#include <string.h>

#include "profile/share.h"
#include "util/escaped.h"

/* Functions with fewer than one in so many samples are added up in one line. */
#define SMALLEST_SHARE 200

/* A column is at most so wide; longer texts move the columns after them. */
#define COLUMN_MAX 32

#define NO_FUNCTION "-"

/**
 * struct part - the rows of an event
 * @row: its first row
 * @nr: number of rows
 * @samples: number of samples
 * @alike: how many samples are as good as one that is independent of the others
 * @function_width: width of the column of functions
 * @object_width: width of the column of files
 */
struct part {
	const struct row *row;
	size_t nr;
	uint64_t samples;
	double alike;
	int function_width;
	int object_width;
};

static const char *function_of(const struct row *row)
{
	return row->function ? row->function : NO_FUNCTION;
}

static bool is_small(const struct part *part, const struct row *row)
{
	return row->samples < part->samples / SMALLEST_SHARE;
}

static void widen(int *width, const char *text)
{
	const size_t length = strlen(text);

	if (length > (size_t)*width)
		*width = length < COLUMN_MAX ? (int)length : COLUMN_MAX;
}

static struct part find_part(const struct profile_report *report,
			     uint32_t event)
{
	struct part part = { .row = report->rows->row,
			     .samples = report->collection->event[event].nr,
			     .alike = 1,
			     .function_width = (int)strlen("function"),
			     .object_width = (int)strlen("object") };
	const struct row *end = part.row + report->rows->nr;
	size_t i;

	/* All samples of one moment tell no more than one of them. */
	if (part.samples)
		part.alike += report->collection->event[event].pairs /
			      (double)part.samples;
	while (part.row < end && part.row->event < event)
		part.row++;
	while (part.row + part.nr < end && part.row[part.nr].event == event)
		part.nr++;
	for (i = 0; i < part.nr && !is_small(&part, &part.row[i]); i++) {
		widen(&part.function_width, function_of(&part.row[i]));
		widen(&part.object_width, part.row[i].object);
	}
	return part;
}

/* Print a text from outside, and the spaces after it in a column. */
static void print_column(FILE *out, const char *text, int width)
{
	const size_t length = strlen(text);

	print_escaped(out, text, print_plain);
	fprintf(out, "%*s",
		length < (size_t)width ? width - (int)length + 2 : 2, "");
}

static void print_share(FILE *out, const struct part *part, uint64_t samples)
{
	fprintf(out, "%6.2f%% +- %5.2f%%  %10" PRIu64 "  ",
		100 * (double)samples / (double)part->samples,
		100 * share_error((double)samples / part->alike,
				  (double)part->samples / part->alike),
		samples);
}

static void print_row(FILE *out, const struct part *part, const struct row *row)
{
	print_share(out, part, row->samples);
	print_column(out, function_of(row), part->function_width);
	print_column(out, row->object, part->object_width);
	print_escaped(out, row->program, print_plain);
	fputc('\n', out);
}

static void print_small(FILE *out, const struct part *part, size_t first)
{
	uint64_t samples = 0;
	size_t i;

	if (first == part->nr)
		return;
	for (i = first; i < part->nr; i++)
		samples += part->row[i].samples;
	print_share(out, part, samples);
	fprintf(out, "%zu more with less than %.1f%% each\n", part->nr - first,
		100.0 / SMALLEST_SHARE);
}

static void print_rows(FILE *out, const struct part *part)
{
	size_t i;

	if (!part->nr)
		return;
	fprintf(out, "# %5s  %9s  %10s  %-*s  %-*s  %s\n", "share", "",
		"samples", part->function_width, "function", part->object_width,
		"object", "program");
	for (i = 0; i < part->nr && !is_small(part, &part->row[i]); i++)
		print_row(out, part, &part->row[i]);
	print_small(out, part, i);
}

/* Print how many samples there should be: each thread rounds its own number down. */
static void print_expected(FILE *out, const struct profile_report *report,
			   uint32_t event)
{
	const uint32_t period = report->events->period[event];

	/* With jitter, the number of samples varies, too. */
	if (report->counts)
		fprintf(out,
			", %s %" PRIu64 " expected from %" PRIu64 " events",
			report->events->jitter[event] ? "about" : "at most",
			report->counts[event] / period, report->counts[event]);
	fputc('\n', out);
}

static void print_event(FILE *out, const struct profile_report *report,
			uint32_t event)
{
	const struct event_samples *samples = &report->collection->event[event];
	const struct part part = find_part(report, event);
	char name[EVENT_NAME_MAX];

	event_name(report->events, event, name);
	fprintf(out, "# profile of %s, a sample every %" PRIu32 " events", name,
		report->events->period[event]);
	if (report->events->jitter[event])
		fprintf(out,
			" on average, %" PRIu32
			" more or less, --seed %" PRIu32,
			report->events->jitter[event], report->events->seed);
	fputs(report->at_ticks ? ", at clock ticks\n" : "\n", out);
	print_rows(out, &part);
	fprintf(out, "# %" PRIu64 " sample%s", samples->nr,
		samples->nr == 1 ? "" : "s");
	print_expected(out, report, event);
	if (samples->late && !report->at_ticks)
		fprintf(out,
			"# %" PRIu64 " of them are late: a switch or tick"
			" noticed them, and they are where the program was"
			" then\n",
			samples->late);
	if (samples->cut)
		fprintf(out,
			"# %" PRIu64 " of them lack callers: the frame pointers"
			" do not lead to the first function, or there are more"
			" than --call-graph asks for\n",
			samples->cut);
	if (samples->unknown)
		fprintf(out,
			"# %" PRIu64 " of them are in memory of which no"
			" mapping is known\n",
			samples->unknown);
}

static void print_lost(FILE *out, const struct profile_report *report)
{
	const struct vpmc_lost_samples *lost = &report->lost;

	if (lost->samples)
		fprintf(out,
			"# %" PRIu64 " samples are lost: there was no room for"
			" them\n",
			lost->samples);
	if (lost->hidden)
		fprintf(out,
			"# %" PRIu64 " samples are hidden: they are of programs"
			" that perfex may not watch\n",
			lost->hidden);
	if (lost->changes)
		fprintf(out,
			"# %" PRIu64 " changes of mappings are lost, so that"
			" samples may have a wrong place\n",
			lost->changes);
	if (lost->invalid)
		fprintf(out,
			"# %" PRIu64 " bytes are not records that this perfex"
			" knows\n",
			lost->invalid);
	if (report->collection->forgotten)
		fprintf(out,
			"# %" PRIu64 " records are missing: perfex had no"
			" memory for them\n",
			report->collection->forgotten);
}

static void print_nameless(FILE *out, const struct rows *rows)
{
	size_t i;

	for (i = 0; i < rows->nr_nameless; i++) {
		fputs("# ", out);
		print_escaped(out, rows->nameless[i].object, print_plain);
		fprintf(out, ": %s\n", rows->nameless[i].reason);
	}
}

void print_profile(FILE *out, const struct profile_report *report)
{
	uint32_t i;

	for (i = 0; i < report->events->nr; i++) {
		if (report->events->period[i])
			print_event(out, report, i);
	}
	print_lost(out, report);
	print_nameless(out, report->rows);
}
