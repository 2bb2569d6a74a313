// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of threads: taken from the driver, and added up for each process.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "records.h"

static int make_room(struct records *records)
{
	size_t room = records->room ? 2 * records->room : 64;
	void *record;

	if (records->nr < records->room)
		return 0;
	record = reallocarray(records->record, room, sizeof(*records->record));
	if (!record) {
		complain("cannot keep the records of the threads: %s",
			 strerror(errno));
		return PERFEX_SYSTEM;
	}
	records->record = record;
	records->room = room;
	return 0;
}

int take_records(struct vpmc *vpmc, struct records *records)
{
	struct vpmc_thread_record *record;
	struct vpmc_error err;
	int ret;

	for (;;) {
		ret = make_room(records);
		if (ret)
			return ret;
		record = &records->record[records->nr];
		ret = vpmc_next_record(vpmc, record, &err);
		if (ret == VPMC_E_NO_RECORD)
			return 0;
		if (ret)
			return complain_vpmc(&err);
		records->lost += record->lost;
		/* A record without counts only says that others were lost. */
		if (record->nr)
			records->nr++;
	}
}

static int compare_places(const void *a, const void *b)
{
	const struct vpmc_thread_record *const *x = a;
	const struct vpmc_thread_record *const *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Compares by process, then by the order of the records. */
static int compare_pids(const void *a, const void *b)
{
	const struct vpmc_thread_record *const *x = a;
	const struct vpmc_thread_record *const *y = b;

	if ((*x)->pid != (*y)->pid)
		return (*x)->pid < (*y)->pid ? -1 : 1;
	return compare_places(a, b);
}

/* Add @earlier to @sum, a record of the same process. */
static void fold(struct vpmc_thread_record *sum,
		 const struct vpmc_thread_record *earlier)
{
	unsigned int i;

	if (sum->tid != sum->pid && earlier->tid == earlier->pid) {
		memcpy(sum->command, earlier->command, sizeof(sum->command));
		sum->tid = sum->pid;
	}
	if (!is_counted(earlier))
		return;
	if (!is_counted(sum)) {
		sum->tsc = 0;
		memset(sum->count, 0, sizeof(sum->count));
		memset(sum->time, 0, sizeof(sum->time));
	}
	sum->tsc += earlier->tsc;
	for (i = 0; i < earlier->nr; i++) {
		sum->count[i] += earlier->count[i];
		sum->time[i] += earlier->time[i];
	}
	sum->other_events = 0;
	sum->revoked = 0;
}

/*
 * Fold the @nr records in @order, which compare_pids() has sorted, into the
 * last one of each process. Moves these to the front of @order and returns
 * their number.
 */
static size_t fold_processes(struct vpmc_thread_record **order, size_t nr)
{
	size_t processes = 0;
	size_t first, last, i;

	for (first = 0; first < nr; first = last + 1) {
		last = first;
		while (last + 1 < nr && !order[last]->last &&
		       order[last + 1]->pid == order[first]->pid)
			last++;
		for (i = last; i-- > first;)
			fold(order[last], order[i]);
		order[processes++] = order[last];
	}
	return processes;
}

struct vpmc_thread_record **fold_records(struct records *records, size_t *nr)
{
	const size_t size = sizeof(struct vpmc_thread_record *);
	struct vpmc_thread_record **order;
	size_t i;

	order = calloc(records->nr + 1, size);
	if (!order) {
		complain("cannot add up the records of the threads: %s",
			 strerror(errno));
		return NULL;
	}
	for (i = 0; i < records->nr; i++)
		order[i] = &records->record[i];
	qsort(order, records->nr, size, compare_pids);
	*nr = fold_processes(order, records->nr);
	qsort(order, *nr, size, compare_places);
	return order;
}
