// SPDX-License-Identifier: GPL-2.0-only
/* Count a command in several runs: all events in each run, or some of them. */
#include "modes/multi_run.h"

#include <stdlib.h>

#include "modes/single_run.h"

static int count_series(const struct events *events,
			const struct request *request,
			const struct signals *saved, struct output *output,
			struct command *command, struct series *series)
{
	unsigned int i;
	int status = 0;

	output->progress.total = request->count.warmups + request->count.runs;
	for (i = 0; !status && i < request->count.warmups; i++) {
		status = run_again(events, request, saved, output, command,
				   NULL, NULL);
		if (is_killed(command))
			return status;
	}
	for (i = 0; !status && i < request->count.runs; i++) {
		status = run_again(events, request, saved, output, command,
				   series, NULL);
		if (is_killed(command))
			break;
	}
	return status;
}

int count_repeatedly(const struct events *events, const struct request *request,
		     const struct signals *saved, struct output *output,
		     struct command *command)
{
	struct series series;
	struct report report = { .events = events,
				 .counts = &series.sum,
				 .series = &series };
	int status = begin_series(&series, events->nr, request);
	int failure = 0;

	if (!status)
		status = count_series(events, request, saved, output, command,
				      &series);
	report.command = request->report.resources ? command : NULL;
	/* Report the runs, even if a later run has failed. */
	if (series.runs)
		failure = write_report(output, &report);
	end_series(&series);
	return status ? status : failure;
}

/* Choose the events of one run, and counters for them. */
static int choose_set(struct events *set, const struct events *events,
		      const struct event_set *which)
{
	struct vpmc_error err;
	size_t i;

	*set = *events;
	set->nr = which->nr;
	set->metrics = NULL;
	for (i = 0; i < which->nr; i++) {
		set->sel[i] = events->sel[which->event[i]];
		set->never[i] = events->never[which->event[i]];
		set->emulation[i] = events->emulation[which->event[i]];
	}
	if (vpmc_event_assign(set->pmu, set->sel, set->nr, &err))
		return complain_vpmc(&err);
	return 0;
}

/* Run a set of events. @series and @total are NULL for a warm-up. */
static int run_set(const struct rounds *rounds, size_t i, struct series *series,
		   struct series *total)
{
	struct events set;
	int status =
		choose_set(&set, rounds->events, &rounds->exact->plan.set[i]);

	if (!status)
		status = rewind_input(&rounds->input);
	if (!status)
		status = run_again(&set, rounds->request, rounds->saved,
				   rounds->output, rounds->command, series,
				   total);
	return status;
}

int run_round(const struct rounds *rounds)
{
	struct exact *exact = rounds->exact;
	int status = 0;
	size_t i;

	for (i = 0; !status && i < exact->plan.nr; i++) {
		status = run_set(rounds, i, &exact->series[i], &exact->total);
		if (is_killed(rounds->command))
			break;
	}
	return status;
}

int run_warmup(const struct rounds *rounds)
{
	return run_set(rounds, 0, NULL, NULL);
}

static int run_all(const struct rounds *rounds)
{
	const unsigned int repetitions = rounds->exact->series[0].wanted;
	unsigned int i;
	int status = 0;

	rounds->output->progress.total =
		rounds->request->count.warmups + rounds->exact->total.wanted;
	for (i = 0; !status && i < rounds->request->count.warmups; i++) {
		status = run_warmup(rounds);
		if (is_killed(rounds->command))
			return status;
	}
	for (i = 0; !status && i < repetitions; i++) {
		status = run_round(rounds);
		if (is_killed(rounds->command))
			break;
	}
	return status;
}

static int report_all(const struct rounds *rounds)
{
	const struct exact *exact = rounds->exact;
	struct report report = { .events = rounds->events,
				 .counts = &exact->total.sum,
				 .exact = exact };

	if (exact->total.wanted > 1)
		report.series = &exact->total;
	if (rounds->request->report.resources)
		report.command = rounds->command;
	return exact->total.runs ? write_report(rounds->output, &report) : 0;
}

/* Events of which one tags operations for another must not be divided, as if they shared counters. */
static int check_tags(const struct events *events)
{
	struct events copy = *events;
	struct vpmc_error err;

	if (vpmc_event_distribute(events->pmu, copy.sel, copy.nr, &err) !=
	    VPMC_E_COUNTER_TAKEN)
		return 0;
	return complain_vpmc(&err);
}

int begin_exact(struct exact *exact, const struct events *events,
		const struct request *request)
{
	const unsigned int repetitions =
		request->count.runs ? request->count.runs : 1;
	int status = check_tags(events);
	size_t i;

	if (status)
		return status;
	make_plan(&exact->plan, events);
	begin_endings(&exact->total, repetitions * (unsigned int)exact->plan.nr,
		      &request->report);
	exact->series = calloc(exact->plan.nr, sizeof(*exact->series));
	if (!exact->series) {
		complain("no memory for the counts of %zu runs: count fewer"
			 " events",
			 exact->plan.nr);
		return PERFEX_SYSTEM;
	}
	for (i = 0; !status && i < exact->plan.nr; i++)
		status = begin_series(&exact->series[i], exact->plan.set[i].nr,
				      request);
	return status;
}

void end_exact(struct exact *exact)
{
	size_t i;

	for (i = 0; exact->series && i < exact->plan.nr; i++)
		end_series(&exact->series[i]);
	free(exact->series);
}

/* Run the command, and report. A failure does not discard earlier runs. */
static int run_and_report(struct rounds *rounds)
{
	struct exact *exact = rounds->exact;
	int status = 0, failure;

	if (exact->total.wanted + rounds->request->count.warmups > 1)
		status = find_input(&rounds->input);
	if (status)
		return status;
	status = run_all(rounds);
	failure = report_all(rounds);
	return status ? status : failure;
}

int count_exactly(const struct events *events, const struct request *request,
		  const struct signals *saved, struct output *output,
		  struct command *command)
{
	static struct exact exact;
	struct rounds rounds = { .events = events,
				 .request = request,
				 .saved = saved,
				 .output = output,
				 .command = command,
				 .exact = &exact };
	int status = begin_exact(&exact, events, request);

	if (!status)
		status = run_and_report(&rounds);
	end_exact(&exact);
	return status;
}
