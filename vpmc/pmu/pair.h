/* SPDX-License-Identifier: GPL-2.0-only */
/* This file holds the code that is common to families with two hardware counters. */
#ifndef VPMC_PAIR_H
#define VPMC_PAIR_H

#include "pmu/extend.h"

#define VPMC_PAIR_COUNTERS	2

/*
 * This is the type of a function that reads one counter. Callers pass a constant, so that
 * the call is inlined.
 */
typedef u64 vpmc_pair_reader(unsigned int counter);

/* Implement vpmc_pmu.read_counters by @reader. */
static __always_inline void vpmc_pair_read(u32 used, u64 *value,
					   vpmc_pair_reader *reader)
{
	if (used & 1)
		value[0] = reader(0);
	if (used & 2)
		value[1] = reader(1);
}

/* Implement vpmc_pmu.exchange by @reader. @mask has all bits of a counter set. */
static __always_inline void vpmc_pair_exchange(u32 used,
					       struct vpmc_counter *from,
					       struct vpmc_counter *to, u64 mask,
					       vpmc_pair_reader *reader)
{
	vpmc_counter_exchange(from, to, reader(used == 2), mask);
	if (used == 3)
		vpmc_counter_exchange(from + 1, to + 1, reader(1), mask);
}

#endif /* VPMC_PAIR_H */
