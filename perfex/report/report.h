/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the composition and printing of a report in any form. */
#ifndef PERFEX_REPORT_H
#define PERFEX_REPORT_H

#include "run/result.h"
#include "stats/report_data.h"
#include "stats/report_spec.h"

/**
 * report_of() - make a report of the counts so far
 * @spec: the options of counting
 * @result: the counts
 *
 * Return: the report, which points to @result.
 */
struct report report_of(const struct count_spec *spec, struct result *result);

/*
 * report_of_lost() - make a report without content except that the counts are not known any more
 */
struct report report_of_lost(const struct count_spec *spec);

/*
 * is_exposition() - tell whether the form is an exposition, which has all counts so far and
 * replaces the previous report
 */
bool is_exposition(enum format format);

/**
 * print_report() - print a report
 * @out: stream to write to
 * @format: its form
 * @is_begun: true if the output already has reports
 * @report: its contents
 */
void print_report(FILE *out, enum format format, bool is_begun,
		  struct report *report);

#endif /* PERFEX_REPORT_H */
