/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares samples that are kept with their times, until it is known which regions were
 * open then: processes leave these in a file that is read at the end. A sample belongs to the
 * innermost region that was open in its thread at its time stamp. Begins and ends of regions read
 * the same time stamp counter in the same thread, so no sample is before a begin that it follows.
 */
#ifndef PERFEX_PROFILE_TIMED_H
#define PERFEX_PROFILE_TIMED_H

#include "profile/objects.h"
#include "profile/spots.h"
#include "timeline/trace_json.h"

struct timed_sample;
struct timed_change;

/**
 * struct timed - samples and changes of regions; zeroed before the first one
 * @sample: the samples
 * @nr_samples: their number
 * @samples_room: room for so many
 * @change: the changes of regions, and the begins of programs, which end all regions of a process
 * @nr_changes: their number
 * @changes_room: room for so many
 * @is_short: whether memory was short for a change
 */
struct timed {
	struct timed_sample *sample;
	size_t nr_samples;
	size_t samples_room;
	struct timed_change *change;
	size_t nr_changes;
	size_t changes_room;
	bool is_short;
};

/**
 * keep_sample() - keep a sample
 * @timed: the samples
 * @record: the sample
 * @spot: its instruction
 *
 * Return: false if memory is short.
 */
bool keep_sample(struct timed *timed, const struct vpmc_sample_record *record,
		 const struct spot *spot);

/* keep_program() - note that a process begins to execute a program; returns like keep_sample() */
bool keep_program(struct timed *timed, const struct vpmc_sample_record *record);

/**
 * keep_change() - note which region is the innermost one from now on
 * @timed: the samples
 * @change: the change
 * @names: numbers of names, of which the region gets one
 */
void keep_change(struct timed *timed, const struct region_change *change,
		 struct objects *names);

/**
 * settle_samples() - count all samples at their instructions and regions, and forget their times
 * @timed: the samples
 * @spots: receives them
 *
 * Return: false if memory was short.
 */
bool settle_samples(struct timed *timed, struct spots *spots);

/* free_timed() - free the memory of samples */
void free_timed(struct timed *timed);

#endif /* PERFEX_PROFILE_TIMED_H */
