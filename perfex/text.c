// SPDX-License-Identifier: GPL-2.0-only
/* See text.h. */
#include "text.h"

#include <inttypes.h>

#include "figure.h"
#include "notes.h"
#include "regions.h"
#include "resources.h"
#include "table.h"

int print_code(FILE *out, uint64_t code)
{
	/* 0x00 to 0x3b, and 0x100 for clocks. */
	return fprintf(out, "0x%02" PRIx64 "%s", code,
		       code < 0x100 ? "   " : "  ");
}

void print_note(FILE *out, unsigned int nr, const char *one, const char *many,
		const char *rest)
{
	if (nr)
		fprintf(out, "# %u %s %s\n", nr, nr == 1 ? one : many, rest);
}

static void print_sentence(const char *sentence, void *arg)
{
	fprintf(arg, "# %s\n", sentence);
}

static void print_mark(FILE *out, const struct figure *figure)
{
	if (figure->missing)
		fprintf(out, "  # %s", figure->missing);
	else if (figure->share < WHOLE)
		fprintf(out, "  # projected from %u.%u%% of the time",
			figure->share / 10, figure->share % 10);
	fputc('\n', out);
}

static void print_count(FILE *out, const struct report *report, size_t i)
{
	const struct events *events = report->events;
	const struct figure figure = figure_of_total(events, report->counts, i);
	char name[EVENT_NAME_MAX];

	if (figure.missing)
		fprintf(out, "%*s  ", COUNT_WIDTH, NO_COUNT);
	else
		fprintf(out, "%*" PRIu64 "  ", COUNT_WIDTH, figure.count);
	print_code(out, events->sel[i].code);
	event_name(events, i, name);
	fputs(name, out);
	print_mark(out, &figure);
}

static void print_resources(FILE *out, const struct report *report)
{
	struct resource resource;
	size_t i;

	for (i = 0; get_resource(report, i, &resource); i++)
		fprintf(out, "%*s  %-5s  %s\n", COUNT_WIDTH, resource.value,
			NO_COUNT, resource.name);
}

void print_text(FILE *out, struct report *report)
{
	size_t i;

	if (report->is_block)
		fprintf(out, "# %" PRIu64 ".%03" PRIu64 " seconds\n",
			report->ms / 1000, report->ms % 1000);
	if (report->with_regions)
		report->failure = print_regions(out, report->regions,
						report->events, report->raw);
	if (report->records)
		print_tables(out, report);
	for (i = 0; i < report->events->nr; i++)
		print_count(out, report, i);
	print_resources(out, report);
	for_each_note(report, print_sentence, out);
}
