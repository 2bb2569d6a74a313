/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header declares reports: counts, estimated times and statistics, for the library and
 * for perfex.irix.
 */
#ifndef LIBPERFEX_REPORT_H
#define LIBPERFEX_REPORT_H

#include <stdbool.h>
#include <stdio.h>
#include <vpmc.h>

#include "libperfex_costs.h"

/**
 * struct perfexint_counts - what was counted
 * @pmu: the processor's counters
 * @nr: how many events
 * @sel: the events
 * @unknown: why there is no count of one, or NULL
 * @count: how often each happened
 * @is_signed: a program may have subtracted from the counts: they are of two's complement
 */
struct perfexint_counts {
	const struct vpmc_pmu *pmu;
	unsigned int nr;
	struct vpmc_event_sel sel[VPMC_COUNTS_MAX];
	const char *unknown[VPMC_COUNTS_MAX];
	uint64_t count[VPMC_COUNTS_MAX];
	bool is_signed;
};

/* perfexint_value() - a count to work with */
double perfexint_value(const struct perfexint_counts *counts, unsigned int i);

/**
 * struct perfexint_times - what turns counts into times
 * @costs: what the events cost
 * @mhz: how many clocks a microsecond has
 */
struct perfexint_times {
	const struct perfexint_costs *costs;
	double mhz;
};

/**
 * perfexint_print_counts() - a line for each event: number, name, count
 * @out: where to
 * @counts: what was counted
 */
void perfexint_print_counts(FILE *out, const struct perfexint_counts *counts);

/**
 * perfexint_print_times() - the same with times, from the most costly to the least, and
 * the statistics that the counts allow
 * @out: where to
 * @counts: what was counted
 * @times: what the events cost
 */
void perfexint_print_times(FILE *out, const struct perfexint_counts *counts,
			   const struct perfexint_times *times);

/**
 * perfexint_print_statistics() - a line for each statistic whose events were all counted
 * @out: where to
 * @counts: what was counted
 * @times: what the events cost
 */
void perfexint_print_statistics(FILE *out,
				const struct perfexint_counts *counts,
				const struct perfexint_times *times);

/* The width of a name with the dots behind it. */
#define PERFEXINT_NAME_WIDTH 48

/* perfexint_print_name() - a name, and dots up to PERFEXINT_NAME_WIDTH */
void perfexint_print_name(FILE *out, const char *name);

/* The width of a report with times. */
#define PERFEXINT_LINE_WIDTH 112

/* perfexint_print_line() - a line of one character */
void perfexint_print_line(FILE *out);

#endif /* LIBPERFEX_REPORT_H */
