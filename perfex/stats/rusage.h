/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the times and resources of the command, which are reported in
 * addition to its counts.
 */
#ifndef PERFEX_RUSAGE_H
#define PERFEX_RUSAGE_H

#include "stats/report_data.h"
#include "stats/statistics.h"

/* This is the number of resources, without the ratio of two events. */
#define NR_RESOURCES 8

/**
 * struct resource - a resource
 * @name: name with the unit at the end, lower case with underscores
 * @value: a decimal number
 * @is_time: true if @value is in seconds; @statistic is then in microseconds
 * @statistic: statistic of several runs, or NULL
 */
struct resource {
	const char *name;
	char value[32];
	bool is_time;
	const struct statistic *statistic;
};

/* resource_name() - get the name of a resource, from 0 to NR_RESOURCES - 1 */
const char *resource_name(size_t i);

/* resource_is_time() - tell whether a resource is a time */
bool resource_is_time(size_t i);

/*
 * resource_value() - get the value of a resource as a whole number; times are in
 * microseconds
 */
uint64_t resource_value(const struct command *command, size_t i);

/**
 * print_amount() - print a whole number as text
 * @text: receives the text
 * @size: size of @text
 * @value: the number
 * @is_time: true if @value is in microseconds, and is to be printed in seconds
 */
void print_amount(char *text, size_t size, uint64_t value, bool is_time);

/* has_resources() - tell whether a report has resources */
bool has_resources(const struct report *report);

/**
 * get_resource() - get the value of a resource in a report
 * @report: the report
 * @i: index of the resource
 * @resource: receives the resource
 *
 * Return: false if there are only @i resources.
 */
bool get_resource(const struct report *report, size_t i,
		  struct resource *resource);

#endif /* PERFEX_RUSAGE_H */
