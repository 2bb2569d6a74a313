/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Times and resources of the command, beside its counts.
 */
#ifndef PERFEX_RESOURCES_H
#define PERFEX_RESOURCES_H

#include "report.h"

/**
 * struct resource - one of them
 * @name: with the unit at the end, lower case with underscores
 * @value: a decimal number
 */
struct resource {
	const char *name;
	char value[32];
};

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

#endif /* PERFEX_RESOURCES_H */
