// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Compute and print statistics. Each statistic is the quotient of two sums of counts. Instructions
 * executed replace IRIX's graduated instructions. There are no statistics of a second-level cache,
 * because the Pentium has only one level.
 */
#include <string.h>

#include "libperfex_events.h"
#include "libperfex_report.h"

/* A line of the data cache has this number of bytes. */
#define LINE 32.0

#define TERMS_MAX 5

/* These bits say how the quotient is modified. */
enum how {
	ONE_LESS = 0x1, /* subtract it from 1 */
	PER_US = 0x2,	/* divide by microseconds instead of clocks */
	AS_COSTS =
		0x4, /* multiply the upper counts by their typical costs in clocks */
};

/**
 * struct term - a term of a sum
 * @event: name of the event, NULL after the last
 * @factor: factor of its count
 */
struct term {
	const char *event;
	double factor;
};

/**
 * struct statistic - a quotient of two sums
 * @name: its name in the report
 * @how: enum how bits
 * @over: the upper sum
 * @under: the lower sum
 */
struct statistic {
	const char *name;
	unsigned int how;
	struct term over[TERMS_MAX];
	struct term under[TERMS_MAX];
};

#define ACCESSES                \
	{ "data_read", 1 },     \
	{                       \
		"data_write", 1 \
	}
#define MISSES                       \
	{ "data_read_miss", 1 },     \
	{                            \
		"data_write_miss", 1 \
	}

/* clang-format off */
static const struct statistic statistics[] = {
	{ "Instructions/cycle", 0,
	  { { "instructions_executed", 1 } }, { { "clocks", 1 } } },
	{ "Floating point operations/cycle", 0,
	  { { "flops", 1 } }, { { "clocks", 1 } } },
	{ "Data reads & writes/cycle", 0,
	  { ACCESSES }, { { "clocks", 1 } } },
	{ "Data reads & writes/floating point operation", 0,
	  { ACCESSES }, { { "flops", 1 } } },
	{ "Pipeline flushes/Branches", 0,
	  { { "pipeline_flushes", 1 } }, { { "branches", 1 } } },
	{ "Branch target buffer hits/Branches", 0,
	  { { "btb_hits", 1 } }, { { "branches", 1 } } },
	{ "V pipe instructions/Instructions", 0,
	  { { "instructions_executed_v_pipe", 1 } }, { { "instructions_executed", 1 } } },
	{ "L1 Cache Line Reuse", 0,
	  { ACCESSES, { "data_read_miss", -1 }, { "data_write_miss", -1 } }, { MISSES } },
	{ "L1 Data Cache Hit Rate", ONE_LESS,
	  { MISSES }, { ACCESSES } },
	{ "Time accessing memory/Total time", AS_COSTS,
	  { ACCESSES, MISSES, { "data_tlb_miss", 1 } }, { { "clocks", 1 } } },
	{ "Memory bandwidth used (MB/s, average per process)", PER_US,
	  { { "data_read_miss", LINE }, { "data_lines_written_back", LINE } },
	  { { "clocks", 1 } } },
	{ "MFLOPS (average per process)", PER_US,
	  { { "flops", 1 } }, { { "clocks", 1 } } },
};
/* clang-format on */

static bool find_count(const struct perfexint_counts *counts, const char *name,
		       double *count)
{
	unsigned int i;

	for (i = 0; i < counts->nr; i++) {
		if (!counts->unknown[i] &&
		    !strcmp(perfexint_name(counts->pmu, &counts->sel[i]),
			    name)) {
			*count = perfexint_value(counts, i);
			return true;
		}
	}
	return false;
}

/*
 * Add up the terms of a sum. Returns whether all events of the sum were counted. @costs
 * may be NULL.
 */
static bool add_up(const struct term *term,
		   const struct perfexint_counts *counts,
		   const struct perfexint_times *costs, double *sum)
{
	unsigned int i;
	double count;

	*sum = 0;
	for (i = 0; i < TERMS_MAX && term[i].event; i++) {
		if (!find_count(counts, term[i].event, &count))
			return false;
		if (costs)
			count *=
				perfexint_clocks(costs->costs, term[i].event,
						 PERFEXINT_TYPICAL, costs->mhz);
		*sum += term[i].factor * count;
	}
	return true;
}

/* Compute a statistic. Returns whether it has a value. */
static bool evaluate(const struct statistic *statistic,
		     const struct perfexint_counts *counts,
		     const struct perfexint_times *times, double *value)
{
	const bool as_costs = statistic->how & AS_COSTS;
	double over, under;

	if (!add_up(statistic->over, counts, as_costs ? times : NULL, &over) ||
	    !add_up(statistic->under, counts, NULL, &under) || under <= 0)
		return false;
	*value = over / under;
	if (statistic->how & ONE_LESS)
		*value = 1 - *value;
	if (statistic->how & PER_US)
		*value *= times->mhz;
	return true;
}

void perfexint_print_statistics(FILE *out,
				const struct perfexint_counts *counts,
				const struct perfexint_times *times)
{
	bool begun = false;
	double value;
	size_t i;

	for (i = 0; i < sizeof(statistics) / sizeof(statistics[0]); i++) {
		if (!evaluate(&statistics[i], counts, times, &value))
			continue;
		if (!begun) {
			fputs("\nStatistics\n", out);
			perfexint_print_line(out);
		}
		begun = true;
		perfexint_print_name(out, statistics[i].name);
		fprintf(out, " %16.6f\n", value);
	}
}
