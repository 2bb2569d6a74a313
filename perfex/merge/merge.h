/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares perfex --merge, which makes one report of many. */
#ifndef PERFEX_MERGE_H
#define PERFEX_MERGE_H

#include "report/output.h"
#include "stats/report_spec.h"

/**
 * struct merged_event - an event in all reports
 * @name: its name, without modes
 * @modes: "u", "k" or "uk"
 * @code: its code
 * @codes_differ: true if reports of different processors have different codes for it
 * @nr: number of reports with a count
 * @missing: number of reports without a count
 * @reason: reason why the first report without a count has none, or NULL
 * @projected: number of projected counts
 * @vague: number of counts that are not exact and do not have an interval
 * @means: number of counts that are means of several runs
 * @share: smallest share
 * @sum: sum of the counts
 * @overflow: true if the sum does not fit into @sum
 * @low: lowest possible sum, unless some counts are @vague
 * @high: highest possible sum, unless some counts are @vague
 * @min: lowest count
 * @max: highest count
 * @min_in: the first report that has @min; @max_in is the first that has @max
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
 * struct merged_note - a note of a report
 * @text: its text
 * @in: the first report that has it
 * @others: number of other reports that have it
 */
struct merged_note {
	char *text;
	char *in;
	unsigned int others;
};

/**
 * struct merge - the merged reports
 * @reports: number of reports
 * @event: their events
 * @nr_events: number of events
 * @note: their notes
 * @nr_notes: number of notes
 * @left_out: number of lines that are left out: lines of lists, metrics and resources
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
 * merge_reports() - read reports, and write their merge
 * @request: the request, whose command is the list of files
 * @beside: other outputs, or NULL
 *
 * Nothing is written unless all reports can be read.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int merge_reports(const struct request *request, const struct output *beside);

#endif /* PERFEX_MERGE_H */
