// SPDX-License-Identifier: GPL-2.0-only
/* Run several commands in turn, and compare their counts. */
#include "modes/compare.h"

#include <stdlib.h>

#include "modes/multi_run.h"
#include "modes/single_run.h"
#include "saved/saved_baseline.h"
#include "stats/compare_ratios.h"
#include "stats/ratio_limit.h"

/**
 * struct candidate - a command to compare
 * @request: request for this command alone
 * @saved: saved report that replaces its runs, or NULL
 * @command: the command after its last run
 * @series: counts of its runs without --runs, or the counts of @saved
 * @exact: counts of its runs with --runs
 * @rounds: its runs with --runs
 */
struct candidate {
	struct request request;
	const struct saved_report *saved;
	struct command command;
	struct series series;
	struct exact exact;
	struct rounds rounds;
};

/**
 * struct comparing - the comparison in progress
 * @events: the events that are counted
 * @request: the request of the command line
 * @saved: from hold_signals()
 * @output: the output of the report
 * @input: initial position in standard input
 * @candidate: the commands
 * @nr: number of commands
 * @last: the run that ended the comparison early, or NULL
 */
struct comparing {
	const struct events *events;
	const struct request *request;
	const struct signals *saved;
	struct output *output;
	struct input input;
	struct candidate *candidate;
	size_t nr;
	const struct command *last;
};

static const struct series *series_of(const struct candidate *candidate)
{
	return candidate->request.count.exactly && !candidate->saved
		       ? &candidate->exact.total
		       : &candidate->series;
}

static int begin_candidate(struct comparing *comparing, size_t i)
{
	const struct request *request = comparing->request;
	struct candidate *candidate = &comparing->candidate[i];

	candidate->request = *request;
	candidate->request.count.command = request->count.commands[i];
	candidate->saved = request->count.saved[i];
	candidate->rounds = (struct rounds){ .events = comparing->events,
					     .request = &candidate->request,
					     .saved = comparing->saved,
					     .output = comparing->output,
					     .command = &candidate->command,
					     .exact = &candidate->exact,
					     .input = comparing->input };
	if (candidate->saved)
		return begin_saved(&candidate->series, candidate->saved,
				   comparing->events, request);
	if (request->count.exactly)
		return begin_exact(&candidate->exact, comparing->events,
				   &candidate->request);
	return begin_series(&candidate->series, comparing->events->nr, request);
}

/* Run a command once. @counts is false for a warm-up. */
static int run_candidate(const struct comparing *comparing,
			 struct candidate *candidate, bool counts)
{
	int status;

	if (comparing->request->count.exactly)
		return counts ? run_round(&candidate->rounds)
			      : run_warmup(&candidate->rounds);
	status = rewind_input(&comparing->input);
	if (status)
		return status;
	return run_again(comparing->events, &candidate->request,
			 comparing->saved, comparing->output,
			 &candidate->command,
			 counts ? &candidate->series : NULL, NULL);
}

/*
 * Run each command once, in turn, so that slow changes of the machine affect all commands
 * equally.
 */
static int run_turn(struct comparing *comparing, bool counts)
{
	struct candidate *candidate = comparing->candidate;
	int status = 0;
	size_t i;

	for (i = 0; !comparing->last && i < comparing->nr; i++, candidate++) {
		if (candidate->saved)
			continue;
		status = run_candidate(comparing, candidate, counts);
		if (status || is_killed(&candidate->command))
			comparing->last = &candidate->command;
	}
	return status;
}

static unsigned int runs_of_all(const struct comparing *comparing)
{
	unsigned int nr = 0;
	size_t i;

	for (i = 0; i < comparing->nr; i++) {
		if (!comparing->candidate[i].saved)
			nr += comparing->request->count.warmups +
			      series_of(&comparing->candidate[i])->wanted;
	}
	return nr;
}

static int run_turns(struct comparing *comparing)
{
	const struct request *request = comparing->request;
	const unsigned int runs = request->count.runs ? request->count.runs : 1;
	int status = 0;
	unsigned int i;

	comparing->output->progress.total = runs_of_all(comparing);
	for (i = 0; !comparing->last && i < request->count.warmups; i++)
		status = run_turn(comparing, false);
	for (i = 0; !comparing->last && i < runs; i++)
		status = run_turn(comparing, true);
	return status;
}

static const struct command *deciding_run(const struct comparing *comparing)
{
	const struct command *last = NULL;
	const struct series *series;
	size_t i;

	if (comparing->last)
		return comparing->last;
	for (i = 0; i < comparing->nr; i++) {
		series = series_of(&comparing->candidate[i]);
		if (series->failed)
			return &series->failure;
		if (!comparing->candidate[i].saved)
			last = &comparing->candidate[i].command;
	}
	return last;
}

static struct report report_candidate(const struct comparing *comparing,
				      size_t i)
{
	const struct candidate *candidate = &comparing->candidate[i];
	const struct series *series = series_of(candidate);
	struct report report = { .events = comparing->events,
				 .counts = &series->sum,
				 .series = series,
				 .number = (unsigned int)i + 1,
				 .words = candidate->request.count.command };

	if (candidate->saved) {
		report.is_saved = true;
		report.note = candidate->saved->note;
		report.nr_notes = candidate->saved->nr_notes;
	}
	if (comparing->request->count.exactly && !candidate->saved)
		report.exact = &candidate->exact;
	if (comparing->request->report.resources && series->runs)
		report.command = &candidate->command;
	return report;
}

static bool has_run(const struct comparing *comparing)
{
	const struct candidate *candidate = comparing->candidate;
	size_t i;

	for (i = 0; i < comparing->nr; i++, candidate++) {
		if (!candidate->saved && series_of(candidate)->runs)
			return true;
	}
	return false;
}

static int report_comparison(const struct comparing *comparing)
{
	struct comparison comparison = { .nr = comparing->nr };
	struct report report = { .events = comparing->events,
				 .comparison = &comparison };
	int status;
	size_t i;

	if (!has_run(comparing))
		return 0;
	for (i = 0; i < comparing->nr; i++)
		comparison.report[i] = report_candidate(comparing, i);
	status = write_report(comparing->output, &report);
	if (status || comparing->last)
		return status;
	return judge_limits(&comparing->request->report, &comparison);
}

/* Run and compare the commands. A failure does not discard earlier runs. */
static int run_and_compare(struct comparing *comparing, struct command *command)
{
	int status = find_input(&comparing->input), failure;
	size_t i;

	if (!status)
		status = check_limits(&comparing->request->report,
				      comparing->events);
	for (i = 0; !status && i < comparing->nr; i++)
		status = begin_candidate(comparing, i);
	if (status)
		return status;
	status = run_turns(comparing);
	*command = *deciding_run(comparing);
	failure = report_comparison(comparing);
	return status ? status : failure;
}

int count_compared(const struct events *events, const struct request *request,
		   const struct signals *saved, struct output *output,
		   struct command *command)
{
	struct comparing comparing = { .events = events,
				       .request = request,
				       .saved = saved,
				       .output = output,
				       .nr = request->count.nr_commands };
	int status;
	size_t i;

	comparing.candidate =
		calloc(comparing.nr, sizeof(*comparing.candidate));
	if (!comparing.candidate) {
		complain("no memory for the counts of %zu commands: compare"
			 " fewer",
			 comparing.nr);
		return PERFEX_SYSTEM;
	}
	status = run_and_compare(&comparing, command);
	for (i = 0; i < comparing.nr; i++) {
		end_series(&comparing.candidate[i].series);
		end_exact(&comparing.candidate[i].exact);
	}
	free(comparing.candidate);
	return status;
}
