// SPDX-License-Identifier: LGPL-2.1-or-later
/* Fill histograms of addresses from the samples of the calling process. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/internal.h"

#define RING_SIZE_DEFAULT 1048576

/* With this scale, a bucket covers as many bytes of code as the bucket itself has. */
#define SCALE_ONE 65536

/* This is the scale of a range for samples that have no other bucket. */
#define SCALE_OVERFLOW 2

/**
 * struct vpmc_histograms - the histograms of a handle
 * @rings: the samples
 * @pid: the process whose samples are added
 * @profiled: the numbers that vpmc_profile_update() returns, except the numbers that the
 *	rings keep
 * @nr: number of ranges
 * @range: the ranges
 */
struct vpmc_histograms {
	struct vpmc_samples_rings *rings;
	uint32_t pid;
	struct vpmc_profiled profiled;
	size_t nr;
	struct vpmc_profile_range range[];
};

static int check_range(const struct vpmc_profile_range *range, size_t i,
		       size_t nr_events, struct vpmc_error *err)
{
	if (range->width != sizeof(uint16_t) &&
	    range->width != sizeof(uint32_t))
		return vpmcint_fail(err, VPMC_E_ARGUMENT,
				    "cannot profile: buckets of %d bytes do not"
				    " exist, so give range %zu a width of 2 or"
				    " 4",
				    range->width, i);
	if (!range->buckets || (uintptr_t)range->buckets % range->width)
		return vpmcint_fail(err, VPMC_E_ARGUMENT,
				    "cannot profile: the buckets of range %zu"
				    " are not an array of numbers of %d bytes",
				    i, range->width);
	if (range->event >= nr_events)
		return vpmcint_fail(err, VPMC_E_ARGUMENT,
				    "cannot profile: range %zu is for event %d,"
				    " so give at least %d events",
				    i, range->event, range->event + 1);
	return 0;
}

static int check_ranges(const struct vpmc_profile_range *range, size_t nr,
			size_t nr_events, struct vpmc_error *err)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < nr && !ret; i++)
		ret = check_range(&range[i], i, nr_events, err);
	return ret;
}

/*
 * Open rings of a size. If the size is 0, use the default size, or the largest smaller size that is
 * possible.
 */
static int open_rings(struct vpmc *vpmc, const uint32_t *period, size_t nr,
		      size_t ring_size, struct vpmc_samples_rings **rings,
		      struct vpmc_error *err)
{
	size_t size = ring_size ? ring_size : RING_SIZE_DEFAULT;
	int ret;

	do {
		ret = vpmc_samples_open(vpmc, period, nr, size, rings, err);
		size /= 2;
	} while (ret == VPMC_E_MEMORY && !ring_size &&
		 size >= VPMC_RING_SIZE_MIN);
	return ret;
}

int vpmc_profile(struct vpmc *vpmc, const uint32_t *period, size_t nr,
		 const struct vpmc_profile_range *range, size_t nr_ranges,
		 size_t ring_size, struct vpmc_histograms **histograms,
		 struct vpmc_error *err)
{
	struct vpmc_histograms *found;
	int ret = check_ranges(range, nr_ranges, nr, err);

	if (ret)
		return ret;
	found = calloc(1, sizeof(*found) + nr_ranges * sizeof(*range));
	if (!found)
		return vpmcint_fail(err, VPMC_E_MEMORY,
				    "cannot profile: out of memory");
	found->pid = (uint32_t)getpid();
	found->nr = nr_ranges;
	if (nr_ranges)
		memcpy(found->range, range, nr_ranges * sizeof(*range));
	ret = open_rings(vpmc, period, nr, ring_size, &found->rings, err);
	if (ret)
		free(found);
	else
		*histograms = found;
	return ret;
}

/* Returns how many buckets a range has. */
static uint64_t number_of_buckets(const struct vpmc_profile_range *range)
{
	return range->size / range->width;
}

