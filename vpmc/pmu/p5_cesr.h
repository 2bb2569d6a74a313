/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file encodes the Pentium's control and event select register (CESR), which has
 * one half-word of ten used bits per counter. Source: Pentium Processor Family
 * Developer's Manual, volume 3, chapter 26; for the events 2Ah to 3Bh of the Pentium
 * with MMX: Intel Architecture Software Developer's Manual, volume 3, appendix A.
 */
#ifndef VPMC_P5_CESR_H
#define VPMC_P5_CESR_H

#include <linux/types.h>

#include "../uapi/linux/vpmc.h"

#define P5_NR_COUNTERS		2

/* These are the fields of one counter's half-word. */
#define P5_CESR_EVENT		0x003f	/* event select */
#define P5_CESR_KERNEL		0x0040	/* count at CPL 0 to 2 */
#define P5_CESR_USER		0x0080	/* count at CPL 3 */
#define P5_CESR_CLOCKS		0x0100	/* count clocks, not the event */
#define P5_CESR_PIN		0x0200	/* the PM pin shows overflows */
#define P5_CESR_HALF		0x03ff

/* Counter 1's half-word is the upper one. */
#define P5_CESR_SHIFT		16

/* These are all defined bits. The other bits must keep their values. */
#define P5_CESR_DEFINED		(P5_CESR_HALF | P5_CESR_HALF << P5_CESR_SHIFT)

/*
 * Bit n is set if event n exists. Both counters accept all codes, but the meaning of
 * the codes from 2Ah on depends on the counter.
 */
#define P5_EVENTS		0x000003fcfffcffffULL
#define P5_EVENTS_MMX		0x0ffffc0000000000ULL

/*
 * Check whether a Pentium whose events are @events can count @code, on either counter.
 * Returns the reason if it cannot, or VPMC_REASON_NONE.
 */
static inline enum vpmc_reason p5_check_code(u64 code, u64 events)
{
	if (code & P5_CESR_PIN)
		return VPMC_REASON_PIN_CONTROL;
	if (code & ~(u64)(P5_CESR_EVENT | P5_CESR_CLOCKS))
		return VPMC_REASON_RESERVED_BITS;
	if (code & P5_CESR_CLOCKS && code != VPMC_P5_CLOCKS)
		return VPMC_REASON_UNKNOWN_EVENT;
	if (code < 64 && !(events >> code & 1))
		return VPMC_REASON_UNKNOWN_EVENT;
	return VPMC_REASON_NONE;
}

/* Return the CESR that counts only @event. Reserved bits are 0. */
static inline u32 p5_cesr_encode(const struct vpmc_event *event)
{
	u32 half = event->code;

	if (event->modes & VPMC_MODE_USER)
		half |= P5_CESR_USER;
	if (event->modes & VPMC_MODE_KERNEL)
		half |= P5_CESR_KERNEL;
	return half << P5_CESR_SHIFT * event->counter;
}

#endif /* VPMC_P5_CESR_H */
