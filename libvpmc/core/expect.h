/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* This header declares how the counts of a read are compared with the start of its handle. */
#ifndef VPMC_EXPECT_H
#define VPMC_EXPECT_H

#include <stdint.h>

#include "base/internal.h"

/* Returns the counts that a handle expects of a scope. */
static inline const struct expectation *
vpmcint_expectation(const struct vpmc *vpmc, enum vpmc_whose whose)
{
	switch (whose) {
	case VPMC_THREAD:
		return &vpmc->thread;
	case VPMC_ALL:
		return &vpmc->all;
	default:
		return &vpmc->self;
	}
}

/* vpmcint_compare_counts() - take the slow path of vpmcint_check_counts(), and compose the error */
int vpmcint_compare_counts(const struct vpmc *vpmc, enum vpmc_whose whose,
			   uint64_t generation, uint64_t start,
			   struct vpmc_error *err);

/**
 * vpmcint_check_counts() - check that counts belong to the expected start
 * @vpmc: the handle, which has the expected counts
 * @whose: the scope of the counts
 * @generation: generation that the driver returned
 * @start: start that the driver returned
 * @err: receives code and text, or NULL
 *
 * Return: 0 or VPMC_E_GENERATION.
 */
static inline int vpmcint_check_counts(const struct vpmc *vpmc,
				       enum vpmc_whose whose,
				       uint64_t generation, uint64_t start,
				       struct vpmc_error *err)
{
	const struct expectation *expected = vpmcint_expectation(vpmc, whose);

	/* Compare both numbers with one branch, because each read does this. */
	if (!((expected->generation ^ generation) | (expected->start ^ start) |
	      expected->other_events))
		return 0;
	return vpmcint_compare_counts(vpmc, whose, generation, start, err);
}

#endif /* VPMC_EXPECT_H */
