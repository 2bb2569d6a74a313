// SPDX-License-Identifier: GPL-2.0-only
/* Choose how a command is counted: once, in several runs, or compared with others. */
#include "command.h"

#include <stdlib.h>

#include "modes/compare.h"
#include "modes/interval.h"
#include "modes/multi_run.h"
#include "modes/single_run.h"
#include "profile/profile.h"
#include "regions/regions.h"
#include "regions/regions_collect.h"
#include "timeline/timeline.h"
#include "util/clock.h"

/*
 * A region counts at most this many events with --regions=faults, because page faults and
 * switches take its other counts.
 */
#define EVENTS_WITH_FAULTS 2

static int count_once(struct vpmc *vpmc, const struct events *events,
		      const struct request *request,
		      const struct signals *saved, struct output *output,
		      struct command *command,
		      const struct regions_files *regions,
		      struct profile *profile)
{
	struct result result = { .records = { .events = events } };
	struct present_usage usage = { .nr = 0 };
	struct intervals intervals = { .ms = request->report.interval_ms,
				       .output = output,
				       .usage = request->report.usage ? &usage
								      : NULL,
				       .profile = profile };
	int status =
		run_once(vpmc, request, saved, &intervals, command, &result);
	struct report report = report_of(&request->count, &result);

	report.command = request->report.resources ? command : NULL;
	report.with_regions = request->count.regions;
	report.regions = regions;
	report.raw = request->report.raw;
	report.faults = request->count.faults;
	if (!status)
		status = write_rest(&intervals, &result.counted, &report);
	if (report.failure)
		complain_of_regions(report.failure);
	if (!status && profile)
		status = write_profile(profile, &result.counted.counts);
	free_present_usage(&usage);
	free(result.records.memory);
	return status;
}

/*
 * Count a command with its regions and their timeline, which are collected only from the
 * command.
 */
static int count_regions(struct vpmc *vpmc, const struct events *events,
			 const struct request *request,
			 const struct signals *saved, struct output *output,
			 struct command *command, struct profile *profile)
{
	struct regions_files regions;
	int status = 0;

	if (request->count.faults && events->nr > EVENTS_WITH_FAULTS) {
		complain("--regions=faults has room for %d events: count fewer",
			 EVENTS_WITH_FAULTS);
		return PERFEX_TOO_MANY;
	}
	if (request->count.regions)
		status = collect_regions(&regions, request->count.faults);
	if (status)
		return status;
	status = count_once(vpmc, events, request, saved, output, command,
			    &regions, profile);
	if (request->count.regions)
		discard_regions(&regions);
	return status;
}

static int count_timeline(struct vpmc *vpmc, const struct events *events,
			  const struct request *request,
			  const struct signals *saved, struct output *output,
			  struct command *command)
{
	struct timeline timeline;
	int status =
		collect_timeline(&timeline, request->report.timeline, output);
	int failure;

	if (status)
		return status;
	status = count_regions(vpmc, events, request, saved, output, command,
			       NULL);
	failure = finish_timeline(&timeline, events, request->report.raw,
				  command->has_ended);
	return status ? status : failure;
}

static int count_profile(struct vpmc *vpmc, const struct events *events,
			 const struct request *request,
			 const struct signals *saved, struct output *output,
			 struct command *command)
{
	struct profile *profile = NULL;
	int status = open_profile(&profile, events, request, output);
	int failure;

	if (!status)
		status = add_rings(profile, vpmc);

	if (!status)
		status = count_regions(vpmc, events, request, saved, output,
				       command, profile);
	failure = close_profile(profile);
	return status ? status : failure;
}

static int count_here(struct vpmc *vpmc, const struct events *events,
		      const struct request *request,
		      const struct signals *saved, struct output *output,
		      struct command *command)
{
	if (request->count.profile)
		return count_profile(vpmc, events, request, saved, output,
				     command);
	if (request->report.timeline)
		return count_timeline(vpmc, events, request, saved, output,
				      command);
	return count_regions(vpmc, events, request, saved, output, command,
			     NULL);
}

int count_command(struct vpmc *vpmc, const struct events *events,
		  const struct request *request, struct output *output,
		  struct command *command)
{
	struct signals saved;
	int status;

	/*
	 * Block signals before perfex creates a file, which it could not remove if a signal ended
	 * it.
	 */
	hold_signals(&saved);
	if (request->count.separator)
		return count_compared(events, request, &saved, output, command);
	if (request->count.exactly)
		return count_exactly(events, request, &saved, output, command);
	if (request->count.runs)
		return count_repeatedly(events, request, &saved, output,
					command);
	status = run_before(vpmc, request, &saved);
	if (status)
		return status;
	status = count_here(vpmc, events, request, &saved, output, command);
	return run_after(vpmc, request, &saved, command, status);
}
