// SPDX-License-Identifier: GPL-2.0-only
/* See metric.h. */
#include "metric.h"

#include <math.h>

#include "clock.h"
#include "exact.h"
#include "figure.h"
#include "group.h"
#include "resources.h"

/* Decimals: so many at least, and so many at most, so that small numbers show some. */
#define MIN_DECIMALS 3
#define MAX_DECIMALS 9

/* From here on no decimals are known, and below that MAX_DECIMALS show too little. */
#define LARGE 1e15
#define SMALL 1e-6

/* The mean of several runs is no whole number. */
static double amount_of(const struct figure *figure)
{
	const struct statistic *statistic = figure->statistic;

	return statistic ? average_of(statistic) : (double)figure->count;
}

/* The time of a run, or on average of several. False if it is not known. */
static bool get_seconds(const struct report *report, int run, double *seconds)
{
	const struct series *series = report->series;
	const struct statistic *elapsed;

	if (report->exact)
		series = run == NO_RUN ? &report->exact->total
				       : &report->exact->series[run];
	if (!series) {
		*seconds = (double)report->elapsed_us / (double)US_PER_S;
		return report->elapsed_us > 0;
	}
	elapsed = &series->resource[0];
	*seconds = average_of(elapsed) / (double)US_PER_S;
	return elapsed->nr > 0;
}

static bool fail(struct derived *derived, const char *name, const char *why)
{
	snprintf(derived->note, sizeof(derived->note), "%s: %s", name, why);
	return false;
}

/* The count of an event in a run, or wherever it was counted. */
static bool get_event(const struct report *report,
		      const struct group_event *event, int run,
		      struct derived *derived, double *value)
{
	struct figure figure;

	if (event->number == NOT_COUNTED)
		return fail(derived, event->text, event->refusal);
	figure = run == NO_RUN ? figure_of_total(report, (size_t)event->number)
			       : figure_in_run(report, (size_t)run,
					       (size_t)event->number);
	if (figure.missing)
		return fail(derived, event->text, figure.missing);
	if (figure.share < derived->share)
		derived->share = figure.share;
	*value = amount_of(&figure);
	return true;
}

static bool get_operand(const struct report *report,
			const struct metric *metric, const struct step *step,
			struct derived *derived, double *value)
{
	const struct metrics *metrics = report->events->metrics;
	int run = NO_RUN;

	/* A time alone is that of all runs on average. */
	if (report->exact &&
	    (step->kind == STEP_EVENT || step->ratio != NO_RATIO)) {
		run = run_of_ratio(&report->exact->plan, metrics, metric,
				   step->ratio);
		if (run == NO_RUN)
			snprintf(derived->note, sizeof(derived->note),
				 "its events are from several runs");
	}
	switch (step->kind) {
	case STEP_EVENT:
		return get_event(report, &metrics->event[step->event], run,
				 derived, value);
	case STEP_TIME:
		return get_seconds(report, run, value) ||
		       fail(derived, "time", "not known");
	default:
		*value = step->number;
		return true;
	}
}

static void print_value(struct derived *derived, double value)
{
	int decimals = MIN_DECIMALS;
	double shown = fabs(value);

	if (shown >= LARGE || (shown > 0 && shown < SMALL)) {
		snprintf(derived->value, sizeof(derived->value), "%.*e",
			 decimals, value);
		return;
	}
	while (shown > 0 && shown < 1 && decimals < MAX_DECIMALS) {
		shown *= 10;
		decimals++;
	}
	snprintf(derived->value, sizeof(derived->value), "%.*f", decimals,
		 value);
}

/* What is added up from counts alone is a count. */
static bool is_count(const struct formula *formula, double value)
{
	size_t i;

	for (i = 0; i < formula->nr; i++) {
		const enum step_kind kind = formula->step[i].kind;

		if (kind != STEP_EVENT && kind != STEP_ADD &&
		    kind != STEP_SUBTRACT)
			return false;
	}
	return rint(value) == value && fabs(value) < LARGE;
}

static void derive(const struct report *report, const struct metric *metric,
		   struct derived *derived)
{
	const struct formula *formula = &metric->formula;
	double operand[FORMULA_STEPS] = { 0 };
	double value;
	size_t i;

	for (i = 0; i < formula->nr; i++) {
		if (formula->step[i].kind <= STEP_TIME &&
		    !get_operand(report, metric, &formula->step[i], derived,
				 &operand[i]))
			return;
	}
	if (!evaluate(formula, operand, &value)) {
		fail(derived, "no value", "the formula divides by zero here");
	} else if (!isfinite(value)) {
		fail(derived, "no value", "the result is too large");
	} else {
		derived->has_value = true;
		if (is_count(formula, value))
			snprintf(derived->value, sizeof(derived->value), "%.0f",
				 value);
		else
			print_value(derived, value);
	}
}

bool get_metric(const struct report *report, size_t i, struct derived *derived)
{
	const struct metrics *metrics = report->events->metrics;

	if (!metrics || i >= metrics->nr)
		return false;
	*derived = (struct derived){ .name = metrics->metric[i].name,
				     .unit = metrics->metric[i].unit,
				     .share = WHOLE };
	derive(report, &metrics->metric[i], derived);
	return true;
}
