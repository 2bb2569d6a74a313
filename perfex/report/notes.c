// SPDX-License-Identifier: GPL-2.0-only
/* Compose the notes that qualify counts. */
#include "report/notes.h"

#include <inttypes.h>

#include "stats/event_value.h"
#include "stats/exact_series.h"
#include "util/clock.h"

/* The longest sentence fits into this many bytes. */
#define NOTE_MAX 200

/**
 * struct notes - the recipient of notes
 * @use: function that is called with each sentence
 * @arg: second argument of @use
 */
struct notes {
	void (*use)(const char *sentence, void *arg);
	void *arg;
};

static void note(const struct notes *notes, unsigned int nr, const char *one,
		 const char *many, const char *rest)
{
	char sentence[NOTE_MAX];

	if (!nr)
		return;
	snprintf(sentence, sizeof(sentence), "%u %s %s", nr,
		 nr == 1 ? one : many, rest);
	notes->use(sentence, notes->arg);
}

static void note_lists(const struct notes *notes, const struct report *report)
{
	const struct records *records = report->records;

	if (report->has_no_memory)
		notes->use("there are no lists: perfex had no memory for them",
			   notes->arg);
	if (!records)
		return;
	note(notes, records->lost, "thread is", "threads are",
	     records->limited
		     ? "not listed: the records would exceed the user's"
		       " RLIMIT_MEMLOCK, so raise it (ulimit -l)"
		     : "not listed: the kernel had no room for more records");
	note(notes, records->dropped, "thread is", "threads are",
	     "not listed: perfex had no memory for more records");
	note(notes, report->running, "process is", "processes are",
	     "still running: threads that have not ended are not listed");
}

/* Name the processes that are missing. Only the names of the first processes may be known. */
static void note_missing(const struct notes *notes,
			 const struct records *records)
{
	char sentence[NOTE_MAX], name[4 * sizeof(records->missing[0].command)];
	unsigned int i;

	for (i = 0; i < records->nr_missing; i++) {
		vpmc_escape(records->missing[i].command, name, sizeof(name));
		snprintf(sentence, sizeof(sentence),
			 "process %d (%s) is missing in these counts: it was"
			 " counted already, or could not be started",
			 records->missing[i].pid, name);
		notes->use(sentence, notes->arg);
	}
	if (i == MISSING_MAX)
		notes->use("more processes may be missing in these counts: no"
			   " more are named",
			   notes->arg);
}

static void note_removed(const struct notes *notes, const char *path)
{
	char sentence[NOTE_MAX], name[NOTE_MAX / 2];

	vpmc_escape(path, name, sizeof(name));
	snprintf(sentence, sizeof(sentence),
		 "the cgroup %s has been removed: processes in a new cgroup of"
		 " this name are not counted",
		 name);
	notes->use(sentence, notes->arg);
}

/*
 * Note the gaps in the counts. Use the number of gaps of the listed threads if it is larger than
 * the number in the sum.
 */
static void note_stopped(const struct notes *notes, const struct report *report)
{
	const unsigned int listed =
		report->records ? report->records->stopped : 0;
	const unsigned int nr = report->counts->stopped > listed
					? report->counts->stopped
					: listed;
	char sentence[NOTE_MAX];

	if (!nr)
		return;
	snprintf(sentence, sizeof(sentence),
		 "counting was stopped %u %s in between: what was executed then"
		 " is missing in these counts",
		 nr, nr == 1 ? "time" : "times");
	notes->use(sentence, notes->arg);
}

static void note_turns(const struct notes *notes, const struct report *report)
{
	unsigned int unknown = 0, projected = 0;
	struct figure figure;
	size_t i;

	for (i = 0; i < report->events->nr; i++) {
		figure = figure_of_total(report, i);
		unknown += figure.is_unknown;
		projected += !figure.missing && figure.share < WHOLE;
	}
	note(notes, unknown, "count is", "counts are",
	     "not known, since the turns say too little: let the command run"
	     " longer, choose longer intervals, or use --runs");
	if (projected && report->events->emulated)
		notes->use("this processor is emulated: shares are of the"
			   " emulator's time, not of a processor's",
			   notes->arg);
}

