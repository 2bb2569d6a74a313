/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a report says, whatever it looks like.
 */
#ifndef PERFEX_REPORT_H
#define PERFEX_REPORT_H

#include "perfex.h"
#include "records.h"
#include "run.h"

struct cpus;
struct exact;
struct series;

/* How a report looks. perfex(1) describes each of them; they are stable. */
enum format {
	FORMAT_TEXT,
	FORMAT_CSV,
	FORMAT_JSON,
	FORMAT_OPENMETRICS,
	FORMAT_PROMETHEUS,
};

/**
 * struct report - what a report says
 * @events: what was counted
 * @counts: the sum
 * @whole: that of all intervals so far, if the report is of one of them
 * @records: those of the lists, or NULL without lists. Printing folds them.
 * @threads: whether there is a list of threads, too
 * @has_no_memory: the lists were given up
 * @running: processes that are not listed, or not with all their threads
 * @with_regions: whether there is a list of regions
 * @regions: from collect_regions()
 * @raw: whether with what the regions themselves cost
 * @command: the command, if its times and resources are wanted; or NULL
 * @series: what several runs have counted, or NULL after one
 * @exact: what was counted in runs of several sets of events, or NULL
 * @elapsed_us: how long one run took, in microseconds; 0 if that is not known
 * @failure: after printing, an enum perfex_status if something is missing
 * @ms: of a report among several, the milliseconds since the beginning
 * @is_block: it is one of several
 * @is_last: what is counted has ended
 * @is_lost: what was counted is not known any more; there is nothing else to say
 * @pid: the process of -p, or 0
 * @program: the name of the command that is counted, or NULL
 * @cpus: in system mode all that each processor has counted so far, if that is wanted;
 *	or NULL
 */
struct report {
	const struct events *events;
	const struct vpmc_counts *counts;
	const struct vpmc_counts *whole;
	struct records *records;
	bool threads;
	bool has_no_memory;
	unsigned int running;
	bool with_regions;
	int regions;
	bool raw;
	const struct command *command;
	const struct series *series;
	const struct exact *exact;
	uint64_t elapsed_us;
	int failure;
	uint64_t ms;
	bool is_block;
	bool is_last;
	bool is_lost;
	int pid;
	const char *program;
	const struct cpus *cpus;
};

/*
 * is_exposition() - whether a report of this form says all that was counted so far, in
 * place of the one before it
 */
bool is_exposition(enum format format);

/**
 * print_report() - print a report
 * @out: where to
 * @format: how it looks
 * @is_begun: reports stand before it in the same place
 * @report: what it says
 */
void print_report(FILE *out, enum format format, bool is_begun,
		  struct report *report);

#endif /* PERFEX_REPORT_H */
