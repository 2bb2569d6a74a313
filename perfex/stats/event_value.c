// SPDX-License-Identifier: GPL-2.0-only
/* Compute the value of an event after a run, or the reason why it is not known. */
#include "stats/event_value.h"

#include "events/counted.h"
#include "stats/exact_series.h"

#define LOST \
	"not known: a thread has executed a privileged program in this interval"

static unsigned int permille(uint64_t part, uint64_t whole)
{
	unsigned int share =
		(unsigned int)((double)part / (double)whole * WHOLE);

	return share < WHOLE ? share : WHOLE - 1;
}

bool has_interval(const struct figure *figure)
{
	return !figure->missing && !figure->statistic && figure->share < WHOLE;
}

/*
 * Compute the value of an event. Show a count that is not zero even if the event cannot happen by
 * the table. A projected count has an interval, or it is missing.
 */
static struct figure figure_of(const struct events *events, size_t i,
			       uint64_t count, uint64_t time, uint64_t tsc,
			       const struct vpmc_turns_of *turns)
{
	struct figure figure = { .count = count, .share = WHOLE };
	struct vpmc_estimated estimate = { .count = 0 };

	if (!count)
		figure.missing = events->never[i];
	if (figure.missing || !events->shared || time >= tsc)
		return figure;
	figure.share = permille(time, tsc);
	figure.missing =
		why_unknown(vpmc_estimate(count, time, tsc, turns, &estimate));
	figure.is_unknown = figure.missing;
	figure.count = estimate.count;
	figure.low = estimate.low;
	figure.high = estimate.high;
	return figure;
}

/*
 * Return the turns of an event, or NULL if none were recorded. Without turns, the projected count
 * is unknown.
 */
static const struct vpmc_turns_of *turns_in(const struct vpmc_spread *spread,
					    size_t i)
{
	return spread && i < spread->nr ? &spread->event[i] : NULL;
}

static struct figure figure_of_series(const struct series *series, size_t i)
{
	struct figure figure = {
		.count = mean_of(&series->event[i]),
		.share = series->share[i],
		.missing = series->missing[i],
		.is_unknown = series->is_unknown[i],
		.low = series->low[i],
		.high = series->high[i],
		.statistic = series->wanted > 1 ? &series->event[i] : NULL,
	};

	if (!figure.missing && !series->event[i].nr)
		figure.missing = "its run did not take place";
	return figure;
}

struct figure figure_in_run(const struct report *report, size_t run, size_t i)
{
	const struct exact *exact = report->exact;
	const int place = place_in(&exact->plan.set[run], i);

	return figure_of_series(&exact->series[run], (size_t)place);
}

/*
 * Return the value of an event in the first run of the plan that counts it. Events that cannot
 * happen are not in any run.
 */
static struct figure figure_of_plan(const struct report *report, size_t i)
{
	const struct plan *plan = &report->exact->plan;
	const size_t run = run_of_event(plan, i);

	if (run == plan->nr)
		return (struct figure){ .missing = report->events->never[i] };
	return figure_in_run(report, run, i);
}

struct figure figure_of_total(const struct report *report, size_t i)
{
	const struct vpmc_counts *counts = report->counts;

	if (report->exact)
		return figure_of_plan(report, i);
	if (report->series)
		return figure_of_series(report->series, i);
	if (report->has_lost)
		return (struct figure){ .missing = LOST };
	return figure_of(report->events, i, counts->count[i], counts->time[i],
			 counts->tsc, turns_in(report->spread, i));
}

struct figure figure_of_whole(const struct report *report, size_t i)
{
	struct report whole = *report;

	if (report->whole) {
		whole.counts = report->whole;
		whole.spread = report->whole_spread;
	}
	whole.has_lost = false;
	return figure_of_total(&whole, i);
}

struct figure figure_of_record(const struct events *events,
			       const struct record *record, size_t i)
{
	if (!record->is_counted)
		return (struct figure){ .missing = "other events were counted"
						   " there, or a privileged"
						   " program" };
	if (!events->shared)
		return figure_of(events, i, record->value[i], 0, 0, NULL);
	return figure_of(events, i, record->value[i],
			 record->value[events->nr + i],
			 record->value[2 * events->nr],
			 &record_turns(events, record)[i]);
}
