/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header declares reports of counts, estimated times and statistics, for the library and for
 * perfex.irix.
 */
#ifndef LIBPERFEX_REPORT_H
#define LIBPERFEX_REPORT_H

#include <stdbool.h>
#include <stdio.h>
#include <vpmc.h>

#include "libperfex_costs.h"

/**
 * struct perfexint_counts - the counts of a report
 * @pmu: the processor's counters
 * @nr: number of events
 * @sel: the events
 * @unknown: for each event, the reason why it does not have a count, or NULL
 * @count: for each event, its count
 * @is_signed: true if a program may have subtracted from the counts; they are then in
 *	two's complement
 */
struct perfexint_counts {
	const struct vpmc_pmu *pmu;
	unsigned int nr;
	struct vpmc_event_sel sel[VPMC_COUNTS_MAX];
	const char *unknown[VPMC_COUNTS_MAX];
	uint64_t count[VPMC_COUNTS_MAX];
	bool is_signed;
};

/* perfexint_value() - convert a count for calculations */
double perfexint_value(const struct perfexint_counts *counts, unsigned int i);

/**
 * struct perfexint_times - the data for converting counts into times
 * @costs: costs of the events
 * @mhz: clocks per microsecond
 */
struct perfexint_times {
	const struct perfexint_costs *costs;
	double mhz;
};

/**
 * perfexint_print_counts() - print a line for each event: number, name, count
 * @out: stream to write to
 * @counts: the counts
 */
void perfexint_print_counts(FILE *out, const struct perfexint_counts *counts);

/**
 * perfexint_print_times() - print a line for each event with its times, the most costly
 * event first, and the statistics that the counts allow
 * @out: stream to write to
 * @counts: the counts
 * @times: the costs of the events
 */
void perfexint_print_times(FILE *out, const struct perfexint_counts *counts,
			   const struct perfexint_times *times);

/**
 * perfexint_print_statistics() - print a line for each statistic whose events were all
 * counted
 * @out: stream to write to
 * @counts: the counts
 * @times: the costs of the events
 */
void perfexint_print_statistics(FILE *out,
				const struct perfexint_counts *counts,
				const struct perfexint_times *times);

/* This is the width of a name with the dots after it. */
#define PERFEXINT_NAME_WIDTH 48

/* perfexint_print_name() - print a name, and dots up to PERFEXINT_NAME_WIDTH */
void perfexint_print_name(FILE *out, const char *name);

/* This is the width of a report with times. */
#define PERFEXINT_LINE_WIDTH 112

/* perfexint_print_line() - print a line of one character */
void perfexint_print_line(FILE *out);

#endif /* LIBPERFEX_REPORT_H */
