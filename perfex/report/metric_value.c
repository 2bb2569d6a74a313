// SPDX-License-Identifier: GPL-2.0-only
/* Compute the value of a metric for a report. */
#include "report/metric_value.h"

#include <math.h>

#include "events/group.h"
#include "stats/event_value.h"
#include "stats/exact_series.h"
#include "stats/rusage.h"
#include "util/clock.h"

/* Numbers have at least MIN_DECIMALS decimals. Small numbers have up to MAX_DECIMALS. */
#define MIN_DECIMALS 3
#define MAX_DECIMALS 9

/*
 * From LARGE on, the decimals of a double are not known. Below SMALL, MAX_DECIMALS decimals show
 * too few digits.
 */
#define LARGE 1e15
#define SMALL 1e-6

/* A formula can have an interval if at most this many of its events are projected. */
#define PROJECTED_MAX 12

/**
 * struct operand - the value of a step of a formula
 * @value: the best estimate
 * @low: lowest possible value; equal to @high if the value is known exactly
 * @high: highest possible value
 */
struct operand {
	double value;
	double low;
	double high;
};

/* Return an event's count, or the mean of several runs, which may not be a whole number. */
static double amount_of(const struct figure *figure)
{
	const struct statistic *statistic = figure->statistic;

	return statistic ? average_of(statistic) : (double)figure->count;
}

/* Get the time of a run, or the mean time of several runs. Returns false if it is not known. */
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

/* Get the count of an event in a run, or in all runs that counted it. */
static bool get_event(const struct report *report,
		      const struct group_event *event, int run,
		      struct derived *derived, struct operand *operand)
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
	operand->value = amount_of(&figure);
	operand->low =
		has_interval(&figure) ? (double)figure.low : operand->value;
	operand->high =
		has_interval(&figure) ? (double)figure.high : operand->value;
	return true;
}

static bool get_operand(const struct report *report,
			const struct metric *metric, const struct step *step,
			struct derived *derived, struct operand *operand)
{
	const struct metrics *metrics = report->events->metrics;
	int run = NO_RUN;

	/* A time outside of a ratio is the mean time of all runs. */
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
				 derived, operand);
	case STEP_TIME:
		if (!get_seconds(report, run, &operand->value))
			return fail(derived, "time", "not known");
		break;
	default:
		operand->value = step->number;
	}
	operand->low = operand->value;
	operand->high = operand->value;
	return true;
}

static void print_value(char *text, size_t size, double value)
{
	int decimals = MIN_DECIMALS;
	double shown = fabs(value);

	if (shown >= LARGE || (shown > 0 && shown < SMALL)) {
		snprintf(text, size, "%.*e", decimals, value);
		return;
	}
	while (shown > 0 && shown < 1 && decimals < MAX_DECIMALS) {
		shown *= 10;
		decimals++;
	}
	snprintf(text, size, "%.*f", decimals, value);
}

/*
 * Tell whether the value is a count. A formula yields a count if it only adds and subtracts
 * counts.
 */
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

static void print_derived(const struct formula *formula, char *text,
			  size_t size, double value)
{
	if (is_count(formula, value))
		snprintf(text, size, "%.0f", value);
	else
		print_value(text, size, value);
}

/*
 * Assign a bit to each projected event of the formula. An event that occurs twice has a single
 * bit. Returns the number of projected events.
 */
static unsigned int number_events(const struct formula *formula,
				  const struct operand *operand,
				  unsigned int *number)
{
	const struct step *step = formula->step;
	unsigned int nr = 0;
	size_t i, j;

	for (i = 0; i < formula->nr; i++) {
		if (step[i].kind != STEP_EVENT ||
		    operand[i].low >= operand[i].high)
			continue;
		for (j = 0; j < i; j++) {
			if (step[j].kind == STEP_EVENT &&
			    step[j].event == step[i].event)
				break;
		}
		number[i] = j < i ? number[j] : nr++;
	}
	return nr;
}

static unsigned int nr_projected(const struct formula *formula,
				 const struct operand *operand)
{
	unsigned int number[FORMULA_STEPS] = { 0 };

	return number_events(formula, operand, number);
}

/*
 * Compute the value with the highest counts of the events whose bits are set in @ends, and the
 * lowest counts of the other events.
 */
static bool evaluate_at(const struct formula *formula,
			const struct operand *operand,
			const unsigned int *number, unsigned long ends,
			double *value, uint64_t *negative)
{
	double at[FORMULA_STEPS] = { 0 };
	size_t i;

	for (i = 0; i < formula->nr; i++)
		at[i] = ends >> number[i] & 1 ? operand[i].high
					      : operand[i].low;
	return evaluate(formula, at, value, negative) && isfinite(*value);
}

/*
 * Find the range of a formula if each event lies in its interval. The least and the greatest
 * value are at the ends of the intervals. The range is unknown if a divisor may be zero. A
 * divisor may be zero if it is negative at some ends of the intervals and not at others. @value
 * is the best estimate. It lies within the range if the formula is monotonic in each event.
 * Returns whether the range is known.
 */
static bool find_range(const struct formula *formula,
		       const struct operand *operand, double value, double *low,
		       double *high)
{
	unsigned int number[FORMULA_STEPS] = { 0 };
	const unsigned int nr = number_events(formula, operand, number);
	uint64_t first = 0, negative;
	unsigned long ends;
	double at_ends;

	*low = value;
	*high = value;
	if (!nr)
		return true;
	for (ends = 0; ends < 1UL << nr; ends++) {
		if (!evaluate_at(formula, operand, number, ends, &at_ends,
				 &negative))
			return false;
		if (!ends) {
			*low = *high = at_ends;
			first = negative;
		}
		if (negative != first)
			return false;
		*low = fmin(*low, at_ends);
		*high = fmax(*high, at_ends);
	}
	return *low <= value && value <= *high;
}

static void derive_range(const struct formula *formula,
			 const struct operand *operand, double value,
			 struct derived *derived)
{
	double low, high;

	if (nr_projected(formula, operand) > PROJECTED_MAX) {
		derived->has_value = false;
		fail(derived, "not known",
		     "too many of its events are projected");
		return;
	}
	if (!find_range(formula, operand, value, &low, &high)) {
		derived->has_value = false;
		fail(derived, "not known", "its events may be too far off");
		return;
	}
	if (low >= high)
		return;
	print_derived(formula, derived->low, sizeof(derived->low), low);
	print_derived(formula, derived->high, sizeof(derived->high), high);
}

static void derive_value(const struct formula *formula,
			 const struct operand *operand, struct derived *derived)
{
	double at[FORMULA_STEPS] = { 0 };
	uint64_t negative;
	double value;
	size_t i;

	for (i = 0; i < formula->nr; i++)
		at[i] = operand[i].value;
	if (!evaluate(formula, at, &value, &negative)) {
		fail(derived, "no value", "the formula divides by zero here");
	} else if (!isfinite(value)) {
		fail(derived, "no value", "the result is too large");
	} else {
		derived->has_value = true;
		print_derived(formula, derived->value, sizeof(derived->value),
			      value);
		derive_range(formula, operand, value, derived);
	}
}

static void derive(const struct report *report, const struct metric *metric,
		   struct derived *derived)
{
	const struct formula *formula = &metric->formula;
	struct operand operand[FORMULA_STEPS] = { { 0 } };
	size_t i;

	for (i = 0; i < formula->nr; i++) {
		if (formula->step[i].kind <= STEP_TIME &&
		    !get_operand(report, metric, &formula->step[i], derived,
				 &operand[i]))
			return;
	}
	derive_value(formula, operand, derived);
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
