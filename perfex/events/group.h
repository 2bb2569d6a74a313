/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares groups of events and the metrics that are computed from them, for
 * perfex -g.
 */
#ifndef PERFEX_GROUP_H
#define PERFEX_GROUP_H

#include "events/formula.h"
#include "util/perfex.h"

/* The most groups that can be counted at once, files, and metrics in all of them. */
#define GROUPS_MAX  8
#define FILES_MAX   (GROUPS_MAX + METRICS_MAX)
#define METRICS_MAX 48

/* The longest line of a file. */
#define GROUP_LINE_MAX 1000

/* Of an event that is not counted. */
#define NOT_COUNTED (-1)

/**
 * struct metric - a number that is derived from counts
 * @name: of it
 * @unit: of it
 * @text: of its formula
 * @group: the file that has it
 * @formula: its events are indices into the events of struct metrics
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
 * @selects: the event as -e takes it, mostly the same
 * @file: where it stands
 * @line: the line there, from 1
 * @column: the column, from 1
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
 * struct metrics - what all groups of the command line have; zeroed at first
 * @file: contents of their files
 * @name: of these files
 * @nr_files: how many
 * @event: the events, one several times if several groups have it
 * @nr_events: how many
 * @metric: the numbers
 * @nr: how many
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
 * parse_group() - understand the file of a group
 * @metrics: receives its events and metrics, behind those of other groups
 * @name: of the file, which stays in use
 * @text: of the file; it is changed, and stays in use
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int parse_group(struct metrics *metrics, const char *name, char *text);

/* complain_place() - say what is wrong in a file, and where; columns from 1 */
void complain_place(const char *file, unsigned int line, unsigned int column,
		    const char *sentence);

/**
 * is_meaning() - whether a line is one of text
 * @line: without newline
 *
 * Return: false for an empty one, and for a comment, which begins with "#".
 */
bool is_meaning(const char *line);

#endif /* PERFEX_GROUP_H */