static bool is_overflow(const struct vpmc_profile_range *range)
{
	return range->scale == SCALE_OVERFLOW && !range->offset;
}

/*
 * Returns the number of an address's bucket in a range. If the address has no bucket, the number is
 * too large for the range. The product can have more than 64 bits, so compute it in two parts.
 */
static uint64_t bucket_of(const struct vpmc_profile_range *range,
			  uint64_t address)
{
	uint64_t at;

	if (range->scale < SCALE_OVERFLOW || is_overflow(range) ||
	    address < range->offset)
		return UINT64_MAX;
	at = (address - range->offset) / range->width;
	if (at / SCALE_ONE > (UINT64_MAX - UINT32_MAX) / range->scale)
		return UINT64_MAX;
	return at / SCALE_ONE * range->scale +
	       at % SCALE_ONE * range->scale / SCALE_ONE;
}

/* Returns whether the bucket could be incremented. */
static bool increment(const struct vpmc_profile_range *range, uint64_t bucket)
{
	uint16_t *narrow = range->buckets;
	uint32_t *wide = range->buckets;

	if (range->width == sizeof(*narrow)) {
		if (narrow[bucket] == UINT16_MAX)
			return false;
		narrow[bucket]++;
	} else {
		if (wide[bucket] == UINT32_MAX)
			return false;
		wide[bucket]++;
	}
	return true;
}

/* Find the first range that has a bucket for a sample. Returns NULL if no range has a bucket. */
static const struct vpmc_profile_range *
find_range(const struct vpmc_histograms *histograms,
	   const struct vpmc_sample_record *record, uint64_t *bucket)
{
	const struct vpmc_profile_range *range = histograms->range;
	const struct vpmc_profile_range *end = range + histograms->nr;

	for (; range < end; range++) {
		*bucket = bucket_of(range, record->address);
		if (range->event == record->event &&
		    *bucket < number_of_buckets(range))
			return range;
	}
	return NULL;
}

/* Add a sample that has no bucket to the first range for such samples. */
static void add_outside(struct vpmc_histograms *histograms,
			const struct vpmc_sample_record *record)
{
	const struct vpmc_profile_range *range = histograms->range;
	const struct vpmc_profile_range *end = range + histograms->nr;

	histograms->profiled.outside++;
	for (; range < end; range++) {
		if (range->event == record->event && is_overflow(range) &&
		    number_of_buckets(range)) {
			increment(range, 0);
			return;
		}
	}
}

static void add_sample(const struct vpmc_sample_record *record, void *arg)
{
	struct vpmc_histograms *histograms = arg;
	struct vpmc_profiled *profiled = &histograms->profiled;
	const struct vpmc_profile_range *range;
	uint64_t bucket;

	if (record->kind != VPMC_SAMPLE_EVENT)
		return;
	if (record->pid != histograms->pid) {
		profiled->others++;
		return;
	}
	profiled->late += record->is_late != 0;
	range = find_range(histograms, record, &bucket);
	if (!range)
		add_outside(histograms, record);
	else if (increment(range, bucket))
		profiled->counted++;
	else
		profiled->saturated++;
}

void vpmc_profile_update_sized(struct vpmc_histograms *histograms,
			       struct vpmc_profiled *profiled, size_t size)
{
	struct vpmc_profiled *found = &histograms->profiled;
	struct vpmc_lost_samples lost;

	/* The order of samples does not matter, so do not hold back samples. */
	vpmc_samples_read(histograms->rings, 1, add_sample, histograms);
	vpmc_samples_lost(histograms->rings, &lost);
	found->lost = lost.samples;
	found->hidden = lost.hidden;
	found->invalid = lost.invalid;
	vpmcint_hand_over(profiled, size, found, sizeof(*found));
}

void vpmc_profile_close(struct vpmc_histograms *histograms)
{
	int saved = errno;

	if (!histograms)
		return;
	vpmc_samples_close(histograms->rings);
	free(histograms);
	errno = saved;
}
