/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares notes, which say why counts are incomplete or unreliable. */
#ifndef PERFEX_NOTES_H
#define PERFEX_NOTES_H

#include "report/report.h"

/* A report has this note if its command ran without counts. --merge and --compare look for it. */
#define UNCOUNTED_NOTE                                                        \
	"there are no counts: the counters could not be used, and --optional" \
	" ran the command without them"

/**
 * for_each_note() - compose the notes of a report
 * @report: the report
 * @use: function that is called with each sentence, which is valid until it returns, and
 *	with @arg
 * @arg: second argument of @use
 */
void for_each_note(const struct report *report,
		   void (*use)(const char *sentence, void *arg), void *arg);

#endif /* PERFEX_NOTES_H */
