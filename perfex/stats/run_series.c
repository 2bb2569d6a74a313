// SPDX-License-Identifier: GPL-2.0-only
/* Accumulate the reports of several runs. */
#include "stats/run_series.h"

#include <stdlib.h>

#include "stats/event_value.h"

void begin_endings(struct series *series, unsigned int wanted,
		   const struct report_spec *spec)
{
	size_t i;

	*series = (struct series){ .wanted = wanted };
	for (i = 0; i < NR_RESOURCES; i++)
		series->resource[i].confidence = spec->confidence;
}

static bool keeps_values(const struct request *request)
{
	return request->report.plot ||
	       (request->count.runs && (request->report.format == FORMAT_CSV ||
					request->report.format == FORMAT_JSON));
}

int begin_series(struct series *series, size_t nr,
		 const struct request *request)
{
	const unsigned int wanted =
		request->count.runs ? request->count.runs : 1;
	size_t i;

	begin_endings(series, wanted, &request->report);
	for (i = 0; i < nr; i++)
		series->event[i].confidence = request->report.confidence;
	if (!keeps_values(request) || !nr)
		return 0;
	/* Sorting the values of an event needs one more row. */
	series->values = calloc(wanted, (nr + 1) * sizeof(*series->values));
	if (!series->values) {
		complain("no memory for the counts of %u runs: repeat the"
			 " command less often",
			 wanted);
		return PERFEX_SYSTEM;
	}
	for (i = 0; i < nr; i++) {
		series->event[i].values = series->values + i * wanted;
		series->event[i].sorted = series->values + nr * wanted;
	}
	return 0;
}

void end_series(struct series *series)
{
	free(series->values);
}

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
	series->is_unknown[i] |= figure.is_unknown;
	series->low[i] = figure.low;
	series->high[i] = figure.high;
}

void add_ending(struct series *series, const struct vpmc_counts *counts,
		const struct command *command)
{
	/* Add up all members but the counts, because runs may count different events. */
	struct vpmc_counts missing = *counts;
	size_t i;

	missing.nr = 0;
	missing.set = 0;
	for (i = 0; i < NR_RESOURCES; i++)
		add_value(&series->resource[i], resource_value(command, i));
	vpmc_counts_add(&series->sum, &missing, NULL);
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
