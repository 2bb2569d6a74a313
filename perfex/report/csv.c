// SPDX-License-Identifier: GPL-2.0-only
/* Print reports as comma-separated values. Each row has all columns that perfex(1) lists. */
#include "report/csv.h"

#include <inttypes.h>
#include <string.h>

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

void print_csv_field(FILE *out, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

/* Print the first columns of a row. */
static void print_kind(FILE *out, const struct report *report, const char *kind)
{
	fprintf(out, "%s,", kind);
	if (report->is_block)
		fprintf(out, "%" PRIu64 ".%03" PRIu64, report->us / US_PER_S,
			report->us / 1000 % 1000);
	fputc(',', out);
}

/* Print the first columns of a row that is not part of a list. */
static void print_start(FILE *out, const struct report *report,
			const char *kind)
{
	char command[WORDS_MAX];

	print_kind(out, report, kind);
	fputs(",,", out);
	if (report->number) {
		join_words(command, sizeof(command), report->words);
		print_csv_field(out, command);
	}
	fputc(',', out);
}

/* Print the columns of a statistic, which follow the value. */
static void print_statistic(FILE *out, const struct statistic *statistic,
			    bool is_time)
{
	char min[AMOUNT_MAX], max[AMOUNT_MAX];

	if (!statistic) {
		fputs(",,,,", out);
		return;
	}
	print_amount(min, sizeof(min), statistic->min, is_time);
	print_amount(max, sizeof(max), statistic->max, is_time);
	fprintf(out, ",%u,%.*f,%s,%s", statistic->nr, is_time ? 6 : 1,
		interval_of(statistic) / (is_time ? 1e6 : 1), min, max);
}

/*
 * Print the last columns with an interval from @low to @high, and with @confidence unless that is
 * 0.
 */
static void print_end_interval(FILE *out, const struct report *report,
			       const char *unit, const char *low,
			       const char *high, unsigned int confidence)
{
	fputc(',', out);
	print_csv_field(out, unit);
	fputc(',', out);
	if (report->number)
		fprintf(out, "%u", report->number);
	fprintf(out, ",%s,%s,", low, high);
	if (confidence)
		fprintf(out, "%u", confidence);
	fputc('\n', out);
}

/* Print the last columns of a row. Each of @ratio and @statistic is NULL or has an interval. */
static void print_end(FILE *out, const struct report *report, const char *unit,
		      const struct statistic *statistic,
		      const struct ratio *ratio)
{
	char low[RATIO_MAX] = "", high[RATIO_MAX] = "";
	unsigned int confidence = statistic ? statistic->confidence : 0;

	if (ratio) {
		print_ratio(low, ratio->low);
		print_ratio(high, ratio->high);
		confidence = ratio->confidence;
	}
	print_end_interval(out, report, unit, low, high, confidence);
}

static void print_event(FILE *out, const struct events *events, size_t i)
{
	char modes[EVENT_MODES_MAX];

	print_csv_field(out, event_title(events, i));
	fprintf(out, ",%s,%" PRIu64 ",", event_modes(events, i, modes),
		events->sel[i].code);
}

static void print_figure(FILE *out, const struct report *report, size_t i,
			 const struct figure *figure)
{
	const struct statistic *const statistic =
		figure->missing ? NULL : figure->statistic;
	char low[COUNT_WIDTH + 1], high[COUNT_WIDTH + 1];

	print_event(out, report->events, i);
	if (figure->missing)
		fputs(",,", out);
	else
		fprintf(out, "%" PRIu64 ",%u.%03u,", figure->count,
			figure->share / WHOLE, figure->share % WHOLE);
	print_csv_field(out, figure->missing ? figure->missing : "");
	print_statistic(out, statistic, false);
	if (!has_interval(figure)) {
		print_end(out, report, "", statistic, NULL);
		return;
	}
	snprintf(low, sizeof(low), "%" PRIu64, figure->low);
	snprintf(high, sizeof(high), "%" PRIu64, figure->high);
	print_end_interval(out, report, "", low, high, VPMC_CONFIDENCE);
}

static void print_records(FILE *out, const struct report *report,
			  const char *kind, bool threads)
{
	char command[COMMAND_MAX];
	struct figure figure;
	size_t i, j;

	for (i = 0; i < report->records->nr; i++) {
		const struct record *record = record_at(report->records, i);

		vpmc_escape(record->command, command, sizeof(command));
		for (j = 0; j < report->events->nr; j++) {
			print_kind(out, report, kind);
			fprintf(out, "%d,", record->pid);
			if (threads)
				fprintf(out, "%d", record->tid);
			fputc(',', out);
			print_csv_field(out, command);
			fputc(',', out);
			figure = figure_of_record(report->events, record, j);
			print_figure(out, report, j, &figure);
		}
	}
}

static void print_lists(FILE *out, const struct report *report)
{
	if (report->threads)
		print_records(out, report, "thread", true);
	fold_records(report->records);
	print_records(out, report, "process", false);
}

/* Print a row with a number of event @i and no other value. */
static void print_number(FILE *out, const struct report *report,
			 const char *kind, size_t i, const char *number)
{
	print_start(out, report, kind);
	print_event(out, report->events, i);
	fprintf(out, "%s,,", number);
	print_statistic(out, NULL, false);
	print_end(out, report, "", NULL, NULL);
}

/* Print the values of each run, in the order of the runs. */
static void print_values(FILE *out, const struct report *report, size_t i,
			 const struct statistic *statistic)
{
	const struct order order = order_of(statistic);
	char number[AMOUNT_MAX];
	unsigned int run;

	snprintf(number, sizeof(number), "%" PRIu64 ".%c", order.median,
		 order.is_half ? '5' : '0');
	print_number(out, report, "median", i, number);
	snprintf(number, sizeof(number), "%u", order.outliers);
	print_number(out, report, "outliers", i, number);
	for (run = 0; run < statistic->nr; run++) {
		snprintf(number, sizeof(number), "%" PRIu64,
			 statistic->values[run]);
		print_number(out, report, "run", i, number);
	}
}

static void print_totals(FILE *out, const struct report *report)
{
	struct figure figure;
	size_t i;

	for (i = 0; i < report->events->nr; i++) {
		figure = figure_of_total(report, i);
		print_start(out, report, "event");
		print_figure(out, report, i, &figure);
		if (!figure.missing && figure.statistic &&
		    figure.statistic->values)
			print_values(out, report, i, figure.statistic);
	}
}

static void print_resources(FILE *out, const struct report *report)
{
	struct resource resource;
	size_t i;

	for (i = 0; get_resource(report, i, &resource); i++) {
		print_start(out, report, "resource");
		fprintf(out, "%s,,,%s,,", resource.name, resource.value);
		print_statistic(out, resource.statistic, resource.is_time);
		print_end(out, report, "", resource.statistic, NULL);
	}
}

static void print_metrics(FILE *out, const struct report *report)
{
	struct derived derived;
	size_t i;

	for (i = 0; get_metric(report, i, &derived); i++) {
		print_start(out, report, "metric");
		print_csv_field(out, derived.name);
		fputs(",,,", out);
		if (derived.has_value)
			fprintf(out, "%s,%u.%03u", derived.value,
				derived.share / WHOLE, derived.share % WHOLE);
		else
			fputc(',', out);
		fputc(',', out);
		print_csv_field(out, derived.note);
		print_statistic(out, NULL, false);
		print_end_interval(out, report, derived.unit, derived.low,
				   derived.high,
				   derived.low[0] ? VPMC_CONFIDENCE : 0);
	}
}

/**
 * struct rows - the destination of rows of notes
 * @out: stream to write to
 * @report: the report that the notes belong to
 */
struct rows {
	FILE *out;
	const struct report *report;
};

static void print_note_row(const char *sentence, void *arg)
{
	const struct rows *rows = arg;

	print_start(rows->out, rows->report, "note");
	fputs(",,,,,", rows->out);
	print_csv_field(rows->out, sentence);
	print_statistic(rows->out, NULL, false);
	print_end(rows->out, rows->report, "", NULL, NULL);
}

static void print_single(FILE *out, const struct report *report)
{
	struct rows rows = { .out = out, .report = report };

	if (report->records)
		print_lists(out, report);
	print_totals(out, report);
	print_metrics(out, report);
	print_resources(out, report);
	for_each_note(report, print_note_row, &rows);
}

static void print_relation(FILE *out, const struct report *report,
			   const struct relation *relation)
{
	const struct ratio *ratio = &relation->ratio;
	char value[RATIO_MAX];

	print_start(out, report, "ratio");
	if (relation->resource)
		fprintf(out, "%s,,,", relation->resource);
	else
		print_event(out, report->events, relation->event);
	if (relation->has_value) {
		print_ratio(value, ratio->value);
		fprintf(out, "%s,%u.%03u,", value, relation->share / WHOLE,
			relation->share % WHOLE);
	} else {
		fputs(",,", out);
	}
	print_csv_field(out, relation->note);
	print_statistic(out, NULL, false);
	print_end(out, report, "", NULL, ratio->has_interval ? ratio : NULL);
}

static void print_comparison(FILE *out, const struct comparison *comparison)
{
	struct relation relation;
	size_t i, j;

	for (j = 0; j < comparison->nr; j++)
		print_single(out, &comparison->report[j]);
	for (i = 0; get_relation(comparison, i, 1, &relation); i++) {
		for (j = 1; j < comparison->nr; j++) {
			get_relation(comparison, i, j, &relation);
			print_relation(out, &comparison->report[j], &relation);
		}
	}
}

void print_csv(FILE *out, bool is_begun, const struct report *report)
{
	if (!is_begun)
		fputs(CSV_ALL_COLUMNS "\n", out);
	if (report->comparison)
		print_comparison(out, report->comparison);
	else
		print_single(out, report);
}