static void note_emulation(const struct notes *notes,
			   const struct events *events)
{
	unsigned int modelled = 0, per_instruction = 0;
	size_t i;

	for (i = 0; i < events->nr; i++) {
		modelled += events->emulation[i] == VPMC_MODELLED;
		per_instruction += events->emulation[i] == VPMC_PER_INSTRUCTION;
	}
	note(notes, modelled, "count is", "counts are",
	     "modelled: the emulator has its own rules for the processor's"
	     " caches, predictions or clocks");
	note(notes, per_instruction, "count is", "counts are",
	     "of clocks, one per instruction: the emulator has no model of the"
	     " pipes");
}

static void note_runs(const struct notes *notes, const struct series *series)
{
	char sentence[NOTE_MAX];

	if (series->runs < series->wanted) {
		snprintf(sentence, sizeof(sentence),
			 "%u of %u runs are counted: no more took place",
			 series->runs, series->wanted);
		notes->use(sentence, notes->arg);
	}
	note(notes, series->failed, "run has", "runs have",
	     "ended otherwise than with exit status 0");
}

/*
 * Note the number of runs. This note is always printed, because the counts can be compared
 * only if the runs are alike.
 */
static void note_exact(const struct notes *notes, const struct exact *exact)
{
	char sentence[NOTE_MAX];

	snprintf(sentence, sizeof(sentence),
		 "the events were counted in %u %s of the command, each all the"
		 " time",
		 exact->total.runs, exact->total.runs == 1 ? "run" : "runs");
	notes->use(sentence, notes->arg);
}

static void note_parts(const struct notes *notes, const struct report *report)
{
	const struct parts *parts = report->parts;
	char sentence[NOTE_MAX];

	if (!parts->nr) {
		notes->use("nothing was counted: the count was not started",
			   notes->arg);
		return;
	}
	snprintf(sentence, sizeof(sentence),
		 "counted in %u %s of the time: %" PRIu64 ".%03" PRIu64
		 " of %" PRIu64 ".%03" PRIu64 " seconds",
		 parts->nr, parts->nr == 1 ? "part" : "parts",
		 report->counted_us / US_PER_S,
		 report->counted_us / 1000 % 1000, report->us / US_PER_S,
		 report->us / 1000 % 1000);
	notes->use(sentence, notes->arg);
}

static void note_saved(const struct notes *notes, const struct report *report)
{
	size_t i;

	for (i = 0; i < report->nr_notes; i++)
		notes->use(report->note[i], notes->arg);
}

void for_each_note(const struct report *report,
		   void (*use)(const char *sentence, void *arg), void *arg)
{
	const struct notes notes = { .use = use, .arg = arg };
	const struct vpmc_counts *counts = report->counts;

	if (report->is_saved) {
		note_saved(&notes, report);
		return;
	}
	if (report->is_uncounted) {
		use(UNCOUNTED_NOTE, arg);
		return;
	}
	note_emulation(&notes, report->events);
	note_lists(&notes, report);
	if (report->missing)
		note_missing(&notes, report->missing);
	if (report->removed)
		note_removed(&notes, report->removed);
	if (report->parts && report->parts->was_stopped)
		note_parts(&notes, report);
	if (report->events->shared)
		note_turns(&notes, report);
	if (report->exact)
		note_exact(&notes, report->exact);
	if (report->series)
		note_runs(&notes, report->series);
	note(&notes, counts->other_events, "thread is", "threads are",
	     "missing in these counts: other events were counted there");
	note(&notes, counts->revoked, "thread is", "threads are",
	     "missing in these counts: a privileged program, or one in another"
	     " user namespace, was executed there, or the counters were taken"
	     " away");
	note_stopped(&notes, report);
	note(&notes, counts->unwaited,
	     "process is missing in these counts: nobody has waited for its end"
	     " so far",
	     "processes are missing in these counts: nobody has waited for"
	     " their end so far",
	     "(-a counts all processes)");
	note(&notes, counts->running, "process is", "processes are",
	     "still running: these counts contain what was counted there"
	     " so far");
}
