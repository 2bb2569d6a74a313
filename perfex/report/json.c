// SPDX-License-Identifier: GPL-2.0-only
/* Print reports as JSON, with the members that perfex(1) lists. */
#include "report/json.h"

#include <inttypes.h>

#include "report/metric_value.h"
#include "report/notes.h"
#include "stats/compare_ratios.h"
#include "stats/event_value.h"
#include "stats/rusage.h"
#include "util/clock.h"
#include "util/command_line.h"

/*
 * COMMAND_MAX is the size of a command name with each byte escaped. AMOUNT_MAX is the size of a
 * number of a statistic.
 */
#define COMMAND_MAX (4 * 16 + 1)
#define AMOUNT_MAX  32

void print_json_string(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		if (is_json_special(*text))
			fputc('\\', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

/* Print the values of each run, in the order of the runs. */
static void print_values(FILE *out, const struct statistic *statistic)
{
	const struct order order = order_of(statistic);
	unsigned int i;

	fprintf(out, ",\"median\":%" PRIu64 ".%c,\"outliers\":%u,\"values\":[",
		order.median, order.is_half ? '5' : '0', order.outliers);
	for (i = 0; i < statistic->nr; i++)
		fprintf(out, "%s%" PRIu64, i ? "," : "", statistic->values[i]);
	fputc(']', out);
}

/* Print the last members of an object. */
static void print_statistic(FILE *out, const struct statistic *statistic,
			    bool is_time)
{
	char min[AMOUNT_MAX], max[AMOUNT_MAX];

	if (statistic) {
		print_amount(min, sizeof(min), statistic->min, is_time);
		print_amount(max, sizeof(max), statistic->max, is_time);
		fprintf(out,
			",\"runs\":%u,\"interval\":%.*f,\"min\":%s,\"max\":%s,"
			"\"confidence\":%u",
			statistic->nr, is_time ? 6 : 1,
			interval_of(statistic) / (is_time ? 1e6 : 1), min, max,
			statistic->confidence);
	}
	if (statistic && statistic->values)
		print_values(out, statistic);
	fputc('}', out);
}

static void print_event(FILE *out, const struct events *events, size_t i)
{
	char modes[EVENT_MODES_MAX];

	fputs("\"name\":", out);
	print_json_string(out, event_title(events, i));
	fprintf(out, ",\"modes\":\"%s\",\"code\":%" PRIu64,
		event_modes(events, i, modes), events->sel[i].code);
}

static void print_figure(FILE *out, const struct events *events, size_t i,
			 const struct figure *figure)
{
	fputs(i ? ",{" : "{", out);
	print_event(out, events, i);
	if (figure->missing) {
		fputs(",\"value\":null,\"share\":null,\"note\":", out);
		print_json_string(out, figure->missing);
	} else {
		fprintf(out,
			",\"value\":%" PRIu64
			",\"share\":%u.%03u,\"note\":null",
			figure->count, figure->share / WHOLE,
			figure->share % WHOLE);
	}
	if (has_interval(figure))
		fprintf(out,
			",\"low\":%" PRIu64 ",\"high\":%" PRIu64
			",\"confidence\":%d",
			figure->low, figure->high, VPMC_CONFIDENCE);
	print_statistic(out, figure->missing ? NULL : figure->statistic, false);
}

static void print_record(FILE *out, const struct report *report,
			 const struct record *record, bool is_thread)
{
	char command[COMMAND_MAX];
	struct figure figure;
	size_t i;

	fprintf(out, "{\"pid\":%d,", record->pid);
	if (is_thread)
		fprintf(out, "\"tid\":%d,", record->tid);
	vpmc_escape(record->command, command, sizeof(command));
	fputs("\"command\":", out);
	print_json_string(out, command);
	fputs(",\"events\":[", out);
	for (i = 0; i < report->events->nr; i++) {
		figure = figure_of_record(report->events, record, i);
		print_figure(out, report->events, i, &figure);
	}
	fputs("]}", out);
}

static void print_records(FILE *out, const struct report *report,
			  const char *name, bool threads)
{
	size_t i;

	fprintf(out, "\"%s\":[", name);
	for (i = 0; i < report->records->nr; i++) {
		if (i)
			fputc(',', out);
		print_record(out, report, record_at(report->records, i),
			     threads);
	}
	fputs("],", out);
}

static void print_lists(FILE *out, const struct report *report)
{
	if (report->threads)
		print_records(out, report, "threads", true);
	fold_records(report->records);
	print_records(out, report, "processes", false);
}

static void print_totals(FILE *out, const struct report *report)
{
	struct figure figure;
	size_t i;

	fputs("\"events\":[", out);
	for (i = 0; i < report->events->nr; i++) {
		figure = figure_of_total(report, i);
		print_figure(out, report->events, i, &figure);
	}
	fputs("],", out);
}

/*
 * Print the mean with all digits, because the value and its interval are rounded. A comparison
 * needs all digits.
 */
static void print_mean(FILE *out, const struct resource *resource)
{
	const double unit = resource->is_time ? (double)US_PER_S : 1;

	if (resource->statistic)
		fprintf(out, ",\"mean\":%.9f,\"deviation\":%.9f",
			average_of(resource->statistic) / unit,
			deviation_of(resource->statistic) / unit);
}

static void print_resources(FILE *out, const struct report *report)
{
	struct resource resource;
	size_t i;

	if (!has_resources(report))
		return;
	fputs("\"resources\":[", out);
	for (i = 0; get_resource(report, i, &resource); i++) {
		fprintf(out, "%s{\"name\":\"%s\",\"value\":%s", i ? "," : "",
			resource.name, resource.value);
		print_mean(out, &resource);
		print_statistic(out, resource.statistic, resource.is_time);
	}
	fputs("],", out);
}

static void print_metric(FILE *out, const struct derived *derived)
{
	fputs("{\"name\":", out);
	print_json_string(out, derived->name);
	fputs(",\"unit\":", out);
	print_json_string(out, derived->unit);
	if (derived->has_value)
		fprintf(out, ",\"value\":%s,\"share\":%u.%03u", derived->value,
			derived->share / WHOLE, derived->share % WHOLE);
	else
		fputs(",\"value\":null,\"share\":null", out);
	if (derived->low[0])
		fprintf(out, ",\"low\":%s,\"high\":%s,\"confidence\":%d",
			derived->low, derived->high, VPMC_CONFIDENCE);
	fputs(",\"note\":", out);
	if (derived->note[0])
		print_json_string(out, derived->note);
	else
		fputs("null", out);
	fputc('}', out);
}

static void print_metrics(FILE *out, const struct report *report)
{
	struct derived derived;
	size_t i;

	if (!report->events->metrics)
		return;
	fputs("\"metrics\":[", out);
	for (i = 0; get_metric(report, i, &derived); i++) {
		if (i)
			fputc(',', out);
		print_metric(out, &derived);
	}
	fputs("],", out);
}

/**
 * struct strings - an array in progress
 * @out: stream to write to
 * @nr: number of strings written
 */
struct strings {
	FILE *out;
	unsigned int nr;
};

static void print_element(const char *sentence, void *arg)
{
	struct strings *strings = arg;

	if (strings->nr++)
		fputc(',', strings->out);
	print_json_string(strings->out, sentence);
}

static void print_title(FILE *out, const struct report *report)
{
	char command[WORDS_MAX];

	if (report->is_block)
		fprintf(out, "\"seconds\":%" PRIu64 ".%03" PRIu64 ",",
			report->us / US_PER_S, report->us / 1000 % 1000);
	if (!report->number)
		return;
	join_words(command, sizeof(command), report->words);
	fprintf(out, "\"number\":%u,\"command\":", report->number);
	print_json_string(out, command);
	fputc(',', out);
}

/* Print the processor and the machine that have counted. They are unknown without counts. */
static void print_machine(FILE *out, const struct report *report)
{
	if (report->is_uncounted)
		return;
	fputs(",\"processor\":", out);
	print_json_string(out, report->events->processor);
	fprintf(out, ",\"machine\":\"%s\"",
		report->events->emulated ? "emulated" : "hardware");
}

static void print_single(FILE *out, const struct report *report)
{
	struct strings strings = { .out = out };

	fputc('{', out);
	print_title(out, report);
	if (report->records)
		print_lists(out, report);
	print_totals(out, report);
	print_metrics(out, report);
	print_resources(out, report);
	fputs("\"notes\":[", out);
	for_each_note(report, print_element, &strings);
	fputc(']', out);
	print_machine(out, report);
	fputc('}', out);
}

static void print_interval(FILE *out, const struct ratio *ratio)
{
	char low[RATIO_MAX] = "null", high[RATIO_MAX] = "null";

	if (ratio->has_interval) {
		print_ratio(low, ratio->low);
		print_ratio(high, ratio->high);
	}
	fprintf(out, ",\"low\":%s,\"high\":%s,\"confidence\":", low, high);
	if (ratio->has_interval)
		fprintf(out, "%u", ratio->confidence);
	else
		fputs("null", out);
}

static void print_relation(FILE *out, const struct events *events,
			   const struct relation *relation)
{
	char value[RATIO_MAX];

	if (relation->resource)
		fprintf(out, "\"name\":\"%s\",\"modes\":null,\"code\":null",
			relation->resource);
	else
		print_event(out, events, relation->event);
	if (relation->has_value) {
		print_ratio(value, relation->ratio.value);
		fprintf(out, ",\"value\":%s,\"share\":%u.%03u", value,
			relation->share / WHOLE, relation->share % WHOLE);
	} else {
		fputs(",\"value\":null,\"share\":null", out);
	}
	print_interval(out, &relation->ratio);
	fputs(",\"note\":", out);
	if (relation->note[0])
		print_json_string(out, relation->note);
	else
		fputs("null", out);
}

static void print_comparison(FILE *out, const struct comparison *comparison)
{
	struct relation relation;
	size_t i, j;

	fputs("{\"commands\":[", out);
	for (j = 0; j < comparison->nr; j++) {
		fputs(j ? "," : "", out);
		print_single(out, &comparison->report[j]);
	}
	fputs("],\"ratios\":[", out);
	for (i = 0; get_relation(comparison, i, 1, &relation); i++) {
		for (j = 1; j < comparison->nr; j++) {
			get_relation(comparison, i, j, &relation);
			fprintf(out, "%s{\"number\":%zu,",
				i || j > 1 ? "," : "", j + 1);
			print_relation(out, comparison->report->events,
				       &relation);
			fputc('}', out);
		}
	}
	fputs("]}", out);
}

void print_json(FILE *out, const struct report *report)
{
	if (report->comparison)
		print_comparison(out, report->comparison);
	else
		print_single(out, report);
	fputc('\n', out);
}
