/* SPDX-License-Identifier: GPL-2.0-only */
/* From the few bits of a hardware counter to a 64-bit virtual one. */
#ifndef VPMC_EXTEND_H
#define VPMC_EXTEND_H

#include <linux/types.h>

/**
 * vpmc_delta() - events between two readings of one hardware counter
 * @now: the later reading
 * @before: the earlier one
 * @mask: all bits of the counter set
 *
 * Right whether or not the counter wrapped in between, if it did so at most
 * once: readers fold at least once a clock tick, and no counter takes less
 * than a second to wrap.
 */
static inline u64 vpmc_delta(u64 now, u64 before, u64 mask)
{
	return (now - before) & mask;
}

#endif /* VPMC_EXTEND_H */
