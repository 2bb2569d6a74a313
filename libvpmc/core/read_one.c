// SPDX-License-Identifier: LGPL-2.1-or-later
/* Read one count in the fastest way that the processor offers. */
#include "base/internal.h"

#if defined(__i386__) || defined(__x86_64__)

/*
 * Returns the count on the thread's page, if it belongs to the start that the handle expects, or a
 * negative number. A handle that does not expect a start accepts the counts that vpmc_map() found.
 * vpmc_map() has checked that the handle does not stand for another process.
 */
static int64_t get_mapped(const struct vpmc *vpmc, unsigned int i)
{
	const struct expectation *expected = &vpmc->thread;
	uint64_t generation =
		expected->generation ? expected->generation : vpmc->mapped;

	if (!generation || vpmc_self->generation != generation ||
	    (expected->start && vpmc_self->start != expected->start))
		return -1;
	return vpmc_count(i);
}

#else

static int64_t get_mapped(const struct vpmc *vpmc, unsigned int i)
{
	(void)vpmc;
	(void)i;
	return -1;
}

#endif

static int get_by_call(struct vpmc *vpmc, unsigned int i, uint64_t *count,
		       struct vpmc_error *err)
{
	struct vpmc_counts counts;
	int ret = vpmc_read(vpmc, VPMC_THREAD, &counts, err);

	if (ret)
		return ret;
	if (i >= counts.nr)
		return vpmcint_fail(err, VPMC_E_ARGUMENT,
				    "cannot read a count: no event has the"
				    " index %u among the %u that this thread"
				    " counts",
				    i, counts.nr);
	if (vpmc_is_projected(&counts, i))
		return vpmcint_fail(err, VPMC_E_ARGUMENT,
				    "cannot read the count of event %u alone:"
				    " it shares its counter, so read it with"
				    " the time in which it was counted, with"
				    " vpmc_read()",
				    i);
	*count = counts.count[i];
	return 0;
}

int vpmc_get(struct vpmc *vpmc, unsigned int i, uint64_t *count,
	     struct vpmc_error *err)
{
	int64_t mapped = -1;

	if (i < VPMC_COUNTS_MAX && vpmc->target == TARGET_CALLER)
		mapped = get_mapped(vpmc, i);
	if (mapped < 0)
		return get_by_call(vpmc, i, count, err);
	*count = (uint64_t)mapped;
	return 0;
}
