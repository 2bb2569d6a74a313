/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the collection of samples while the command runs. It holds the number of
 * samples at each instruction of each file, and the mappings of each process.
 */
#ifndef PERFEX_PROFILE_COLLECTION_H
#define PERFEX_PROFILE_COLLECTION_H

#include "profile/objects.h"
#include "profile/spaces.h"
#include "profile/spots.h"
#include "profile/stacks.h"
#include "profile/timed.h"
#include "util/perfex.h"

/* These objects have the first numbers. */
enum special_object {
	OBJECT_KERNEL,	/* the kernel, whose offsets are addresses */
	OBJECT_UNKNOWN, /* memory without a known mapping */
	NR_SPECIAL_OBJECTS,
};

/**
 * struct event_samples - the samples of an event
 * @nr: number of samples
 * @pairs: number of pairs of samples from the same moment
 * @late: number of samples that a switch, tick or read noticed before the interrupt
 * @unknown: number of samples in memory without a known mapping
 * @cut: number of samples without a caller, or with more callers than requested
 */
struct event_samples {
	uint64_t nr;
	double pairs;
	uint64_t late;
	uint64_t unknown;
	uint64_t cut;
};

/**
 * struct moment - a moment
 * @tsc: the time stamp counter
 * @time: the time in nanoseconds since 1970
 */
struct moment {
	uint64_t tsc;
	uint64_t time;
};

/**
 * struct collection - the samples of a command
 * @begin: when the collection began
 * @names: the names of files and programs
 * @spaces: the processes
 * @spots: the samples by instruction and its callers
 * @stacks: the callers
 * @with_regions: whether samples are kept in @timed, until find_regions() moves them to @spots
 * @timed: samples with their times
 * @event: the samples of each event
 * @forgotten: number of records that were dropped because memory was short
 */
struct collection {
	struct moment begin;
	struct objects names;
	struct spaces spaces;
	struct spots spots;
	struct stacks stacks;
	bool with_regions;
	struct timed timed;
	struct event_samples event[VPMC_COUNTS_MAX];
	uint64_t forgotten;
};

/* begin_collection() - begin an empty collection; returns false if memory is short */
bool begin_collection(struct collection *collection);

/* collect() - add a record to a collection, for vpmc_samples_read() */
void collect(const struct vpmc_sample_record *record, void *collection);

/* note_region() - note a change of regions, for read_region_times() */
void note_region(const struct region_change *change, void *collection);

/* find_regions() - find the region of each sample, after the last note_region() */
void find_regions(struct collection *collection);

/* end_collection() - free the memory of a collection */
void end_collection(struct collection *collection);

#endif /* PERFEX_PROFILE_COLLECTION_H */
