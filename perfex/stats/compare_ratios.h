/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the ratios between the commands of --compare. Reports of all forms show
 * them.
 */
#ifndef PERFEX_COMPARE_RATIOS_H
#define PERFEX_COMPARE_RATIOS_H

#include "events/count_spec.h"
#include "stats/ratio.h"
#include "stats/report_data.h"

/* print_ratio() makes texts of this size at most. */
#define RATIO_MAX 32

/**
 * struct comparison - the commands that are compared
 * @report: report of each command, with its series
 * @nr: number of commands
 */
struct comparison {
	struct report report[COMMANDS_MAX];
	size_t nr;
};

/**
 * struct relation - a number of a command, divided by the same number of the first command
 * @event: index of the event
 * @resource: name of the resource, or NULL for an event
 * @resource_nr: index of the resource
 * @has_value: true if there is a ratio
 * @has_none: true if there is no ratio because the number of the first command is zero
 * @ratio: ratio of the means
 * @share: the smaller @share of the two figures, see struct figure
 * @note: reason why there is no ratio, or no interval
 */
struct relation {
	size_t event;
	const char *resource;
	size_t resource_nr;
	bool has_value;
	bool has_none;
	struct ratio ratio;
	unsigned int share;
	char note[100];
};

/**
 * get_relation() - compute one of the ratios
 * @comparison: the commands that are compared
 * @i: index of the number: events come first, then resources
 * @command: index of the command, at least 1; the first command has the index 0
 * @relation: receives the ratio
 *
 * Return: false if there are only @i numbers.
 */
bool get_relation(const struct comparison *comparison, size_t i, size_t command,
		  struct relation *relation);

/**
 * print_ratio() - print a ratio, or an end of its interval, as text
 * @text: receives the text, with six decimals; with an exponent if the number is very small
 *	or large
 * @value: the number
 */
void print_ratio(char text[RATIO_MAX], double value);

#endif /* PERFEX_COMPARE_RATIOS_H */
