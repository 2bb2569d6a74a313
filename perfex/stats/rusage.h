/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the times and resources of the command, which are reported in
 * addition to its counts.
 */
#ifndef PERFEX_RUSAGE_H
#define PERFEX_RUSAGE_H

#include "stats/report_data.h"
#include "stats/statistics.h"

/* How many there are, without the ratio of two events. */
#define NR_RESOURCES 8

/**
 * struct resource - one of them
 * @name: with the unit at the end, lower case with underscores
 * @value: a decimal number
 * @is_time: it is in seconds; @statistic is in microseconds
 * @statistic: of several runs what more there is to say, else NULL
 */
struct resource {
	const char *name;
	char value[32];
	bool is_time;
	const struct statistic *statistic;
};

/* resource_name() - of one of them, from 0 to NR_RESOURCES - 1 */
const char *resource_name(size_t i);

/* resource_is_time() - whether it is in seconds */
bool resource_is_time(size_t i);

/* resource_value() - of the command, as a whole number; times in microseconds */
uint64_t resource_value(const struct command *command, size_t i);

/**
 * print_amount() - a whole number as text
 * @text: receives it
 * @size: of @text
 * @value: the number
 * @is_time: whether it is in microseconds, and to be printed in seconds
 */
void print_amount(char *text, size_t size, uint64_t value, bool is_time);

/* has_resources() - whether a report says something of them */
bool has_resources(const struct report *report);

/**
 * get_resource() - what a report says of one of them
 * @report: the report
 * @i: which one, from 0
 * @resource: receives it
 *
 * Return: whether there are more than @i.
 */
bool get_resource(const struct report *report, size_t i,
		  struct resource *resource);

#endif /* PERFEX_RUSAGE_H */
