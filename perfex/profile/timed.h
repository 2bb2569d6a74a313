/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares samples that are kept with their times until their regions are known.
 * Processes leave the regions in a file that perfex reads at the end. A sample belongs to the
 * innermost region that was open in its thread at its time stamp. Samples and regions use the
 * same time stamp counter in the same thread, so their time stamps are in the right order.
 */
#ifndef PERFEX_PROFILE_TIMED_H
#define PERFEX_PROFILE_TIMED_H

#include "profile/objects.h"
#include "profile/spots.h"
#include "timeline/trace_json.h"

struct timed_sample;
struct timed_change;

/**
 * struct timed - samples and changes of regions; zeroed before the first sample
 * @sample: the samples
 * @nr_samples: number of samples
 * @samples_room: number of samples that fit into the memory
 * @change: the changes of regions, and the starts of programs, which end all regions of a process
 * @nr_changes: number of changes
 * @changes_room: number of changes that fit into the memory
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

/*
 * keep_program() - record that a process begins to execute a program; returns like keep_sample()
 */
bool keep_program(struct timed *timed, const struct vpmc_sample_record *record);

/**
 * keep_change() - record a change of the innermost region
 * @timed: the samples
 * @change: the change
 * @names: the table of names; receives the region's name
 */
void keep_change(struct timed *timed, const struct region_change *change,
		 struct objects *names);

/**
 * settle_samples() - count all samples at their instructions and regions, and free the samples
 * with times
 * @timed: the samples
 * @spots: receives the counts
 *
 * Return: false if memory was short.
 */
bool settle_samples(struct timed *timed, struct spots *spots);

/* free_timed() - free the memory of samples */
void free_timed(struct timed *timed);

#endif /* PERFEX_PROFILE_TIMED_H */
