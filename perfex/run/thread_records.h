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
 * struct record - what a thread has counted, or a process
 * @pid: its process
 * @tid: the thread; of a process that of the thread which has named it
 * @number: its place among all records
 * @is_counted: its counts are of the events that perfex counts. False also if they
 *	end before a privileged program. No sum contains such counts.
 * @is_last: no thread of its process is left
 * @command: its command name
 * @value: the counts, and if events share counters the times in which each was
 *	counted and the whole time, and then what record_turns() returns
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

/**
 * struct records - what the driver has recorded
 * @events: what is counted
 * @memory: the records, one behind the other, each of record_size()
 * @nr: how many
 * @room: how many fit into the memory
 * @lost: how many the kernel had no room for
 * @limited: some of these because of RLIMIT_MEMLOCK
 * @dropped: how many perfex had no memory for
 * @stopped: gaps in the counts of those that are counted
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
};

/*
 * How often to take records while the command runs, in milliseconds: in this
 * time fewer than VPMC_RECORDS_MAX threads can end.
 */
#define RECORDS_MS 100U

/* record_size() - the bytes that a record takes */
size_t record_size(const struct events *events);

/* record_turns() - how the turns of its events differ; only if they share counters */
const struct vpmc_turns_of *record_turns(const struct events *events,
					 const struct record *record);

/* record_at() - a record, in the order in which threads, or processes, ended */
struct record *record_at(const struct records *records, size_t i);

/**
 * take_records() - take all records that there are
 * @vpmc: a handle started with VPMC_RECORDS
 * @records: receives them, behind those that it has; zeroed but for @events before
 *	the first call. The caller frees @memory, in any case.
 *
 * Without memory the records are taken, and dropped.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int take_records(struct vpmc *vpmc, struct records *records);

/**
 * keep_record() - keep a record behind the others, or count it as dropped
 * @records: as for take_records()
 * @taken: the record
 * @spread: how its turns differ; its nr is 0 if it is not known
 */
void keep_record(struct records *records,
		 const struct vpmc_thread_record *taken,
		 const struct vpmc_spread *spread);

/**
 * fold_records() - make records of processes from those of threads
 * @records: what was taken
 *
 * A process is counted if one of its threads is, and its counts are the sum of
 * those that are. Its command name is that of the first thread. Processes that
 * had the same number one after the other are told apart. Needs no memory.
 */
void fold_records(struct records *records);

#endif /* PERFEX_THREAD_RECORDS_H */
