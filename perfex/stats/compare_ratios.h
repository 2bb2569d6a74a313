/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the ratios between the commands of --compare. All reports show them,
 * each in its own form.
 */
#ifndef PERFEX_COMPARE_RATIOS_H
#define PERFEX_COMPARE_RATIOS_H

#include "events/count_spec.h"
#include "stats/ratio.h"
#include "stats/report_data.h"

/* Room for what print_ratio() makes. */
#define RATIO_MAX 32

/**
 * struct comparison - what is compared
 * @report: of each command, with its series
 * @nr: how many
 */
struct comparison {
	struct report report[COMMANDS_MAX];
	size_t nr;
};

/**
 * struct relation - a number of a command, compared with that of the first one
 * @event: which event it is of
 * @resource: or the name of the resource, NULL for an event
 * @resource_nr: which one it is
 * @has_value: there is a ratio
 * @has_none: there is no ratio, since the first command has none of it
 * @ratio: of the means
 * @share: of the time in which the least of both was counted, see struct figure
 * @note: why there is no ratio, or no interval
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
 * get_relation() - compare one of the numbers
 * @comparison: what is compared
 * @i: which one, from 0: events come first, then resources
 * @command: which command, from 1: the first one has the index 0
 * @relation: receives it
 *
 * Return: whether there are more than @i.
 */
bool get_relation(const struct comparison *comparison, size_t i, size_t command,
		  struct relation *relation);

/**
 * print_ratio() - a ratio, or an end of its interval, as text
 * @text: receives it, with six decimals; with an exponent if it is very small or large
 * @value: the number
 */
void print_ratio(char text[RATIO_MAX], double value);

#endif /* PERFEX_COMPARE_RATIOS_H */
