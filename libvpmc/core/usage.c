// SPDX-License-Identifier: LGPL-2.1-or-later
/* Read counts together with the times and resources of getrusage(2). */
#include <string.h>
#include <sys/resource.h>

#include "base/internal.h"

/* Give up if the counts still change after this number of reads. A read takes a microsecond. */
#define TRIES 1000

static const int who[] = {
	[VPMC_THREAD] = RUSAGE_THREAD,
	[VPMC_SELF] = RUSAGE_SELF,
	[VPMC_CHILDREN] = RUSAGE_CHILDREN,
};

static bool are_same(const struct vpmc_counts *a, const struct vpmc_counts *b)
{
	return a->generation == b->generation && a->start == b->start &&
	       a->tsc == b->tsc && a->nr == b->nr &&
	       !memcmp(a->count, b->count, a->nr * sizeof(a->count[0]));
}

/*
 * Read counts and usage. For children, counts and usage change only when a process waits for a
 * child, so read the counts twice and compare. The counts of running threads change all the time,
 * so they are read only once.
 */
static int read_both(struct vpmc *vpmc, enum vpmc_whose whose,
		     struct vpmc_counts *counts, struct rusage *usage,
		     struct vpmc_error *err)
{
	struct vpmc_counts before = { .nr = 0 };
	unsigned int i;
	int ret = vpmc_read(vpmc, whose, &before, err);

	for (i = 0; !ret && i < TRIES; i++) {
		getrusage(who[whose], usage);
		if (whose != VPMC_CHILDREN) {
			*counts = before;
			return 0;
		}
		ret = vpmc_read(vpmc, whose, counts, err);
		if (!ret && are_same(&before, counts))
			return 0;
		before = *counts;
	}
	return ret ? ret
		   : vpmcint_fail(err, VPMC_E_BUSY,
				  "cannot read counts and usage of one moment:"
				  " other threads wait for children all the"
				  " time");
}

int vpmc_read_usage_sized(struct vpmc *vpmc, enum vpmc_whose whose,
			  struct vpmc_counts *counts, size_t size,
			  struct rusage *usage, struct vpmc_error *err)
{
	struct vpmc_counts found = { .nr = 0 };
	struct rusage used;
	int ret;

	if ((unsigned int)whose >= ARRAY_SIZE(who))
		return vpmcint_fail(err, VPMC_E_ARGUMENT,
				    "cannot read counts and usage: getrusage(2)"
				    " has only VPMC_THREAD, VPMC_SELF and"
				    " VPMC_CHILDREN");
	if (vpmc->target != TARGET_CALLER)
		return vpmcint_fail(err, VPMC_E_BOUND,
				    "cannot read counts and usage: the handle"
				    " is attached to another process, whose"
				    " usage the kernel does not report");
	ret = read_both(vpmc, whose, &found, &used, err);
	if (ret)
		return ret;
	vpmcint_hand_over(counts, size, &found, sizeof(found));
	*usage = used;
	return 0;
}
