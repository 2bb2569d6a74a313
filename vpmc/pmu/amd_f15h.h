/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * This file defines which counters of AMD's family 15h can count an event, for the driver
 * and libvpmc. Each part of the core is connected to some of the counters. Source: BIOS
 * and Kernel Developer's Guide for AMD Family 15h Models 00h-0Fh Processors (42301),
 * "Core Performance Counter Events": the title of each event names its counters, such as
 * "PMC[2:0]".
 *
 * A file that includes this header must define ARRAY_SIZE() and bool.
 */
#ifndef VPMC_AMD_F15H_H
#define VPMC_AMD_F15H_H

#include "../uapi/linux/vpmc.h"

#define PMC0	0x01
#define PMC2_0	0x07
#define PMC3	0x08
#define PMC3_0	0x09
#define PMC5_3	0x38
#define PMC5_0	0x3f

/* These are the counters of each part of the core, indexed by bits 7:5 of an event's number. */
static const __u8 amd_f15h_parts[] = {
	PMC5_3,		/* 00h: floating point */
	PMC5_0,		/* 20h: load and store */
	PMC5_0,		/* 40h: data cache */
	PMC2_0,		/* 60h: L2 cache and system interface */
	PMC2_0,		/* 80h: instruction cache and decoder */
	0,		/* a0h: nothing */
	PMC5_0,		/* c0h: execution */
};

#define DECODER		0xd0	/* to dfh; events from e0h on are the northbridge's */

/* These events are exceptions, whose counters differ from those of their part of the core. */
static const struct {
	__u16 event;
	__u8 counters;
} amd_f15h_others[] = {
	{ 0x003, PMC3 },   { 0x00b, PMC3 },   { 0x00d, PMC3 },
	{ 0x023, PMC2_0 }, { 0x02d, PMC3 },   { 0x02e, PMC3_0 },
	{ 0x043, PMC2_0 }, { 0x045, PMC2_0 }, { 0x046, PMC2_0 },
	{ 0x054, PMC2_0 }, { 0x055, PMC2_0 }, { 0x08f, PMC0 },
	{ 0x187, PMC0 },   { 0x188, PMC0 },   { 0x0db, PMC5_0 },
	{ 0x0dc, PMC5_0 }, { 0x0dd, PMC5_0 }, { 0x0de, PMC5_0 },
	{ 0x0df, PMC5_0 }, { 0x1c0, PMC5_3 }, { 0x1d6, PMC5_0 },
	{ 0x1d8, PMC5_0 },
};

/* These are the events whose counters depend on the unit mask. */
#define PIPES		0x000	/* uops dispatched to the pipes of one core or of both */
#define SSE_MOVES	0x004
#define LOCKED_STORES	0x031

static inline __u32 amd_f15h_of_units(__u32 event, __u32 units, __u32 counters)
{
	bool many = units & (units - 1);

	switch (event) {
	case PIPES:
		return units & 0xf0 && units & 0x0f ? PMC3 : counters;
	case SSE_MOVES:
		return many ? PMC3 : counters;
	case LOCKED_STORES:
		return many ? 0 : PMC2_0;
	default:
		return counters;
	}
}

static inline __u32 amd_f15h_of_part(__u32 event)
{
	__u8 low = event;

	return low >= DECODER ? PMC2_0 : amd_f15h_parts[low >> 5];
}

/*
 * Return the counters that can count an event, one bit each, or 0 if there is no such
 * event. @event is bits 11:0 of the event select, and @units its unit mask. The event
 * must not be an event of the northbridge.
 */
static inline __u32 amd_f15h_counters(__u32 event, __u32 units)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(amd_f15h_others); i++) {
		if (amd_f15h_others[i].event == event)
			return amd_f15h_others[i].counters;
	}
	return amd_f15h_of_units(event, units, amd_f15h_of_part(event));
}

#endif /* VPMC_AMD_F15H_H */
