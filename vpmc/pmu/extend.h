/* SPDX-License-Identifier: GPL-2.0-only */
/* This file extends a hardware counter to 64 bits. */
#ifndef VPMC_EXTEND_H
#define VPMC_EXTEND_H

#include <linux/types.h>

/**
 * vpmc_delta() - return the number of events between two readings of one hardware
 * counter
 * @now: the later reading
 * @before: the earlier reading
 * @mask: all bits of the counter set
 *
 * The result is correct if the counter wrapped at most once in between. The driver reads the
 * hardware counter at least once per clock tick while a thread counts, or once per minute in system
 * mode. The counter takes longer than a minute to wrap.
 */
static inline u64 vpmc_delta(u64 now, u64 before, u64 mask)
{
	u64 delta = now - before;

	/*
	 * On a 32-bit kernel @delta takes two registers, and a branch is cheaper than
	 * the mask.
	 */
	if (sizeof(long) == sizeof(delta))
		return delta & mask;
	return (s64)delta < 0 ? delta & mask : delta;
}

/**
 * struct vpmc_counter - one virtual counter
 * @start: the hardware counter's value when it was last read
 * @sum: events that were counted before @start was read
 */
struct vpmc_counter {
	u64 start;
	u64 sum;
};

/**
 * vpmc_counter_exchange() - hand over a hardware counter
 * @from: the virtual counter that used the hardware counter. The new events are added to it.
 * @to: the virtual counter that uses it from now on; it may be @from
 * @now: the present value of the hardware counter
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
