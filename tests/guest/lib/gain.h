/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file increases counters as if events had happened. CPUID leaves of the emulator do this for
 * the counters that count in the caller's mode: see docs/guide/events.md.
 */
#ifndef GAIN_H
#define GAIN_H

#include <cpuid.h>

#define LEAF_GAIN_MEGA 0x40000004 /* units of 2^20 */
#define LEAF_GAIN      0x40000005 /* units of one */

/* Add this to the amount to leave counter n unchanged. */
#define GAIN_NOT(n) (0x40000000U << (n))

/*
 * Increase the counters that count. Returns a mask of the counters that were increased, or -1 if
 * the emulator does not have the leaf. CPUID itself counts as one instruction and one branch.
 */
static inline int gain(unsigned int leaf, unsigned int amount)
{
	unsigned int a, b, c, d;

	__cpuid_count(leaf, amount, a, b, c, d);
	return b == 0x434d5056 /* "VPMC" */ ? (int)a : -1;
}

#endif /* GAIN_H */
