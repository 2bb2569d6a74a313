// SPDX-License-Identifier: GPL-2.0-only
/* See figure.h. */
#include "figure.h"

#include "exact.h"
#include "turns.h"

#define LOST "not known: a thread has executed a privileged program meanwhile"

static unsigned int permille(uint64_t part, uint64_t whole)
{
	unsigned int share =
		(unsigned int)((double)part / (double)whole * WHOLE);

	return share < WHOLE ? share : WHOLE - 1;
}

/*
 * Why part of the time says nothing of the whole, or NULL. Few turns may all have fallen
 * into the kernel, and what did not happen in them may have happened in others' turns.
 */
static const char *why_unknown(uint64_t count, uint64_t time)
{
	if (!time)
		return "not counted";
	if (time / FEW_TURNS < turn_clocks())
		return "not known: its turns are too few";
	if (!count)
		return "not known: it did not happen in its turns";
	return NULL;
}

/* A count that is not zero has happened, whatever was known before. */
static struct figure figure_of(const struct events *events, size_t i,
			       uint64_t count, uint64_t time, uint64_t tsc)
{
	struct figure figure = { .count = count, .share = WHOLE };

	if (!count)
		figure.missing = events->never[i];
	if (figure.missing || !events->shared || time >= tsc)
		return figure;
	figure.missing = why_unknown(count, time);
	figure.is_unknown = figure.missing;
	figure.share = permille(time, tsc);
	figure.count = vpmc_project(count, time, tsc);
	return figure;
}

static struct figure figure_of_series(const struct series *series, size_t i)
{
	struct figure figure = {
		.count = mean_of(&series->event[i]),
		.share = series->share[i],
		.missing = series->missing[i],
		.is_unknown = series->is_unknown[i],
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

struct figure figure_of_total(const struct report *report, size_t i)
{
	const struct vpmc_counts *counts = report->counts;

	if (report->exact)
		return figure_in_run(report,
				     run_of_event(&report->exact->plan, i), i);
	if (report->series)
		return figure_of_series(report->series, i);
	if (report->has_lost)
		return (struct figure){ .missing = LOST };
	return figure_of(report->events, i, counts->count[i], counts->time[i],
			 counts->tsc);
}

struct figure figure_of_whole(const struct report *report, size_t i)
{
	struct report whole = *report;

	if (report->whole)
		whole.counts = report->whole;
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
		return figure_of(events, i, record->value[i], 0, 0);
	return figure_of(events, i, record->value[i],
			 record->value[events->nr + i],
			 record->value[2 * events->nr]);
}
