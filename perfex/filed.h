/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reports that perfex has written for programs, read back.
 */
#ifndef PERFEX_FILED_H
#define PERFEX_FILED_H

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
 * @missing: why there is no count, or an empty text
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
	char *missing;
};

/**
 * struct filed_report - a report
 * @file: that it is in
 * @line: of the file, in which it begins
 * @event: its events
 * @event_line: the line of each
 * @nr_events: how many
 * @note: its notes
 * @nr_notes: how many
 * @left_out: lines of lists, metrics and resources, which were not read
 */
struct filed_report {
	const char *file;
	unsigned int line;
	struct filed_event *event;
	unsigned int *event_line;
	size_t nr_events;
	char **note;
	size_t nr_notes;
	unsigned int left_out;
};

/* What a report says of an event, as text; what it does not say is empty or NULL. */
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

/* add_filed_note() - add a note, which is copied; returns as that */
const char *add_filed_note(struct filed_report *report, const char *note);

/* free_filed() - free what a report has, which has nothing then */
void free_filed(struct filed_report *report);

/**
 * complain_filed() - say what is wrong with a file
 * @file: the file
 * @line: of it, or 0
 * @why: the rest of the sentence
 *
 * Return: PERFEX_INPUT.
 */
int complain_filed(const char *file, unsigned int line, const char *why);

/**
 * read_filed() - read all reports of a file
 * @file: as --csv, which is one report, or --json has written it
 * @use: is given each, and returns 0 or an enum perfex_status after a complaint
 * @arg: for @use
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int read_filed(const char *file,
	       int (*use)(const struct filed_report *report, void *arg),
	       void *arg);

#endif /* PERFEX_FILED_H */
