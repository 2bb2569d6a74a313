// SPDX-License-Identifier: GPL-2.0-only
/* Print the table of a profile. */
#include "profile/profile_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "profile/share.h"
#include "util/escaped.h"

/* Rows with fewer than one in this many samples are added up in one line. */
#define SMALLEST_SHARE 200

/* This is the maximum width of a column. A longer text shifts the columns after it. */
#define COLUMN_MAX 32

#define NOT_KNOWN "-"

enum column {
	COLUMN_ADDRESS,
	COLUMN_LINE,
	COLUMN_FUNCTION,
	COLUMN_REGION,
	COLUMN_OBJECT,
	COLUMN_PROGRAM,
	NR_COLUMNS,
};

static const char *const titles[NR_COLUMNS] = {
	[COLUMN_ADDRESS] = "address",	[COLUMN_LINE] = "line",
	[COLUMN_FUNCTION] = "function", [COLUMN_REGION] = "region",
	[COLUMN_OBJECT] = "object",	[COLUMN_PROGRAM] = "program",
};

/*
 * Each table has the columns from its first column on. It has the column of regions only with
 * --regions.
 */
static const enum column first_columns[NR_PROFILE_DETAILS] = {
	[PROFILE_FUNCTIONS] = COLUMN_FUNCTION,
	[PROFILE_LINES] = COLUMN_LINE,
	[PROFILE_INSTRUCTIONS] = COLUMN_ADDRESS,
};

/**
 * struct part - the rows of an event
 * @detail: what each row stands for
 * @with_regions: whether there is a column of regions
 * @row: its first row
 * @nr: number of rows
 * @samples: number of samples
 * @alike: number of samples that have as much information as one independent sample
 * @width: width of each column
 */
struct part {
	enum profile_detail detail;
	bool with_regions;
	const struct row *row;
	size_t nr;
	uint64_t samples;
	double alike;
	int width[NR_COLUMNS];
};

static bool is_small(const struct part *part, const struct row *row)
{
	return row->weight < part->samples / SMALLEST_SHARE;
}

/* If the addresses of the file are unknown, make an offset with a sign. */
static int make_address(char **text, const struct row *row)
{
	if (row->address)
		return asprintf(text, "%" PRIx64, row->address);
	if (row->offset)
		return asprintf(text, "+%" PRIx64, row->offset);
	return asprintf(text, NOT_KNOWN);
}

static int make_line(char **text, const struct row *row)
{
	const char *slash = row->file ? strrchr(row->file, '/') : NULL;

	if (!row->file)
		return asprintf(text, NOT_KNOWN);
	return asprintf(text, "%s:%" PRIu32, slash ? slash + 1 : row->file,
			row->line);
}

static int make_function(char **text, const struct part *part,
			 const struct row *row)
{
	if (!row->function || part->detail != PROFILE_INSTRUCTIONS)
		return asprintf(text, "%s",
				row->function ? row->function : NOT_KNOWN);
	return asprintf(text, "%s+0x%" PRIx64, row->function,
			row->offset - row->start);
}

/* Make the text of a cell. The caller frees it. */
static char *make_cell(const struct part *part, const struct row *row,
		       enum column column)
{
	char *text = NULL;
	int length = -1;

	if (column == COLUMN_ADDRESS)
		length = make_address(&text, row);
	else if (column == COLUMN_LINE)
		length = make_line(&text, row);
	else if (column == COLUMN_FUNCTION)
		length = make_function(&text, part, row);
	else if (column == COLUMN_REGION)
		length = asprintf(&text, "%s",
				  row->region ? row->region : NOT_KNOWN);
	else if (column == COLUMN_OBJECT)
		length = asprintf(&text, "%s", row->object);
	else if (column == COLUMN_PROGRAM)
		length = asprintf(&text, "%s", row->program);
	return length < 0 ? NULL : text;
}

/* Return the next column that the table has after @column, or NR_COLUMNS. */
static int next_column(const struct part *part, int column)
{
	column++;
	return column == COLUMN_REGION && !part->with_regions ? column + 1
							      : column;
}

static void widen(int *width, const char *text)
{
	const size_t length = text ? strlen(text) : 0;

	if (length > (size_t)*width)
		*width = length < COLUMN_MAX ? (int)length : COLUMN_MAX;
}

static void widen_columns(struct part *part, const struct row *row)
{
	int column;

	/* The last column needs no padding. */
	for (column = first_columns[part->detail]; column < NR_COLUMNS - 1;
	     column = next_column(part, column)) {
		char *text = make_cell(part, row, (enum column)column);

		widen(&part->width[column], text);
		free(text);
	}
}

