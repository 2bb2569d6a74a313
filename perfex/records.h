/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records of threads.
 */
#ifndef PERFEX_RECORDS_H
#define PERFEX_RECORDS_H

#include "perfex.h"

/**
 * struct records - what the driver has recorded
 * @record: one per thread that has ended, in that order, and one for each time
 *	that a thread was started anew
 * @nr: how many
 * @room: how many fit into the memory
 * @lost: how many the kernel had no room for
 */
struct records {
	struct vpmc_thread_record *record;
	size_t nr;
	size_t room;
	unsigned int lost;
};

/*
 * How often to take records while the command runs, in milliseconds: in this
 * time fewer than VPMC_RECORDS_MAX threads can end.
 */
#define RECORDS_MS 100U

/**
 * is_counted() - whether a record's counts are of the events that perfex counts
 * @record: of a thread or a process
 *
 * Return: false if other events were counted there, or if the counts end before
 * a privileged program. No sum contains such counts.
 */
static inline bool is_counted(const struct vpmc_thread_record *record)
{
	return !record->other_events && !record->revoked;
}

/**
 * take_records() - take all records that there are
 * @vpmc: a handle started with VPMC_RECORDS
 * @records: receives them, behind those that it has; zeroed before the first
 *	call. The caller frees @record, in any case.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int take_records(struct vpmc *vpmc, struct records *records);

/**
 * fold_records() - make records of processes from those of threads
 * @records: what was taken. The last record of each process becomes that of
 *	the process; the others are of no further use.
 * @nr: receives the number of processes
 *
 * A process is counted if one of its threads is, and its counts are the sum of
 * those that are. Its command name is that of the first thread. Processes that
 * had the same number one after the other are told apart.
 *
 * Return: pointers into @records in the order in which the processes ended,
 * which the caller frees, or NULL after a complaint.
 */
struct vpmc_thread_record **fold_records(struct records *records, size_t *nr);

#endif /* PERFEX_RECORDS_H */
