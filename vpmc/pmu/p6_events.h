/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * This file defines which counters of the P6 family can count an event. The driver
 * refuses other counters, and libvpmc does not list them. Source: Intel Architecture
 * Software Developer's Manual, volume 3 (1999), appendix A.
 *
 * A file that includes this header must define ARRAY_SIZE().
 */
#ifndef VPMC_P6_EVENTS_H
#define VPMC_P6_EVENTS_H

#include "../uapi/linux/vpmc.h"

/*
 * These are the events of the external bus, and the unit mask that counts them for all
 * agents on the bus.
 */
#define P6_BUS_FIRST		0x60
#define P6_BUS_LAST		0x7f
#define P6_ALL_AGENTS		0x2000

/* Only one counter can count each of these events (appendix A, table A-1). */
static const struct p6_constraint {
	__u8 event;
	__u8 counter;
} p6_constraints[] = {
	{ 0x10, 0 },	/* FP_COMP_OPS_EXE */
	{ 0x11, 1 },	/* FP_ASSIST */
	{ 0x12, 1 },	/* MUL */
	{ 0x13, 1 },	/* DIV */
	{ 0x14, 0 },	/* CYCLES_DIV_BUSY */
	{ 0xc1, 0 },	/* FLOPS */
};

/*
 * Clear in @counters the bits of counters that cannot count an event. Returns the reason
 * if no counter can count it, or VPMC_REASON_NONE.
 */
static inline enum vpmc_reason p6_constrain(__u64 code, __u32 *counters)
{
	const __u8 event = code;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(p6_constraints); i++) {
		if (p6_constraints[i].event == event)
			*counters &= 1U << p6_constraints[i].counter;
	}
	if (code & P6_ALL_AGENTS && event >= P6_BUS_FIRST &&
	    event <= P6_BUS_LAST)
		return VPMC_REASON_SHARED;
	return VPMC_REASON_NONE;
}

#endif /* VPMC_P6_EVENTS_H */
