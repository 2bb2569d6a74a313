/* SPDX-License-Identifier: GPL-2.0-only */
/* Extends a hardware counter to 64 bits. */
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
	return (now - before) & mask;
}

#endif /* VPMC_EXTEND_H */
