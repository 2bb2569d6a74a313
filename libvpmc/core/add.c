// SPDX-License-Identifier: LGPL-2.1-or-later
/* Add counts of equal events. */
#include <limits.h>

#include "base/internal.h"

/* These are the constants of 64-bit FNV-1a. */
#define FNV_BASIS 0xcbf29ce484222325ULL
#define FNV_PRIME 0x100000001b3ULL

/* Hashing a byte and seven zero bytes multiplies the hash by this number. */
#define FNV_SQUARE  (FNV_PRIME * FNV_PRIME)
#define FNV_PRIME_8 (FNV_SQUARE * FNV_SQUARE * FNV_SQUARE * FNV_SQUARE)

static uint64_t mix(uint64_t hash, uint64_t value)
{
	unsigned int i;

	for (i = 0; i < sizeof(value); i++, value >>= CHAR_BIT)
		hash = (hash ^ (value & UCHAR_MAX)) * FNV_PRIME;
	return hash;
}

/*
 * Compute the hash of events. The modes are also included as 64 bits. They are less than
 * 256, because vpmc_start() has checked them, except with VPMC_AFTER().
 */
uint64_t vpmcint_set_of(const struct vpmc_event_sel *sel, size_t nr)
{
	uint64_t set = FNV_BASIS;
	size_t i;

	for (i = 0; i < nr; i++)
		set = (mix(set, sel[i].code) ^ sel[i].modes) * FNV_PRIME_8;
	return set ? set : 1;
}

/*
 * Add numbers of missing threads or processes, up to the largest number. A sum that wraps
 * around could become 0 and hide that threads or processes are missing. The driver's sums
 * saturate in the same way.
 */
static unsigned int add_missing(unsigned int a, unsigned int b)
{
	return b > UINT_MAX - a ? UINT_MAX : a + b;
}

static int check_sets(const struct vpmc_counts *sum,
		      const struct vpmc_counts *more, struct vpmc_error *err)
{
	/* Counts without events come from a process without children, for example. */
	if (!more->nr)
		return 0;
	if (sum->nr != more->nr)
		return vpmcint_fail(err, VPMC_E_ARGUMENT,
				    "counts of %u events cannot be added to"
				    " counts of %u: add counts of the same"
				    " events",
				    more->nr, sum->nr);
	if (sum->set && more->set && sum->set != more->set)
		return vpmcint_fail(err, VPMC_E_ARGUMENT,
				    "counts cannot be added to counts of other"
				    " events, or of the same events in another"
				    " order: add counts of the same events");
	return 0;
}

int vpmc_counts_add(struct vpmc_counts *sum, const struct vpmc_counts *more,
		    struct vpmc_error *err)
{
	int ret = check_sets(sum, more, err);
	unsigned int i;

	if (ret)
		return ret;
	sum->tsc += more->tsc;
	sum->running += more->running;
	sum->other_events = add_missing(sum->other_events, more->other_events);
	sum->revoked = add_missing(sum->revoked, more->revoked);
	sum->stopped = add_missing(sum->stopped, more->stopped);
	sum->unwaited = add_missing(sum->unwaited, more->unwaited);
	if (!sum->set)
		sum->set = more->set;
	for (i = 0; i < more->nr && i < VPMC_COUNTS_MAX; i++) {
		sum->count[i] += more->count[i];
		sum->time[i] += more->time[i];
	}
	return 0;
}
