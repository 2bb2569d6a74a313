/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the report as an OpenMetrics exposition, which monitoring programs
 * read.
 */
#ifndef PERFEX_OPENMETRICS_H
#define PERFEX_OPENMETRICS_H

#include "report/report.h"

/**
 * print_openmetrics() - print all counts so far
 * @out: stream to write to
 * @format: FORMAT_OPENMETRICS, or FORMAT_PROMETHEUS for the older form. In the older form, the
 *	family of a counter has the same name as its samples.
 * @report: the report, without lists, regions and several runs
 */
void print_openmetrics(FILE *out, enum format format,
		       const struct report *report);

#endif /* PERFEX_OPENMETRICS_H */
