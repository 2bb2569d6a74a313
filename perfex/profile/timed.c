// SPDX-License-Identifier: GPL-2.0-only
/* Find the regions of samples by their times. */
#include "profile/timed.h"

#include <stdlib.h>

#include "symbols/growing.h"

/**
 * struct timed_sample - a sample
 * @tsc: its time
 * @offset: this field and the other fields are as in struct spot
 * @pid: its process
 * @tid: its thread
 */
struct timed_sample {
	uint64_t tsc;
	uint64_t offset;
	uint64_t samples;
	uint32_t pid;
	uint32_t tid;
	uint32_t event;
	uint32_t program;
	uint32_t object;
	uint32_t callers;
};

/**
 * struct timed_change - a change of the innermost region
 * @tsc: its time
 * @pid: its process
 * @tid: its thread, 0 for all threads of the process
 * @region: the innermost region from then on, as in struct spot
 * @order: number of earlier changes
 */
struct timed_change {
	uint64_t tsc;
	uint32_t pid;
	uint32_t tid;
	uint32_t region;
	uint32_t order;
};

bool keep_sample(struct timed *timed, const struct vpmc_sample_record *record,
		 const struct spot *spot)
{
	if (!grow(&timed->sample, &timed->samples_room, timed->nr_samples,
		  sizeof(*timed->sample)))
		return false;
	timed->sample[timed->nr_samples++] =
		(struct timed_sample){ .tsc = record->tsc,
				       .offset = spot->offset,
				       .samples = spot->samples,
				       .pid = record->pid,
				       .tid = record->tid,
				       .event = spot->event,
				       .program = spot->program,
				       .object = spot->object,
				       .callers = spot->callers };
	return true;
}

static bool add_change(struct timed *timed, struct timed_change change)
{
	if (!grow(&timed->change, &timed->changes_room, timed->nr_changes,
		  sizeof(*timed->change)))
		return false;
	change.order = (uint32_t)timed->nr_changes;
	timed->change[timed->nr_changes++] = change;
	return true;
}

bool keep_program(struct timed *timed, const struct vpmc_sample_record *record)
{
	return add_change(timed, (struct timed_change){ .tsc = record->tsc,
							.pid = record->pid });
}

void keep_change(struct timed *timed, const struct region_change *change,
		 struct objects *names)
{
	struct timed_change kept = { .tsc = change->stamp,
				     .pid = (uint32_t)change->pid,
				     .tid = (uint32_t)change->tid };

	/* The region is 0 if no region is open, or if there is no memory for its name. */
	if (change->region)
		kept.region = number_name(names, change->region) + 1;
	if ((change->region && !kept.region) || !add_change(timed, kept))
		timed->is_short = true;
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_changes(const void *a, const void *b)
{
	const struct timed_change *one = a, *other = b;
	int order = compare_numbers(one->pid, other->pid);

	if (!order)
		order = compare_numbers(one->tid, other->tid);
	if (!order)
		order = compare_numbers(one->tsc, other->tsc);
	return order ? order : compare_numbers(one->order, other->order);
}

/*
 * Find the last change of thread @tid up to the time of the sample, by a binary search. Thread 0
 * has the changes of the whole process.
 */
static const struct timed_change *last_change(const struct timed *timed,
					      const struct timed_sample *sample,
					      uint32_t tid)
{
	const struct timed_change key = { .tsc = sample->tsc,
					  .pid = sample->pid,
					  .tid = tid,
					  .order = UINT32_MAX };
	const struct timed_change *found;
	size_t low = 0, high = timed->nr_changes, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (compare_changes(&timed->change[middle], &key) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	found = low ? &timed->change[low - 1] : NULL;
	return found && found->pid == sample->pid && found->tid == tid ? found
								       : NULL;
}

/* If the process has executed a program after the change, the region has ended. */
static uint32_t find_region(const struct timed *timed,
			    const struct timed_sample *sample)
{
	const struct timed_change *change =
		last_change(timed, sample, sample->tid);
	const struct timed_change *program = last_change(timed, sample, 0);

	if (!change || (program && program->tsc > change->tsc))
		return 0;
	return change->region;
}

bool settle_samples(struct timed *timed, struct spots *spots)
{
	size_t i;

	if (timed->nr_changes)
		qsort(timed->change, timed->nr_changes, sizeof(*timed->change),
		      compare_changes);
	for (i = 0; i < timed->nr_samples; i++) {
		const struct timed_sample *sample = &timed->sample[i];
		const struct spot spot = { .event = sample->event,
					   .program = sample->program,
					   .object = sample->object,
					   .callers = sample->callers,
					   .region = find_region(timed, sample),
					   .offset = sample->offset,
					   .samples = sample->samples };

		if (!count_at(spots, &spot))
			return false;
	}
	timed->nr_samples = 0;
	return !timed->is_short;
}

void free_timed(struct timed *timed)
{
	free(timed->sample);
	free(timed->change);
	*timed = (struct timed){ .nr_samples = 0 };
}
