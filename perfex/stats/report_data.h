/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a report says, whatever it looks like.
 */
#ifndef PERFEX_REPORT_DATA_H
#define PERFEX_REPORT_DATA_H

#include "run/child.h"
#include "run/pause.h"
#include "run/thread_records.h"

struct comparison;
struct cpus;
struct exact;
struct present_usage;
struct regions_files;
struct series;

/**
 * struct report - what a report says
 * @events: what was counted
 * @counts: the sum
 * @spread: how the turns of its events differ, or NULL
 * @whole: that of all intervals so far, if the report is of one of them
 * @whole_spread: its @spread, or NULL
 * @records: those of the lists, or NULL without lists. Printing folds them.
 * @threads: whether there is a list of threads, too
 * @has_no_memory: the lists were given up
 * @running: processes that are not listed, or not with all their threads
 * @with_regions: whether there is a list of regions
 * @regions: from collect_regions()
 * @raw: whether with what the regions themselves cost
 * @faults: whether with page faults and switches
 * @command: the command, if its times and resources are wanted; or NULL
 * @usage: page faults and switches of the command in this interval, and in all so far;
 *	or NULL if they are not wanted
 * @series: what several runs have counted, or NULL after one
 * @exact: what was counted in runs of several sets of events, or NULL
 * @parts: those in which it was counted, or NULL if that is all the time
 * @counted_us: how long they lasted so far, in microseconds
 * @elapsed_us: how long one run took, or was counted, in microseconds; 0 if that is not
 *	known
 * @failure: after printing, an enum perfex_status if something is missing
 * @us: the microseconds since the beginning
 * @is_block: it is one of several
 * @number: of the command, from 1, if it is one of several that are compared; else 0
 * @words: of this command; ends with NULL
 * @is_saved: it is of a saved report
 * @note: the notes of that report
 * @nr_notes: how many
 * @comparison: the reports of such commands, in place of all this but @events; or NULL
 * @has_lost: what was counted in it is not known, see have_lost()
 * @is_last: what is counted has ended
 * @is_lost: what was counted is not known any more; there is nothing else to say
 * @is_uncounted: nothing was counted, because there are no counters; likewise
 * @pid: the process of -p, or 0
 * @tid: the thread of -t, or 0
 * @program: the name of the command that is counted, or NULL
 * @output: what distinguishes its samples from those of another perfex that are read
 *	together with them, or NULL; for expositions
 * @cpus: in system mode all that each processor has counted so far, if that is wanted;
 *	or NULL
 */
struct report {
	const struct events *events;
	const struct vpmc_counts *counts;
	const struct vpmc_spread *spread;
	const struct vpmc_counts *whole;
	const struct vpmc_spread *whole_spread;
	struct records *records;
	bool threads;
	bool has_no_memory;
	unsigned int running;
	bool with_regions;
	const struct regions_files *regions;
	bool raw;
	bool faults;
	const struct command *command;
	const struct present_usage *usage;
	const struct series *series;
	const struct exact *exact;
	const struct parts *parts;
	uint64_t counted_us;
	uint64_t elapsed_us;
	int failure;
	uint64_t us;
	bool is_block;
	unsigned int number;
	char **words;
	bool is_saved;
	char **note;
	size_t nr_notes;
	const struct comparison *comparison;
	bool has_lost;
	bool is_last;
	bool is_lost;
	bool is_uncounted;
	int pid;
	int tid;
	const char *program;
	const char *output;
	const struct cpus *cpus;
};

#endif /* PERFEX_REPORT_DATA_H */
