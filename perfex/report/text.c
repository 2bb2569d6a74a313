// SPDX-License-Identifier: GPL-2.0-only
/* Print reports as text for people. */
#include "report/text.h"

#include <inttypes.h>

#include "regions/regions.h"
#include "report/metric_value.h"
#include "report/notes.h"
#include "report/table.h"
#include "stats/compare_ratios.h"
#include "stats/event_value.h"
#include "stats/rusage.h"
#include "util/clock.h"
#include "util/columns.h"
#include "util/command_line.h"

/* A number of a statistic fits into this many bytes. */
#define AMOUNT_MAX 32

static void print_sentence(const char *sentence, void *arg)
{
	fprintf(arg, "# %s\n", sentence);
}

/* Print a statistic after @separator. */
static void print_statistic(FILE *out, const char *separator,
			    const struct statistic *statistic, bool is_time)
{
	const double unit = is_time ? 1e6 : 1;
	char min[AMOUNT_MAX], max[AMOUNT_MAX];

	if (statistic->min == statistic->max) {
		fprintf(out, "%sthe same in all %u runs", separator,
			statistic->nr);
		return;
	}
	print_amount(min, sizeof(min), statistic->min, is_time);
	print_amount(max, sizeof(max), statistic->max, is_time);
	fprintf(out, "%smean of %u runs +- %.*f (%u %%), %s to %s", separator,
		statistic->nr, is_time ? 6 : 1, interval_of(statistic) / unit,
		statistic->confidence, min, max);
}

static void print_mark(FILE *out, const struct figure *figure)
{
	const char *separator = "  # ";

	if (figure->missing) {
		fprintf(out, "%s%s", separator, figure->missing);
	} else if (figure->share < WHOLE) {
		fprintf(out, "%sprojected from %u.%u%% of the time", separator,
			figure->share / 10, figure->share % 10);
		separator = ", ";
		if (has_interval(figure))
			fprintf(out, ", %" PRIu64 " to %" PRIu64 " (%d %%)",
				figure->low, figure->high, VPMC_CONFIDENCE);
	}
	if (figure->statistic && !figure->missing)
		print_statistic(out, separator, figure->statistic, false);
	fputc('\n', out);
}

static void print_count(FILE *out, const struct report *report, size_t i)
{
	const struct events *events = report->events;
	const struct figure figure = figure_of_total(report, i);
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

	for (i = 0; get_resource(report, i, &resource); i++) {
		fprintf(out, "%*s  %-5s  %s", COUNT_WIDTH, resource.value,
			NO_COUNT, resource.name);
		if (resource.statistic)
			print_statistic(out, "  # ", resource.statistic,
					resource.is_time);
		fputc('\n', out);
	}
}

static void print_projected(FILE *out, const struct derived *derived)
{
	fprintf(out, "  # projected from %u.%u%% of the time",
		derived->share / 10, derived->share % 10);
	if (derived->low[0])
		fprintf(out, ", %s to %s (%d %%)", derived->low, derived->high,
			VPMC_CONFIDENCE);
}

static void print_metrics(FILE *out, const struct report *report)
{
	struct derived derived;
	size_t i;

	for (i = 0; get_metric(report, i, &derived); i++) {
		fprintf(out, "%*s  %-5s  %s  %s", COUNT_WIDTH,
			derived.has_value ? derived.value : NO_COUNT, NO_COUNT,
			derived.name, derived.unit);
		if (derived.has_value && derived.share < WHOLE)
			print_projected(out, &derived);
		else if (derived.note[0])
			fprintf(out, "  # %s", derived.note);
		fputc('\n', out);
	}
}

static void print_title(FILE *out, const struct report *report)
{
	char command[WORDS_MAX];

	if (report->is_block)
		fprintf(out, "# %" PRIu64 ".%03" PRIu64 " seconds\n",
			report->us / US_PER_S, report->us / 1000 % 1000);
	if (!report->number)
		return;
	join_words(command, sizeof(command), report->words);
	fprintf(out, "# command %u: %s\n", report->number, command);
}

static void print_single(FILE *out, struct report *report)
{
	size_t i;

	print_title(out, report);
	if (report->with_regions)
		report->failure =
			print_regions(out, report->regions, report->events,
				      report->raw, report->faults);
	if (report->records)
		print_tables(out, report);
	for (i = 0; i < report->events->nr; i++)
		print_count(out, report, i);
	print_metrics(out, report);
	print_resources(out, report);
	for_each_note(report, print_sentence, out);
}

static void print_interval(FILE *out, const struct ratio *ratio)
{
	char low[RATIO_MAX], high[RATIO_MAX];

	print_ratio(low, ratio->low);
	print_ratio(high, ratio->high);
	fprintf(out, ", %s to %s (%u %%)", low, high, ratio->confidence);
}

static void print_relation(FILE *out, const struct events *events,
			   const struct relation *relation, size_t command)
{
	char value[RATIO_MAX] = NO_COUNT, name[EVENT_NAME_MAX];

	if (relation->has_value)
		print_ratio(value, relation->ratio.value);
	fprintf(out, "%*s  ", COUNT_WIDTH, value);
	if (relation->resource) {
		fprintf(out, "%-5s  %s", NO_COUNT, relation->resource);
	} else {
		print_code(out, events->sel[relation->event].code);
		event_name(events, relation->event, name);
		fputs(name, out);
	}
	fprintf(out, "  # command %zu", command + 1);
	if (relation->share < WHOLE)
		fprintf(out, ", projected from %u.%u%% of the time",
			relation->share / 10, relation->share % 10);
	if (relation->ratio.has_interval)
		print_interval(out, &relation->ratio);
	else
		fprintf(out, ", %s", relation->note);
	fputc('\n', out);
}

static void print_comparison(FILE *out, const struct comparison *comparison)
{
	struct relation relation;
	struct report report;
	size_t i, j;

	for (j = 0; j < comparison->nr; j++) {
		report = comparison->report[j];
		print_single(out, &report);
	}
	fputs("# ratios to command 1\n", out);
	for (i = 0; get_relation(comparison, i, 1, &relation); i++) {
		for (j = 1; j < comparison->nr; j++) {
			get_relation(comparison, i, j, &relation);
			print_relation(out, report.events, &relation, j);
		}
	}
}

void print_text(FILE *out, struct report *report)
{
	if (report->comparison)
		print_comparison(out, report->comparison);
	else
		print_single(out, report);
}
