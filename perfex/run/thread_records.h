/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the records of threads. perfex takes them from the driver while the
 * command runs, and folds them into records of processes. There may be hundreds of thousands of
 * records, so each has only the necessary fields.
 */
#ifndef PERFEX_THREAD_RECORDS_H
#define PERFEX_THREAD_RECORDS_H

#include "util/perfex.h"

/**
 * struct record - the counts of a thread or a process
 * @pid: number of the process
 * @tid: number of the thread; in the record of a process, the thread that has named it
 * @number: index among all records
 * @is_counted: true if the counts are of the events that perfex counts, and do not end
 *	before a privileged program. Sums contain only such counts.
 * @is_last: true if its process has no thread left
 * @command: its command name
 * @value: the counts. If events share counters, the time in which each event was counted, the
 *	whole time, and the values of record_turns() follow.
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
 * @lost: number of records that did not fit into the kernel's memory
 * @limited: true if some records were lost because of RLIMIT_MEMLOCK
 * @dropped: number of records that perfex dropped for lack of memory
 * @stopped: number of gaps in the kept counts
 * @only_missing: true to keep only the records of processes that are missing
 * @missing: processes of a cgroup that could not be counted
 * @nr_missing: number of missing processes that are named
 * @missing_threads: number of threads with an id that could not be started, including threads of
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
 * Take records each time this many milliseconds have passed. In this time fewer than
 * VPMC_RECORDS_MAX threads can end.
 */
#define RECORDS_MS 100U

/* record_size() - compute the bytes of a record */
size_t record_size(const struct events *events);

/* record_turns() - get the spread of the events' turns; only if events share counters */
const struct vpmc_turns_of *record_turns(const struct events *events,
					 const struct record *record);

/* record_at() - get a record, in the order in which threads, or processes, ended */
struct record *record_at(const struct records *records, size_t i);

/**
 * take_records() - take all records that are available
 * @vpmc: a handle started with VPMC_RECORDS
 * @records: receives the new records, after the records that it already has. Before the first
 *	call, all members but @events are zero. The caller frees records->memory, even after a
 *	failure.
 *
 * If there is no memory, records are taken and dropped.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int take_records(struct vpmc *vpmc, struct records *records);

/**
 * keep_record() - add a record to @records, or count it as dropped
 * @records: as for take_records()
 * @taken: the record
 * @spread: the spread of its turns; its nr is 0 if it is not known
 */
void keep_record(struct records *records,
		 const struct vpmc_thread_record *taken,
		 const struct vpmc_spread *spread);

/**
 * fold_records() - make records of processes from those of threads
 * @records: the records
 *
 * A process is counted if one of its threads is counted. Its counts are the sum over the counted
 * threads, and its command name is the name of the first thread. Successive processes with the
 * same number remain separate. The function does not allocate memory.
 */
void fold_records(struct records *records);

#endif /* PERFEX_THREAD_RECORDS_H */
