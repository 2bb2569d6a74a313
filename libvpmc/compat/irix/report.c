// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Print a command's report. It has one line for each event, with the count and, on
 * request, the times.
 */
#include "libperfex_report.h"

#include <stdlib.h>

#include "libperfex_events.h"

/* This is printed instead of a missing count. */
#define NO_COUNT "-"

/**
 * struct row - a line of the report
 * @number: number of the event
 * @name: name of the event
 * @unknown: the reason why the event does not have a count, or NULL
 * @count: count of the event
 * @value: count as a floating-point number
 * @is_signed: as in struct perfexint_counts
 * @place: position of the event in the command line
 * @seconds: estimated times, indexed by enum perfexint_extent
 */
struct row {
	uint64_t number;
	const char *name;
	const char *unknown;
	uint64_t count;
	double value;
	bool is_signed;
	unsigned int place;
	double seconds[PERFEXINT_EXTENTS];
};

static struct row row_of(const struct perfexint_counts *counts, unsigned int i)
{
	return (struct row){ .number = counts->sel[i].code,
			     .name = perfexint_name(counts->pmu,
						    &counts->sel[i]),
			     .unknown = counts->unknown[i],
			     .count = counts->count[i],
			     .value = perfexint_value(counts, i),
			     .is_signed = counts->is_signed,
			     .place = i };
}

static void print_event(FILE *out, const struct row *row)
{
	fprintf(out, "%5llu ", (unsigned long long)row->number);
	perfexint_print_name(out, row->name);
	if (row->unknown)
		fprintf(out, " %20s", NO_COUNT);
	else if (row->is_signed)
		fprintf(out, " %20lld", (long long)row->count);
	else
		fprintf(out, " %20llu", (unsigned long long)row->count);
}

void perfexint_print_counts(FILE *out, const struct perfexint_counts *counts)
{
	struct row row;
	unsigned int i;

	for (i = 0; i < counts->nr; i++) {
		row = row_of(counts, i);
		print_event(out, &row);
		if (row.unknown)
			fprintf(out, "  # %s", row.unknown);
		putc('\n', out);
	}
}

static void fill_seconds(struct row *row, const struct perfexint_times *times)
{
	enum perfexint_extent extent;

	for (extent = 0; !row->unknown && extent < PERFEXINT_EXTENTS; extent++)
		row->seconds[extent] = row->value *
				       perfexint_clocks(times->costs, row->name,
							extent, times->mhz) /
				       (times->mhz * 1e6);
}

/* Order rows for qsort(): the most costly first, by typical cost, then by maximum cost. */
static int compare(const void *a, const void *b)
{
	const struct row *x = a;
	const struct row *y = b;

	if (x->seconds[PERFEXINT_TYPICAL] != y->seconds[PERFEXINT_TYPICAL])
		return x->seconds[PERFEXINT_TYPICAL] <
				       y->seconds[PERFEXINT_TYPICAL]
			       ? 1
			       : -1;
	if (x->seconds[PERFEXINT_MAXIMUM] != y->seconds[PERFEXINT_MAXIMUM])
		return x->seconds[PERFEXINT_MAXIMUM] <
				       y->seconds[PERFEXINT_MAXIMUM]
			       ? 1
			       : -1;
	return x->place < y->place ? -1 : x->place > y->place;
}

static void print_head(FILE *out, const struct perfexint_counts *counts,
		       double mhz)
{
	fprintf(out, " Based on %.0f MHz %s\n", mhz,
		vpmc_pmu_name(counts->pmu));
	fprintf(out, "%75s%13s%12s%12s\n", "", "Typical", "Minimum", "Maximum");
	fprintf(out, "  %-52s%21s%13s%12s%12s\n", "Event Counter Name",
		"Counter Value", "Time (sec)", "Time (sec)", "Time (sec)");
	perfexint_print_line(out);
}

static void print_row(FILE *out, const struct row *row)
{
	enum perfexint_extent extent;

	print_event(out, row);
	for (extent = 0; !row->unknown && extent < PERFEXINT_EXTENTS; extent++)
		fprintf(out, " %11.6f", row->seconds[extent]);
	if (row->unknown)
		fprintf(out, "  # %s", row->unknown);
	putc('\n', out);
}

void perfexint_print_times(FILE *out, const struct perfexint_counts *counts,
			   const struct perfexint_times *times)
{
	struct row row[VPMC_COUNTS_MAX];
	unsigned int i;

	for (i = 0; i < counts->nr; i++) {
		row[i] = row_of(counts, i);
		fill_seconds(&row[i], times);
	}
	qsort(row, counts->nr, sizeof(*row), compare);
	print_head(out, counts, times->mhz);
	for (i = 0; i < counts->nr; i++)
		print_row(out, &row[i]);
	perfexint_print_statistics(out, counts, times);
}
