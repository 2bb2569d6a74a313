/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares reports that perfex has written for programs and reads back. */
#ifndef PERFEX_SAVED_REPORT_H
#define PERFEX_SAVED_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct saved_event - an event in a report
 * @name: its name, without modes
 * @modes: see event_modes()
 * @code: its code
 * @has_value: true if there is a count
 * @value: the count
 * @share: share of the time in which it was counted, per mille
 * @has_interval: true if @value is projected, and lies between @low and @high
 * @low: lowest possible count; @value without an interval
 * @high: highest possible count; @value without an interval
 * @is_mean: true if @value is the mean of several runs
 * @values: the count of each run, if the report has these counts
 * @nr_values: number of @values
 * @missing: reason why there is no count, or an empty text
 * @selects: the event as for -e, or NULL; only saved_baseline.c sets it
 */
struct saved_event {
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
 * struct saved_resource - a time or a resource in a report
 * @name: its name
 * @value: its value, or the mean of several runs
 * @runs: number of runs, or 0 if the report has a single run
 * @min: smallest value
 * @max: largest value
 * @has_mean: true if @mean and @deviation are valid
 * @mean: the mean with all its digits; @value is rounded
 * @deviation: standard deviation of the runs
 */
struct saved_resource {
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
 * struct saved_report - a report that is read back
 * @file: name of its file
 * @line: number of its first line in the file
 * @left_out: number of lines that are not merged: lines of lists, metrics and resources
 * @event: its events
 * @event_line: line number of each event
 * @nr_events: number of events
 * @resource: its times and resources, only from JSON
 * @nr_resources: number of resources
 * @note: its notes
 * @nr_notes: number of notes
 * @processor: the processor that counted, or NULL if the report does not have it
 * @machine: "hardware" or "emulated", or NULL
 */
struct saved_report {
	const char *file;
	unsigned int line;
	unsigned int left_out;
	struct saved_event *event;
	unsigned int *event_line;
	size_t nr_events;
	struct saved_resource *resource;
	size_t nr_resources;
	char **note;
	size_t nr_notes;
	char *processor;
	char *machine;
};

/* These are the fields of an event or a resource, as text. Missing fields are empty or NULL. */
enum saved_field {
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
 * add_saved_event() - add an event to a report
 * @report: the report
 * @line: number of its line
 * @field: its fields, which are copied
 *
 * Return: NULL, or the error in the text.
 */
const char *add_saved_event(struct saved_report *report, unsigned int line,
			    const char *const field[NR_FIELDS]);

/**
 * add_saved_value() - add the count of a run to an event
 * @event: the event
 * @text: the count
 *
 * Return: NULL, or the error in the text.
 */
const char *add_saved_value(struct saved_event *event, const char *text);

/**
 * add_saved_resource() - add a resource to a report
 * @report: the report
 * @field: its fields, which are copied
 *
 * Return: NULL, or the error in the text.
 */
const char *add_saved_resource(struct saved_report *report,
			       const char *const field[NR_FIELDS]);

/* add_saved_note() - add a note, which is copied; returns NULL or the error */
const char *add_saved_note(struct saved_report *report, const char *note);

/* explain_uncounted() - get the reason why a report of --optional has no events, or NULL */
const char *explain_uncounted(const struct saved_report *report);

/* free_saved() - free the contents of a report. The report is empty afterwards. */
void free_saved(struct saved_report *report);

/**
 * complain_saved() - complain of an error in a file
 * @purpose: the failed action: "merge"
 * @file: the file
 * @line: line number, or 0
 * @why: the error, which is the rest of the sentence
 *
 * Return: PERFEX_INPUT.
 */
int complain_saved(const char *purpose, const char *file, unsigned int line,
		   const char *why);

/**
 * read_saved_reports() - read all reports of a file
 * @purpose: purpose, for complain_saved()
 * @file: the file, with one report from --csv or any number of reports from --json
 * @use: function that is called with each report, and returns 0 or an enum perfex_status after a
 *	complaint. If it keeps the contents of the report, it must zero the report.
 * @arg: second argument of @use
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int read_saved_reports(const char *purpose, const char *file,
		       int (*use)(struct saved_report *report, void *arg),
		       void *arg);

#endif /* PERFEX_SAVED_REPORT_H */