static struct part find_part(const struct profile_report *report,
			     uint32_t event)
{
	struct part part = { .detail = report->rows->detail,
			     .with_regions = report->collection->with_regions,
			     .row = report->rows->row,
			     .samples = report->collection->event[event].nr,
			     .alike = 1 };
	const struct row *end = part.row + report->rows->nr;
	size_t i;

	/* All samples of one moment have only as much information as a single sample. */
	if (part.samples)
		part.alike += report->collection->event[event].pairs /
			      (double)part.samples;
	while (part.row < end && part.row->event < event)
		part.row++;
	while (part.row + part.nr < end && part.row[part.nr].event == event)
		part.nr++;
	for (i = 0; i < NR_COLUMNS; i++)
		widen(&part.width[i], titles[i]);
	for (i = 0; i < part.nr && !is_small(&part, &part.row[i]); i++)
		widen_columns(&part, &part.row[i]);
	return part;
}

/* Print an escaped text. Pad it with spaces unless its column is the last one. */
static void print_cell(FILE *out, const struct part *part, const char *text,
		       int column)
{
	const size_t length = strlen(text);
	const size_t width = (size_t)part->width[column];

	print_escaped(out, text, print_plain);
	if (column == NR_COLUMNS - 1)
		fputc('\n', out);
	else
		fprintf(out, "%*s",
			(int)(length < width ? width - length + 2 : 2), "");
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
	int column;

	print_share(out, part, row->samples);
	for (column = first_columns[part->detail]; column < NR_COLUMNS;
	     column = next_column(part, column)) {
		char *text = make_cell(part, row, (enum column)column);

		print_cell(out, part, text ? text : NOT_KNOWN, column);
		free(text);
	}
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
	fprintf(out, "%zu more %s less than %.1f%% each\n", part->nr - first,
		part->detail == PROFILE_INSTRUCTIONS ? "in functions with"
						     : "with",
		100.0 / SMALLEST_SHARE);
}

static void print_titles(FILE *out, const struct part *part)
{
	int column;

	fprintf(out, "# %5s  %9s  %10s  ", "share", "", "samples");
	for (column = first_columns[part->detail]; column < NR_COLUMNS;
	     column = next_column(part, column))
		print_cell(out, part, titles[column], column);
}

static void print_rows(FILE *out, const struct part *part)
{
	size_t i;

	if (!part->nr)
		return;
	print_titles(out, part);
	for (i = 0; i < part->nr && !is_small(part, &part->row[i]); i++)
		print_row(out, part, &part->row[i]);
	print_small(out, part, i);
}

/*
 * Print the expected number of samples. It is an upper limit, because each thread rounds its own
 * number down.
 */
static void print_expected(FILE *out, const struct profile_report *report,
			   uint32_t event)
{
	const uint32_t period = report->events->period[event];

	/* With jitter, there can be more samples than this. */
	if (report->counts)
		fprintf(out,
			", %s %" PRIu64 " expected from %" PRIu64 " events",
			report->events->jitter[event] ? "about" : "at most",
			report->counts[event] / period, report->counts[event]);
	fputc('\n', out);
}

/* Say how many samples of @event have another address than that of the event, and why. */
static void print_late(FILE *out, const struct profile_report *report,
		       uint32_t event)
{
	const struct event_samples *samples = &report->collection->event[event];
	const bool precise = report->events->sel[event].modes & VPMC_PRECISE;

	if (!samples->late || report->at_ticks)
		return;
	fprintf(out,
		"# %" PRIu64 " of them are late: %s, and they are where the"
		" program was then\n",
		samples->late,
		precise ? "the processor has not recorded their addresses"
			: "a switch or tick noticed them");
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
		fprintf(out, " on average, %" PRIu32 " more or less",
			report->events->jitter[event]);
	if (report->events->jitter[event] && report->has_seed)
		fprintf(out, ", --seed %" PRIu32, report->events->seed);
	fputs(report->at_ticks ? ", at clock ticks\n" : "\n", out);
	print_rows(out, &part);
	fprintf(out, "# %" PRIu64 " sample%s", samples->nr,
		samples->nr == 1 ? "" : "s");
	print_expected(out, report, event);
	print_late(out, report, event);
	if (samples->cut)
		fprintf(out,
			"# %" PRIu64
			" of them have no callers that frame pointers"
			" lead to, or more than --call-graph asks for\n",
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
