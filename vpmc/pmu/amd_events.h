/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * This file defines which of AMD's counters can count an event. The driver refuses other
 * counters, and libvpmc does not list them.
 */
#ifndef VPMC_AMD_EVENTS_H
#define VPMC_AMD_EVENTS_H

#include "amd_f15h.h"

#define AMD_F15H		0x15
#define AMD_ZEN			0x17

/*
 * The event field of a select has 12 bits, the upper four in bits 35 to 32. On K7 and K8
 * it has only 8 bits. Source for K7 and K8: BIOS and Kernel Developer's Guide for AMD
 * Athlon 64 and AMD Opteron Processors, "PerfEvtSel MSRs".
 */
#define AMD_EVENT_HIGH		(0xfULL << 32)
#define AMD_12_BITS		0x10

/* Before Zen, the northbridge counts events from this number on for all cores of a node. */
#define AMD_NORTHBRIDGE		0xe0

/*
 * Since Zen, this event can happen more often per clock than one counter can count, so it
 * also needs the next counter. Source: Processor Programming Reference of family 17H,
 * "Large Increment per Cycle Events".
 */
#define AMD_FLOPS		0x03

/*
 * Return the 12-bit event of a code. Its upper four bits are bits 35 to 32 of the code.
 */
static inline __u32 amd_event(__u64 code)
{
	return (code & 0xff) | (code >> (32 - 8) & 0xf00);
}

/* Return the reason if no counter of a family may count an event, or VPMC_REASON_NONE. */
static inline enum vpmc_reason amd_refuse(unsigned int family, __u32 event)
{
	if (family < AMD_ZEN)
		return (event & 0xff) < AMD_NORTHBRIDGE ? VPMC_REASON_NONE :
							  VPMC_REASON_SHARED;
	return event == AMD_FLOPS ? VPMC_REASON_MORE_REGISTERS :
				    VPMC_REASON_NONE;
}

/*
 * Clear in @counters the bits of counters that cannot count an event. Returns the reason
 * if no counter can count it, or VPMC_REASON_NONE.
 */
static inline enum vpmc_reason
amd_constrain(unsigned int family, __u64 code, __u32 *counters)
{
	enum vpmc_reason reason;

	if (family < AMD_12_BITS && code & AMD_EVENT_HIGH)
		return VPMC_REASON_RESERVED_BITS;
	reason = amd_refuse(family, amd_event(code));
	if (reason || family != AMD_F15H)
		return reason;
	*counters &= amd_f15h_counters(amd_event(code), code >> 8 & 0xff);
	return *counters ? VPMC_REASON_NONE : VPMC_REASON_UNKNOWN_EVENT;
}

#endif /* VPMC_AMD_EVENTS_H */
