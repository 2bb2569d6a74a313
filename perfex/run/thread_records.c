// SPDX-License-Identifier: GPL-2.0-only
/* Collect the records of threads, and add them to those of their processes. */
#include "run/thread_records.h"

#include <stdlib.h>
#include <string.h>

#include "events/counted.h"

/*
 * Return the number of values of a record: its counts, and with shared counters also the times of
 * the events and the whole time.
 */
static size_t nr_values(const struct events *events)
{
	return events->shared ? 2 * events->nr + 1 : events->nr;
}

static size_t nr_turns(const struct events *events)
{
	return events->shared ? events->nr : 0;
}

size_t record_size(const struct events *events)
{
	return sizeof(struct record) + nr_values(events) * sizeof(uint64_t) +
	       nr_turns(events) * sizeof(struct vpmc_turns_of);
}

static struct vpmc_turns_of *turns_of(const struct events *events,
				      struct record *record)
{
	return (struct vpmc_turns_of *)(void *)(record->value +
						nr_values(events));
}

const struct vpmc_turns_of *record_turns(const struct events *events,
					 const struct record *record)
{
	return (const struct vpmc_turns_of *)(const void *)(record->value +
							    nr_values(events));
}

struct record *record_at(const struct records *records, size_t i)
{
	return (struct record *)(void *)(records->memory +
					 i * record_size(records->events));
}

static bool make_room(struct records *records)
{
	const size_t room = records->room ? 2 * records->room : 64;
	void *memory;

	if (records->nr < records->room)
		return true;
	memory = reallocarray(records->memory, room,
			      record_size(records->events));
	if (!memory)
		return false;
	records->memory = memory;
	records->room = room;
	return true;
}

/* Keep a record. If it counts other events, drop its counts, because their number may differ. */
static void keep(struct records *records,
		 const struct vpmc_thread_record *taken,
		 const struct vpmc_spread *spread)
{
	const struct events *events = records->events;
	struct record *record = record_at(records, records->nr);
	size_t i;

	record->pid = taken->pid;
	record->tid = taken->tid;
	record->number = (unsigned int)records->nr;
	record->is_counted = !taken->other_events && !taken->revoked;
	record->is_last = taken->last;
	memcpy(record->command, taken->command, sizeof(record->command));
	memset(record->value, 0, record_size(events) - sizeof(*record));
	if (!record->is_counted)
		return;
	for (i = 0; i < events->nr; i++)
		record->value[i] = taken->count[i];
	records->stopped += taken->stopped;
	if (!events->shared)
		return;
	for (i = 0; i < events->nr; i++)
		record->value[events->nr + i] = taken->time[i];
	record->value[2 * events->nr] = taken->tsc;
	for (i = 0; i < nr_turns(events) && i < spread->nr; i++)
		turns_of(events, record)[i] = spread->event[i];
}

void keep_record(struct records *records,
		 const struct vpmc_thread_record *taken,
		 const struct vpmc_spread *spread)
{
	if (!make_room(records)) {
		records->dropped++;
		return;
	}
	keep(records, taken, spread);
	records->nr++;
}

static bool are_of_one_process(const struct missing *missing,
			       const struct vpmc_thread_record *taken)
{
	/* The process id may have been reused for another process. */
	return missing->pid == taken->pid &&
	       !memcmp(missing->command, taken->command,
		       sizeof(missing->command));
}

/*
 * Keep the name of a missing process, unless an earlier thread has already added it. A process
 * without an id in perfex's PID namespace cannot be named.
 */
static void keep_missing(struct records *records,
			 const struct vpmc_thread_record *taken)
{
	struct missing *missing = records->missing;
	unsigned int i;

	if (!taken->pid)
		return;
	records->missing_threads++;
	for (i = 0; i < records->nr_missing; i++) {
		if (are_of_one_process(&missing[i], taken))
			return;
	}
	if (i == MISSING_MAX)
		return;
	missing[i].pid = taken->pid;
	memcpy(missing[i].command, taken->command, sizeof(missing[i].command));
	records->nr_missing++;
}

int take_records(struct vpmc *vpmc, struct records *records)
{
	struct vpmc_spread spread = { .nr = 0 };
	struct vpmc_thread_record record;
	struct vpmc_error err;
	int ret;

	for (;;) {
		ret = records->events->shared
			      ? vpmc_next_record_spread(vpmc, &record, &spread,
							&err)
			      : vpmc_next_record(vpmc, &record, &err);
		if (ret == VPMC_E_NO_RECORD)
			return 0;
		if (ret)
			return complain_vpmc(&err);
		records->lost += record.lost;
		records->limited |= record.limited;
		/* A record without counts only reports lost records. */
		if (!record.nr)
			continue;
		if (record.missing)
			keep_missing(records, &record);
		if (record.missing || records->only_missing)
			continue;
		place_counts(records->events, record.count, record.time,
			     &spread);
		keep_record(records, &record, &spread);
	}
}

static int compare_numbers(const void *a, const void *b)
{
	const struct record *x = a;
	const struct record *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

/* Compare records by process, then by their order. */
static int compare_pids(const void *a, const void *b)
{
	const struct record *x = a;
	const struct record *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return compare_numbers(a, b);
}

static void fold_turns(struct vpmc_turns_of *sum,
		       const struct vpmc_turns_of *earlier)
{
	sum->nr += earlier->nr;
	sum->count_squares += earlier->count_squares;
	sum->products += earlier->products;
	sum->time_squares += earlier->time_squares;
}

/* Add @earlier to @sum, which is a record of the same process. */
static void fold(const struct events *events, struct record *sum,
		 const struct record *earlier)
{
	size_t i;

	if (sum->tid != sum->pid && earlier->tid == earlier->pid) {
		memcpy(sum->command, earlier->command, sizeof(sum->command));
		sum->tid = sum->pid;
	}
	for (i = 0; i < nr_values(events) && earlier->is_counted; i++)
		sum->value[i] += earlier->value[i];
	for (i = 0; i < nr_turns(events) && earlier->is_counted; i++)
		fold_turns(&turns_of(events, sum)[i],
			   &record_turns(events, earlier)[i]);
	sum->is_counted |= earlier->is_counted;
}

/*
 * Fold the records, which are sorted by compare_pids(), into the last one of each process,
 * and move these to the front. Returns their number.
 */
static size_t fold_processes(struct records *records)
{
	const size_t size = record_size(records->events);
	size_t processes = 0;
	size_t first, last, i;

	for (first = 0; first < records->nr; first = last + 1) {
		last = first;
		while (last + 1 < records->nr &&
		       !record_at(records, last)->is_last &&
		       record_at(records, last + 1)->pid ==
			       record_at(records, first)->pid)
			last++;
		for (i = last; i-- > first;)
			fold(records->events, record_at(records, last),
			     record_at(records, i));
		memmove(record_at(records, processes++),
			record_at(records, last), size);
	}
	return processes;
}

void fold_records(struct records *records)
{
	const size_t size = record_size(records->events);

	if (!records->nr)
		return;
	qsort(records->memory, records->nr, size, compare_pids);
	records->nr = fold_processes(records);
	qsort(records->memory, records->nr, size, compare_numbers);
}
