/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the records of threads, which perfex takes from the driver while the
 * command runs and folds into those of processes. There may be hundreds of thousands, so
 * each has only the fields that are needed.
 */
#ifndef PERFEX_THREAD_RECORDS_H
#define PERFEX_THREAD_RECORDS_H

#include "util/perfex.h"

/**
 * struct record - the counts of a thread or a process
 * @pid: number of the process
 * @tid: number of the thread; for a process, of the thread that has named it
 * @number: index among all records
 * @is_counted: true if the counts are of the events that perfex counts, and do not end
 *	before a privileged program. Sums contain only such counts.
 * @is_last: true if its process has no thread left
 * @command: its command name
 * @value: the counts; if events share counters, then the times in which each was counted
 *	and the whole time, and then the values of record_turns()
 */
struct record {
	int pid;
	int tid;
	unsigned int number;
	bool is_counted;
	bool is_last;
	char command[16];
	uint64_t value[];
};

/* Reports name at most this many processes that could not be counted. */
#define MISSING_MAX 8

/**
 * struct missing - a process that could not be counted
 * @pid: its number
 * @command: its command name
 */
struct missing {
	int pid;
	char command[16];
};

/**
 * struct records - the records that were taken from the driver
 * @events: the events that are counted
 * @memory: the records, each of record_size(), without gaps
 * @nr: number of records
 * @room: number of records that fit into @memory
 * @lost: number of records that the kernel had no room for
 * @limited: true if some of these were lost because of RLIMIT_MEMLOCK
 * @dropped: number of records that perfex had no memory for
 * @stopped: number of gaps in the counts of the records with counts
 * @only_missing: true to keep only the records of processes that are missing
 * @missing: processes of a cgroup that could not be counted
 * @nr_missing: number of them that are named
 * @missing_threads: number of threads with an id that could not be started, also of
 *	processes that are not named
 */
struct records {
	const struct events *events;
	char *memory;
	size_t nr;
	size_t room;
	unsigned int lost;
	unsigned int dropped;
	bool limited;
	unsigned int stopped;
	bool only_missing;
	struct missing missing[MISSING_MAX];
	unsigned int nr_missing;
	unsigned int missing_threads;
};

/*
 * Take records so often while the command runs, in milliseconds. In this time fewer than
 * VPMC_RECORDS_MAX threads can end.
 */
#define RECORDS_MS 100U

/* record_size() - compute the bytes of a record */
size_t record_size(const struct events *events);

/* record_turns() - get how the turns of the events differ; only if events share counters */
const struct vpmc_turns_of *record_turns(const struct events *events,
					 const struct record *record);

/* record_at() - get a record, in the order in which threads, or processes, ended */
struct record *record_at(const struct records *records, size_t i);

/**
 * take_records() - take all records that are available
 * @vpmc: a handle started with VPMC_RECORDS
 * @records: receives the records, after the present ones; before the first call, all
 *	members but @events are zero. The caller frees @memory, even after a failure.
 *
 * If there is no memory, records are taken and dropped.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int take_records(struct vpmc *vpmc, struct records *records);

/**
 * keep_record() - add a record to the others, or count it as dropped
 * @records: as for take_records()
 * @taken: the record
 * @spread: how its turns differ; its nr is 0 if this is not known
 */
void keep_record(struct records *records,
		 const struct vpmc_thread_record *taken,
		 const struct vpmc_spread *spread);

/**
 * fold_records() - make records of processes from those of threads
 * @records: the records
 *
 * A process is counted if one of its threads is, and its counts are the sum over the
 * counted threads. Its command name is that of the first thread. Processes that had the
 * same number one after the other remain separate. The function does not need memory.
 */
void fold_records(struct records *records);

#endif /* PERFEX_THREAD_RECORDS_H */
