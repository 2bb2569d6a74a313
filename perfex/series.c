// SPDX-License-Identifier: GPL-2.0-only
/* See series.h. */
#include "series.h"

#include "figure.h"

static void add_event(struct series *series, const struct report *report,
		      size_t i)
{
	const struct figure figure = figure_of_total(report, i);

	if (figure.missing)
		series->missing[i] = figure.missing;
	else
		add_value(&series->event[i], figure.count);
	if (!series->runs || figure.share < series->share[i])
		series->share[i] = figure.share;
	series->has_few_turns[i] |= figure.has_few_turns;
}

void add_ending(struct series *series, const struct vpmc_counts *counts,
		const struct command *command)
{
	size_t i;

	for (i = 0; i < NR_RESOURCES; i++)
		add_value(&series->resource[i], resource_value(command, i));
	vpmc_counts_add(&series->sum, counts);
	if (exit_status(command) && !series->failed++)
		series->failure = *command;
	series->runs++;
}

void add_run(struct series *series, const struct report *report,
	     const struct command *command)
{
	size_t i;

	for (i = 0; i < report->events->nr; i++)
		add_event(series, report, i);
	add_ending(series, report->counts, command);
}
