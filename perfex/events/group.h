/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares groups of events and the metrics that are computed from them, for
 * perfex -g.
 */
#ifndef PERFEX_GROUP_H
#define PERFEX_GROUP_H

#include "events/formula.h"
#include "util/perfex.h"

/* A count has at most this many groups, files of groups, and metrics. */
#define GROUPS_MAX  8
#define FILES_MAX   (GROUPS_MAX + METRICS_MAX)
#define METRICS_MAX 48

/* A line of a file has at most this many bytes. */
#define GROUP_LINE_MAX 1000

/* This is the index of an event that is not counted. */
#define NOT_COUNTED (-1)

/**
 * struct metric - a number that is computed from counts
 * @name: its name
 * @unit: its unit
 * @text: text of its formula
 * @group: name of the group's file
 * @formula: its formula, whose events are indexes of struct metrics
 */
struct metric {
	const char *name;
	const char *unit;
	const char *text;
	const char *group;
	struct formula formula;
};

/**
 * struct group_event - an event of a group
 * @text: its name in formulas
 * @selects: the event as for -e, usually the same text
 * @file: name of the file in which the event is defined
 * @line: its line, from 1
 * @column: its column, from 1
 * @number: index in struct events, or NOT_COUNTED
 * @refusal: why it is not counted
 */
struct group_event {
	const char *text;
	const char *selects;
	const char *file;
	unsigned int line;
	unsigned int column;
	int number;
	const char *refusal;
};

/**
 * struct metrics - all groups of the command line; zeroed at first
 * @file: contents of the files
 * @name: names of the files
 * @nr_files: number of files
 * @event: the events; an event of several groups occurs several times
 * @nr_events: number of events
 * @metric: the metrics
 * @nr: number of metrics
 */
struct metrics {
	char *file[FILES_MAX];
	char *name[FILES_MAX];
	size_t nr_files;
	struct group_event event[EVENTS_MAX];
	size_t nr_events;
	struct metric metric[METRICS_MAX];
	size_t nr;
};

/**
 * parse_group() - parse the file of a group
 * @metrics: receives the events and metrics, after those of other groups
 * @name: name of the file, which must stay valid
 * @text: content of the file, which is changed and must stay valid
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int parse_group(struct metrics *metrics, const char *name, char *text);

/* complain_place() - print an error with its position in a file; columns begin at 1 */
void complain_place(const char *file, unsigned int line, unsigned int column,
		    const char *sentence);

/**
 * is_meaning() - tell whether a line has content
 * @line: without newline
 *
 * Return: false for an empty line or a comment, which begins with "#".
 */
bool is_meaning(const char *line);

#endif /* PERFEX_GROUP_H */
