// SPDX-License-Identifier: LGPL-2.1-or-later
/* Remember which counts a handle expects, and refuse other counts. */
#include "core/expect.h"

#include "base/internal.h"

static const char *const counting[] = {
	[VPMC_THREAD] = "the thread counts",
	[VPMC_SELF] = "the process counts",
	[VPMC_CHILDREN] = "the process counts",
	[VPMC_ALL] = "the handle collects",
};

int vpmcint_compare_counts(const struct vpmc *vpmc, enum vpmc_whose whose,
			   uint64_t generation, uint64_t start,
			   struct vpmc_error *err)
{
	const struct expectation *expected = vpmcint_expectation(vpmc, whose);

	if (expected->generation && expected->generation != generation)
		return vpmcint_fail(
			err, VPMC_E_GENERATION,
			"the counts are invalid: generation %llu was started"
			" and it is generation %llu now (events changed,"
			" counters taken away, or overwritten as dmesg says,"
			" or a privileged program or one in another user"
			" namespace executed), so start again",
			(unsigned long long)expected->generation,
			(unsigned long long)generation);
	if (expected->other_events)
		return vpmcint_fail(
			err, VPMC_E_GENERATION,
			"the counts are invalid: other threads of the process"
			" were counting other events when this handle started,"
			" and the process adds up their counts, so read"
			" VPMC_THREAD, or stop the others before a start");
	if (expected->start && expected->start != start)
		return vpmcint_fail(
			err, VPMC_E_GENERATION,
			"the counts are invalid: %s for another start than this"
			" handle expects (it was started again since, or on"
			" another handle), so start again, or ask vpmc_events()"
			" what is counted",
			counting[whose]);
	return 0;
}

uint64_t vpmc_generation(const struct vpmc *vpmc)
{
	return vpmc->self.generation;
}

uint64_t vpmc_start_id(const struct vpmc *vpmc)
{
	return vpmc->thread.start;
}

void vpmc_expect(struct vpmc *vpmc, uint64_t generation)
{
	const struct expectation expected = { .generation = generation };

	vpmc->thread = expected;
	vpmc->self = expected;
	vpmc->all = expected;
	vpmc->set = 0;
}
