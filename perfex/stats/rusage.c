// SPDX-License-Identifier: GPL-2.0-only
/* Compute the times and resources of the command. */
#include "stats/rusage.h"

#include <inttypes.h>
#include <string.h>

#include "run/present_rusage.h"
#include "stats/event_value.h"
#include "stats/exact_series.h"
#include "stats/run_series.h"
#include "util/clock.h"

static uint64_t microseconds(const struct timeval *time)
{
	return (uint64_t)time->tv_sec * US_PER_S + (uint64_t)time->tv_usec;
}

static uint64_t user(const struct command *command)
{
	return microseconds(&command->usage.ru_utime);
}

static uint64_t system_time(const struct command *command)
{
	return microseconds(&command->usage.ru_stime);
}

/*
 * The kernel's numbers are a long, which is negative from 2^31 on if it has 32 bits. So the
 * following functions convert them to unsigned numbers.
 */
static uint64_t minor_faults(const struct command *command)
{
	return (unsigned long)command->usage.ru_minflt;
}

static uint64_t major_faults(const struct command *command)
{
	return (unsigned long)command->usage.ru_majflt;
}

static uint64_t voluntary_switches(const struct command *command)
{
	return (unsigned long)command->usage.ru_nvcsw;
}

static uint64_t involuntary_switches(const struct command *command)
{
	return (unsigned long)command->usage.ru_nivcsw;
}

static uint64_t max_memory(const struct command *command)
{
	return (unsigned long)command->usage.ru_maxrss;
}

/* Times are in microseconds. */
static const struct {
	const char *name;
	uint64_t (*get)(const struct command *command);
	bool is_time;
} resources[] = {
	{ "elapsed_seconds", elapsed_us, true },
	{ "user_seconds", user, true },
	{ "system_seconds", system_time, true },
	{ "minor_faults", minor_faults, false },
	{ "major_faults", major_faults, false },
	{ "voluntary_switches", voluntary_switches, false },
	{ "involuntary_switches", involuntary_switches, false },
	{ "max_memory_kib", max_memory, false },
};

_Static_assert(sizeof(resources) / sizeof(resources[0]) == NR_RESOURCES, "");

/* The resources of --faults begin at this index, in the order of enum present_number. */
#define FIRST_PRESENT 3

const char *resource_name(size_t i)
{
	return resources[i].name;
}

bool resource_is_time(size_t i)
{
	return resources[i].is_time;
}

uint64_t resource_value(const struct command *command, size_t i)
{
	return resources[i].get(command);
}

/* Return the event that a generic name stands for on this processor, or NULL. */
static const struct vpmc_event_info *find_generic(const struct vpmc_pmu *pmu,
						  const char *name)
{
	const struct vpmc_named_event *event;
	unsigned int i;

	for (i = 0; (event = vpmc_generic_event(pmu, i)); i++) {
		if (!event->refusal && !strcmp(event->info.name, name))
			return &event->info;
	}
	return NULL;
}

/*
 * Return the index of the event that a generic name stands for, in @modes unless they are 0, or
 * -1.
 */
static int find_event(const struct events *events, const char *name,
		      unsigned int modes)
{
	const struct vpmc_event_info *info = find_generic(events->pmu, name);
	size_t i;

	for (i = 0; info && i < events->nr; i++) {
		if (events->sel[i].code == info->code &&
		    (!modes || events->sel[i].modes == modes))
			return (int)i;
	}
	return -1;
}

/*
 * Get the values of two events, over all intervals so far or from the same run. Returns false if
 * no run counted both events.
 */
static bool get_figures(const struct report *report, size_t i, size_t j,
			struct figure *first, struct figure *second)
{
	int run;

	if (report->exact) {
		run = run_of_both(&report->exact->plan, i, j);
		if (run == NO_RUN)
			return false;
		*first = figure_in_run(report, (size_t)run, i);
		*second = figure_in_run(report, (size_t)run, j);
		return true;
	}
	*first = figure_of_whole(report, i);
	*second = figure_of_whole(report, j);
	return true;
}

static bool get_ratio(const struct report *report, struct resource *resource)
{
	const struct events *events = report->events;
	struct figure instructions, cycles;
	int i, j = -1;

	if (report->is_uncounted)
		return false;
	i = find_event(events, "instructions", 0);
	if (i >= 0)
		j = find_event(events, "cycles", events->sel[i].modes);
	if (j < 0 ||
	    !get_figures(report, (size_t)i, (size_t)j, &instructions, &cycles))
		return false;
	/*
	 * Do not print a ratio of projected counts, because this line does not have room for an
	 * interval. A group computes the same ratio with an interval.
	 */
	if (instructions.missing || cycles.missing || !cycles.count ||
	    instructions.share < WHOLE || cycles.share < WHOLE)
		return false;
	*resource = (struct resource){ .name = "instructions_per_cycle" };
	snprintf(resource->value, sizeof(resource->value), "%.3f",
		 (double)instructions.count / (double)cycles.count);
	return true;
}

void print_amount(char *text, size_t size, uint64_t value, bool is_time)
{
	if (is_time)
		snprintf(text, size, "%" PRIu64 ".%06" PRIu64, value / US_PER_S,
			 value % US_PER_S);
	else
		snprintf(text, size, "%" PRIu64, value);
}

bool has_resources(const struct report *report)
{
	return report->command || report->usage;
}

static bool get_present(const struct report *report, size_t i,
			struct resource *resource)
{
	if (i >= NR_PRESENT)
		return false;
	*resource =
		(struct resource){ .name = resources[FIRST_PRESENT + i].name };
	print_amount(resource->value, sizeof(resource->value),
		     report->usage->block[i], false);
	return true;
}

bool get_resource(const struct report *report, size_t i,
		  struct resource *resource)
{
	if (report->usage)
		return get_present(report, i, resource);
	if (!report->command || i > NR_RESOURCES)
		return false;
	if (i == NR_RESOURCES)
		return get_ratio(report, resource);
	*resource = (struct resource){ .name = resources[i].name,
				       .is_time = resources[i].is_time };
	if (report->series && report->series->wanted > 1)
		resource->statistic = &report->series->resource[i];
	print_amount(resource->value, sizeof(resource->value),
		     report->series ? mean_of(&report->series->resource[i])
				    : resource_value(report->command, i),
		     resource->is_time);
	return true;
}
