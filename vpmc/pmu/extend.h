/* SPDX-License-Identifier: GPL-2.0-only */
/* A hardware counter, extended to 64 bits. */
#ifndef VPMC_EXTEND_H
#define VPMC_EXTEND_H

#include <linux/types.h>

/**
 * vpmc_delta() - events between two readings of one hardware counter
 * @now: the later reading
 * @before: the earlier one
 * @mask: all bits of the counter set
 *
 * Correct if the counter wrapped at most once in between. It is read at least
 * once per clock tick while a thread counts, or per minute in system mode, and
 * takes longer than that to wrap.
 */
static inline u64 vpmc_delta(u64 now, u64 before, u64 mask)
{
	u64 delta = now - before;

	/* In two registers it is seldom worth a mask. */
	if (sizeof(long) == sizeof(delta))
		return delta & mask;
	return (s64)delta < 0 ? delta & mask : delta;
}

/**
 * struct vpmc_counter - one virtual counter
 * @start: the hardware counter when it was last looked at
 * @sum: events before that
 */
struct vpmc_counter {
	u64 start;
	u64 sum;
};

/**
 * vpmc_counter_exchange() - hand over a hardware counter
 * @from: who had it; gets what it has counted
 * @to: who gets it, which may be the same
 * @now: what it shows
 * @mask: all bits of the counter set
 */
static __always_inline void vpmc_counter_exchange(struct vpmc_counter *from,
						  struct vpmc_counter *to,
						  u64 now, u64 mask)
{
	from->sum += vpmc_delta(now, from->start, mask);
	to->start = now;
}

#endif /* VPMC_EXTEND_H */
