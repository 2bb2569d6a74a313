// SPDX-License-Identifier: GPL-2.0-only
/* Execute the command until each event has been counted as often as requested. */
#include "measure.h"

#include <inttypes.h>
#include <sys/wait.h>
#include <time.h>

#include "run_p5mon.h"

/**
 * struct measurement - a measurement in progress
 * @results: the results so far
 * @words: the command
 * @regions: regions of each execution, or NULL
 * @warned_of_end: true after a warning about the command's exit status
 * @warned_of_times: true after a warning that regions are not entered as often as in the
 *	first execution
 */
struct measurement {
	struct results *results;
	const struct words *words;
	struct regions *regions;
	bool warned_of_end;
	bool warned_of_times;
};

static struct pair pair_from(const struct results *results, unsigned int event)
{
	struct pair pair = { .user = results->parameters->user_events,
			     .kernel = results->parameters->kernel_events };

	while (pair.nr < COUNTERS && event + pair.nr < results->nr) {
		pair.number[pair.nr] = results->number[event + pair.nr];
		pair.nr++;
	}
	return pair;
}

static void warn_of_end(struct measurement *measurement, int status)
{
	if (!status || measurement->warned_of_end)
		return;
	measurement->warned_of_end = true;
	if (WIFSIGNALED(status))
		complain("warning: signal %d has ended the command",
			 WTERMSIG(status));
	else
		complain("warning: the command has ended with status %d",
			 WEXITSTATUS(status));
}

static int keep_region(struct measurement *measurement, unsigned int number)
{
	struct results *results = measurement->results;
	const struct region_counts *now = &measurement->regions->region[number];
	struct region_counts *first = &results->region[number];

	if (number >= results->parameters->max_regions &&
	    (now->entered || now->exited)) {
		complain("the command has entered region %u: set max_regions"
			 " to %u or more",
			 number, number + 1);
		return PERFEX_USAGE;
	}
	if (!results->executions) {
		*first = *now;
		if (now->entered != now->exited)
			complain("warning: region %u was entered %" PRIu64
				 " times and left %" PRIu64
				 " times: its counts are invalid",
				 number, now->entered, now->exited);
	} else if ((now->entered != first->entered ||
		    now->exited != first->exited) &&
		   !measurement->warned_of_times) {
		measurement->warned_of_times = true;
		complain("warning: region %u was entered %" PRIu64
			 " times, and %" PRIu64
			 " times in the first execution, which the report"
			 " shows",
			 number, now->entered, first->entered);
	}
	return 0;
}

static int keep_regions(struct measurement *measurement, unsigned int event,
			const struct pair *pair, unsigned int repetition)
{
	struct results *results = measurement->results;
	unsigned int i, j;
	int status = 0;

	for (i = 0; !status && i < P5MON_REGIONS; i++)
		status = keep_region(measurement, i);
	for (i = 0; !status && i < results->parameters->max_regions; i++) {
		for (j = 0; j < pair->nr; j++)
			*value_of(results, i, event + j, repetition) =
				measurement->regions->region[i].count[j];
	}
	return status;
}

static void say_execution(const struct results *results,
			  const struct pair *pair)
{
	if (results->parameters->verbose_level < 2)
		return;
	complain("execution %u of %u: %s%s%s", results->executions + 1,
		 (results->nr + COUNTERS - 1) / COUNTERS *
			 results->parameters->repetitions,
		 p5mon_event_name[pair->number[0]], pair->nr > 1 ? ", " : "",
		 pair->nr > 1 ? p5mon_event_name[pair->number[1]] : "");
}

static int measure_pair(struct measurement *measurement, unsigned int event,
			unsigned int repetition)
{
	struct results *results = measurement->results;
	const struct pair pair = pair_from(results, event);
	struct run run;
	unsigned int i;
	int status;

	say_execution(results, &pair);
	status = run_command(measurement->words, &pair, measurement->regions,
			     &run);
	if (status)
		return status;
	warn_of_end(measurement, run.status);
	if (measurement->regions)
		status = keep_regions(measurement, event, &pair, repetition);
	for (i = 0; !measurement->regions && i < pair.nr; i++)
		*value_of(results, 0, event + i, repetition) = run.count[i];
	results->run_seconds += run.seconds;
	results->executions++;
	return status;
}

static int measure_all(struct measurement *measurement)
{
	const struct results *results = measurement->results;
	const struct parameters *parameters = results->parameters;
	unsigned int repetition, event;
	int status = 0;

	for (repetition = 0; !status && repetition < parameters->repetitions;
	     repetition++) {
		if (parameters->verbose_level)
			complain("repetition %u of %u", repetition + 1,
				 parameters->repetitions);
		for (event = 0; !status && event < results->nr;
		     event += COUNTERS)
			status = measure_pair(measurement, event, repetition);
	}
	return status;
}

/* Run the command once without counting, to bring its files into memory. */
static int run_initially(struct measurement *measurement)
{
	const struct parameters *parameters = measurement->results->parameters;
	const struct pair none = { .nr = 0 };
	struct run run;
	int status;

	if (parameters->skip_initialization_run)
		return 0;
	if (parameters->verbose_level)
		complain("initialization run, which is not counted");
	status = run_command(measurement->words, &none, NULL, &run);
	if (!status)
		warn_of_end(measurement, run.status);
	return status;
}

static void warn_of_events(const struct results *results)
{
	const char *reason;
	struct pair pair;
	unsigned int i;

	for (i = 0; i < results->nr; i++) {
		pair = pair_from(results, i);
		reason = never(results->number[i], &pair);
		if (reason)
			complain("warning: %s is always 0: %s",
				 p5mon_event_name[results->number[i]], reason);
	}
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int measure(struct results *results, const struct words *words)
{
	struct measurement measurement = { .results = results, .words = words };
	const double begin = now();
	struct regions regions;
	int status;

	if (words->by_shell)
		complain("warning: %s executes the command, and is counted"
			 " with it",
			 words->argv[0]);
	warn_of_events(results);
	if (results->parameters->use_assembly_regions) {
		status = open_regions(&regions);
		if (status)
			return status;
		measurement.regions = &regions;
	}
	status = run_initially(&measurement);
	if (!status)
		status = measure_all(&measurement);
	if (measurement.regions)
		close_regions(&regions);
	results->seconds = now() - begin;
	return status;
}
