/* SPDX-License-Identifier: GPL-2.0-only */
/* This header defines the contents of a report, whatever its form. */
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
 * struct report - the contents of a report
 * @events: the events that were counted
 * @counts: the sum of their counts
 * @spread: how the turns of the events differ, or NULL
 * @whole: the sum over all intervals so far, if the report covers one interval
 * @whole_spread: the @spread of @whole, or NULL
 * @records: the records of the lists, or NULL without lists. Printing folds them.
 * @missing: the records of processes of a cgroup that could not be counted, or NULL
 * @removed: the path of a cgroup that has been removed during the count, or NULL
 * @threads: true if the lists include threads
 * @has_no_memory: true if the lists were left out for lack of memory
 * @running: number of processes that are missing in the lists, or that lack some of their threads
 *	there
 * @with_regions: true if there is a list of regions
 * @regions: the files of collect_regions()
 * @raw: true if the cost of the regions themselves is included
 * @faults: true if page faults and switches are included
 * @command: the command, or NULL if the report omits its times and resources
 * @usage: page faults and switches of the command, or NULL if the report omits them
 * @series: the counts of several runs, or NULL after a single run
 * @exact: the counts of runs with several sets of events, or NULL
 * @parts: the parts of the time in which counting was on, or NULL if it was never stopped
 * @counted_us: total time of @parts so far, in microseconds
 * @elapsed_us: duration of one run, or of the count, in microseconds; 0 if it is not known
 * @failure: set by printing to an enum perfex_status if something is missing
 * @us: time since the beginning, in microseconds
 * @is_block: true if the report is one of several
 * @number: number of the command, from 1, if several are compared; else 0
 * @words: words of the command with @number, ended by NULL
 * @is_saved: true if the report was made of a saved report
 * @note: the notes of the saved report
 * @nr_notes: number of @note
 * @comparison: the reports of the compared commands, which replace all other fields but
 *	@events; or NULL
 * @has_lost: true if the counts of the interval are not known, see have_lost()
 * @is_last: true if the counted processes have ended
 * @is_lost: true if the counts are not known any more, so that the report has no other
 *	content
 * @is_uncounted: true if nothing was counted, because there are no counters. Such a report has no
 *	other content either.
 * @pid: the process of -p, or 0
 * @tid: the thread of -t, or 0
 * @program: name of the counted command, or NULL
 * @output: label of an exposition, or NULL. It distinguishes the samples of several perfex that a
 *	collector reads together.
 * @cpus: in system mode, the counts of each processor so far, or NULL if the report omits them
 */
struct report {
	const struct events *events;
	const struct vpmc_counts *counts;
	const struct vpmc_spread *spread;
	const struct vpmc_counts *whole;
	const struct vpmc_spread *whole_spread;
	struct records *records;
	const struct records *missing;
	const char *removed;
	bool threads;
	bool has_no_memory;
	unsigned int running;
	bool with_regions;
	bool raw;
	bool faults;
	int failure;
	const struct regions_files *regions;
	const struct command *command;
	const struct present_usage *usage;
	const struct series *series;
	const struct exact *exact;
	const struct parts *parts;
	uint64_t counted_us;
	uint64_t elapsed_us;
	uint64_t us;
	bool is_block;
	bool is_saved;
	unsigned int number;
	char **words;
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
