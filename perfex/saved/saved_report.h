/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares reports that perfex has written for programs and reads back. */
#ifndef PERFEX_SAVED_REPORT_H
#define PERFEX_SAVED_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct filed_event - what a report says of an event
 * @name: of it, without modes
 * @modes: "u", "k" or "uk"
 * @code: of it
 * @has_value: there is a count
 * @value: the count
 * @share: of the time in which it was counted, per mille
 * @has_interval: it is projected, and is known to lie from @low to @high
 * @low: the least that the count may be; @value without an interval
 * @high: the most that the count may be; @value without an interval
 * @is_mean: it is the mean of several runs
 * @values: the count of each of these, if the report has them
 * @nr_values: how many
 * @missing: why there is no count, or an empty text
 * @selects: the event as -e takes it, or NULL: only saved_baseline.c sets that
 */
struct filed_event {
	char *name;
	char *modes;
	uint64_t code;
	bool has_value;
	uint64_t value;
	unsigned int share;
	bool has_interval;
	uint64_t low;
	uint64_t high;
	bool is_mean;
	uint64_t *values;
	size_t nr_values;
	char *missing;
	char *selects;
};

/**
 * struct filed_resource - what a report says of a time or a resource
 * @name: of it
 * @value: of it, or the mean of several runs
 * @runs: how many runs, or 0 if the report is of one
 * @min: the smallest value
 * @max: the largest one
 * @has_mean: it has @mean and @deviation
 * @mean: the mean, which @value is rounded from
 * @deviation: the standard deviation of the runs
 */
struct filed_resource {
	char *name;
	double value;
	unsigned int runs;
	double min;
	double max;
	bool has_mean;
	double mean;
	double deviation;
};

/**
 * struct filed_report - a report
 * @file: that it is in
 * @line: of the file, in which it begins
 * @left_out: lines of lists, metrics and resources, which are not merged
 * @event: its events
 * @event_line: the line of each
 * @nr_events: how many
 * @resource: its times and resources, of JSON alone
 * @nr_resources: how many
 * @note: its notes
 * @nr_notes: how many
 * @processor: that counted, or NULL if that is not said
 * @machine: "hardware" or "emulated", or NULL
 */
struct filed_report {
	const char *file;
	unsigned int line;
	unsigned int left_out;
	struct filed_event *event;
	unsigned int *event_line;
	size_t nr_events;
	struct filed_resource *resource;
	size_t nr_resources;
	char **note;
	size_t nr_notes;
	char *processor;
	char *machine;
};

/* What a report says of an event or a resource, as text; what it does not say is empty or NULL. */
enum filed_field {
	FIELD_NAME,
	FIELD_MODES,
	FIELD_CODE,
	FIELD_VALUE,
	FIELD_SHARE,
	FIELD_NOTE,
	FIELD_RUNS,
	FIELD_LOW,
	FIELD_HIGH,
	FIELD_MIN,
	FIELD_MAX,
	FIELD_MEAN,
	FIELD_DEVIATION,
	NR_FIELDS,
};

/**
 * add_filed_event() - add an event to a report
 * @report: the report
 * @line: of the event
 * @field: what is said of it; it is copied
 *
 * Return: NULL, or what is wrong with it.
 */
const char *add_filed_event(struct filed_report *report, unsigned int line,
			    const char *const field[NR_FIELDS]);

/**
 * add_filed_value() - add the count of a run to an event
 * @event: the event
 * @text: the count
 *
 * Return: NULL, or what is wrong with it.
 */
const char *add_filed_value(struct filed_event *event, const char *text);

/**
 * add_filed_resource() - add a resource to a report
 * @report: the report
 * @field: what is said of it; it is copied
 *
 * Return: NULL, or what is wrong with it.
 */
const char *add_filed_resource(struct filed_report *report,
			       const char *const field[NR_FIELDS]);

/* add_filed_note() - add a note, which is copied; returns as that */
const char *add_filed_note(struct filed_report *report, const char *note);

/* explain_uncounted() - why a report has no events if --optional wrote it, or NULL */
const char *explain_uncounted(const struct filed_report *report);

/* free_filed() - free what a report has, which has nothing then */
void free_filed(struct filed_report *report);

/**
 * complain_filed() - say what is wrong with a file
 * @purpose: what cannot be done: "merge"
 * @file: the file
 * @line: of it, or 0
 * @why: the rest of the sentence
 *
 * Return: PERFEX_INPUT.
 */
int complain_filed(const char *purpose, const char *file, unsigned int line,
		   const char *why);

/**
 * read_filed() - read all reports of a file
 * @purpose: for complain_filed()
 * @file: as --csv, which is one report, or --json has written it
 * @use: is given each, and returns 0 or an enum perfex_status after a complaint. It may
 *	take what the report has, and then leaves it zeroed.
 * @arg: for @use
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int read_filed(const char *purpose, const char *file,
	       int (*use)(struct filed_report *report, void *arg), void *arg);

#endif /* PERFEX_SAVED_REPORT_H */
