/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file adds events to the counters that have not happened, if they are counted in
 * the caller's mode, by CPUID leaves of the emulator: see docs/guide/events.md.
 */
#ifndef GAIN_H
#define GAIN_H

#include <cpuid.h>

#define LEAF_GAIN_MEGA 0x40000004 /* units of 2^20 */
#define LEAF_GAIN      0x40000005 /* units of one */

/* If this is added to the amount, counter n does not gain. */
#define GAIN_NOT(n) (0x40000000U << (n))

/*
 * Add events to the counters that count. Return the counters that gained, as a mask, or -1
 * without such a leaf. The CPUID is one instruction and one branch itself.
 */
static inline int gain(unsigned int leaf, unsigned int amount)
{
	unsigned int a, b, c, d;

	__cpuid_count(leaf, amount, a, b, c, d);
	return b == 0x434d5056 /* "VPMC" */ ? (int)a : -1;
}

#endif /* GAIN_H */
