// SPDX-License-Identifier: GPL-2.0-only
/* See command.h. */
#include "command.h"

#include <stdlib.h>

#include "modes/compare.h"
#include "modes/interval.h"
#include "modes/multi_run.h"
#include "modes/single_run.h"
#include "regions/regions.h"
#include "regions/regions_collect.h"
#include "timeline/timeline.h"
#include "util/clock.h"

/* Of the counts that a region has, page faults and switches take the others. */
#define EVENTS_WITH_FAULTS 2

static int count_once(struct vpmc *vpmc, const struct events *events,
		      const struct options *options,
		      const struct signals *saved, struct output *output,
		      struct command *command,
		      const struct regions_files *regions)
{
	struct result result = { .records = { .events = events } };
	struct present_usage usage = { .nr = 0 };
	struct intervals intervals = { .ms = options->interval_ms,
				       .output = output,
				       .usage =
					       options->usage ? &usage : NULL };
	int status =
		run_once(vpmc, options, saved, &intervals, command, &result);
	struct report report = report_of(options, &result);

	report.command = options->resources ? command : NULL;
	report.with_regions = options->regions;
	report.regions = regions;
	report.raw = options->raw;
	report.faults = options->faults;
	if (!status)
		status = write_rest(&intervals, &result.counted, &report);
	if (report.failure)
		complain_of_regions(report.failure);
	free_present_usage(&usage);
	free(result.records.memory);
	return status;
}

static int count_series(const struct events *events,
			const struct options *options,
			const struct signals *saved, struct output *output,
			struct command *command, struct series *series)
{
	unsigned int i;
	int status = 0;

	output->progress.total = options->warmups + options->runs;
	for (i = 0; !status && i < options->warmups; i++) {
		status = run_again(events, options, saved, output, command,
				   NULL, NULL);
		if (is_killed(command))
			return status;
	}
	for (i = 0; !status && i < options->runs; i++) {
		status = run_again(events, options, saved, output, command,
				   series, NULL);
		if (is_killed(command))
			break;
	}
	return status;
}

static int count_repeatedly(const struct events *events,
			    const struct options *options,
			    const struct signals *saved, struct output *output,
			    struct command *command)
{
	struct series series;
	struct report report = { .events = events,
				 .counts = &series.sum,
				 .series = &series };
	int status = begin_series(&series, events->nr, options);
	int failure = 0;

	if (!status)
		status = count_series(events, options, saved, output, command,
				      &series);
	report.command = options->resources ? command : NULL;
	/* A failure takes nothing of the runs before it. */
	if (series.runs)
		failure = write_report(output, &report);
	end_series(&series);
	return status ? status : failure;
}

/* Regions, and their timeline, are collected of the command alone. */
static int count_regions(struct vpmc *vpmc, const struct events *events,
			 const struct options *options,
			 const struct signals *saved, struct output *output,
			 struct command *command)
{
	struct regions_files regions;
	int status = 0;

	if (options->faults && events->nr > EVENTS_WITH_FAULTS) {
		complain("--regions=faults has room for %d events: count fewer",
			 EVENTS_WITH_FAULTS);
		return PERFEX_TOO_MANY;
	}
	if (options->regions)
		status = collect_regions(&regions, options->faults);
	if (status)
		return status;
	status = count_once(vpmc, events, options, saved, output, command,
			    &regions);
	if (options->regions)
		discard_regions(&regions);
	return status;
}

static int count_timeline(struct vpmc *vpmc, const struct events *events,
			  const struct options *options,
			  const struct signals *saved, struct output *output,
			  struct command *command)
{
	struct timeline timeline;
	int status = collect_timeline(&timeline, options->timeline, output);
	int failure;

	if (status)
		return status;
	status = count_regions(vpmc, events, options, saved, output, command);
	failure = finish_timeline(&timeline, events, options->raw,
				  command->has_ended);
	return status ? status : failure;
}

int count_command(struct vpmc *vpmc, const struct events *events,
		  const struct options *options, struct output *output,
		  struct command *command)
{
	struct signals saved;
	int status;

	/* Before there is a file that would be left behind. */
	hold_signals(&saved);
	if (options->separator)
		return count_compared(events, options, &saved, output, command);
	if (options->exactly)
		return count_exactly(events, options, &saved, output, command);
	if (options->runs)
		return count_repeatedly(events, options, &saved, output,
					command);
	status = run_before(vpmc, options, &saved);
	if (status)
		return status;
	status = options->timeline ? count_timeline(vpmc, events, options,
						    &saved, output, command)
				   : count_regions(vpmc, events, options,
						   &saved, output, command);
	return run_after(vpmc, options, &saved, command, status);
}
