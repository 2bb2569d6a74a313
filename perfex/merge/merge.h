/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares perfex --merge, which makes one report of many. */
#ifndef PERFEX_MERGE_H
#define PERFEX_MERGE_H

#include "report/output.h"
#include "stats/report_spec.h"

/**
 * struct merged_event - what all reports say of an event
 * @name: of it, without modes
 * @modes: "u", "k" or "uk"
 * @code: of it
 * @codes_differ: it has several codes, on processors of several kinds
 * @nr: how many reports have a count
 * @missing: how many have none
 * @reason: why there is none in the first of these, or NULL
 * @projected: how many counts are projected
 * @vague: how many have no interval though they are not exact
 * @means: how many are means of several runs
 * @share: the least
 * @sum: of the counts
 * @overflow: the sum is greater than that
 * @low: the least that the sum may be, unless some are @vague
 * @high: the most that the sum may be, unless some are @vague
 * @min: the least count
 * @max: the greatest
 * @min_in: the first report that has it, @max_in likewise
 */
struct merged_event {
	char *name;
	char *modes;
	uint64_t code;
	bool codes_differ;
	unsigned int nr;
	unsigned int missing;
	char *reason;
	unsigned int projected;
	unsigned int vague;
	unsigned int means;
	unsigned int share;
	uint64_t sum;
	bool overflow;
	uint64_t low;
	uint64_t high;
	uint64_t min;
	uint64_t max;
	char *min_in;
	char *max_in;
};

/**
 * struct merged_note - a note
 * @text: of it
 * @in: the first report that has it
 * @others: how many others have it, too
 */
struct merged_note {
	char *text;
	char *in;
	unsigned int others;
};

/**
 * struct merge - what reports say together
 * @reports: how many there are
 * @event: their events
 * @nr_events: how many
 * @note: what else they say
 * @nr_notes: how many
 * @left_out: lines of lists, metrics and resources
 * @first: the first report, for complaints
 */
struct merge {
	unsigned int reports;
	struct merged_event *event;
	size_t nr_events;
	struct merged_note *note;
	size_t nr_notes;
	unsigned int left_out;
	char *first;
};

/**
 * merge_reports() - read reports, and write what they say together
 * @request: what to count, and how to report it; its command is the
 *	list of files
 * @beside: what else is written, or NULL
 *
 * Nothing is written unless all can be read.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int merge_reports(const struct request *request, const struct output *beside);

#endif /* PERFEX_MERGE_H */
