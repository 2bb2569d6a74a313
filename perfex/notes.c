// SPDX-License-Identifier: GPL-2.0-only
/* See notes.h. */
#include "notes.h"

/* Room for the longest sentence. */
#define NOTE_MAX 200

/**
 * struct notes - sentences under way
 * @use: is given each
 * @arg: for it
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
	     "not listed: the kernel had no room for more records");
	note(notes, records->dropped, "thread is", "threads are",
	     "not listed: perfex had no memory for more records");
	note(notes, report->running, "process is", "processes are",
	     "still running: threads that have not ended are not listed");
}

void for_each_note(const struct report *report,
		   void (*use)(const char *sentence, void *arg), void *arg)
{
	const struct notes notes = { .use = use, .arg = arg };
	const struct vpmc_counts *counts = report->counts;

	note_lists(&notes, report);
	note(&notes, counts->other_events, "thread is", "threads are",
	     "missing in these counts: other events were counted there");
	note(&notes, counts->revoked, "thread is", "threads are",
	     "missing in these counts: a privileged program was executed"
	     " there");
	note(&notes, counts->running, "process is", "processes are",
	     "still running: these counts contain what was counted there"
	     " so far");
}
