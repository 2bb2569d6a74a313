// SPDX-License-Identifier: GPL-2.0-only
/*
 * The counters of AMD's family 15h. Each part of the core is connected to some of
 * them. Source: BIOS and Kernel Developer's Guide for AMD Family 15h Models 00h-0Fh
 * Processors (42301), "Core Performance Counter Events": the title of each event
 * says its counters, as "PMC[2:0]".
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "amd_f15h.h"

#define PMC0	BIT(0)
#define PMC2_0	GENMASK(2, 0)
#define PMC3	BIT(3)
#define PMC3_0	(BIT(3) | BIT(0))
#define PMC5_3	GENMASK(5, 3)
#define PMC5_0	GENMASK(5, 0)

/* The part of the core that an event is of, by bits 7:5 of its number. */
static const u8 parts[] = {
	PMC5_3,		/* 00h: floating point */
	PMC5_0,		/* 20h: load and store */
	PMC5_0,		/* 40h: data cache */
	PMC2_0,		/* 60h: L2 cache and system interface */
	PMC2_0,		/* 80h: instruction cache and decoder */
	0,		/* a0h: nothing */
	PMC5_0,		/* c0h: execution */
};

#define DECODER		0xd0	/* up to dfh; what follows is the northbridge */

/* Events that other counters can count than their part says. */
static const struct {
	u16 event;
	u8 counters;
} others[] = {
	{ 0x003, PMC3 },   { 0x00b, PMC3 },   { 0x00d, PMC3 },
	{ 0x023, PMC2_0 }, { 0x02d, PMC3 },   { 0x02e, PMC3_0 },
	{ 0x043, PMC2_0 }, { 0x045, PMC2_0 }, { 0x046, PMC2_0 },
	{ 0x054, PMC2_0 }, { 0x055, PMC2_0 }, { 0x08f, PMC0 },
	{ 0x187, PMC0 },   { 0x188, PMC0 },   { 0x0db, PMC5_0 },
	{ 0x0dc, PMC5_0 }, { 0x0dd, PMC5_0 }, { 0x0de, PMC5_0 },
	{ 0x0df, PMC5_0 }, { 0x1c0, PMC5_3 }, { 0x1d6, PMC5_0 },
	{ 0x1d8, PMC5_0 },
};

/* Those for which it matters what of the unit mask is set. */
#define PIPES		0x000	/* dispatched to the pipes: of one core, or both */
#define SSE_MOVES	0x004
#define LOCKED_STORES	0x031

static u32 f15h_of_units(u32 event, u32 units, u32 counters)
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

static u32 f15h_of_part(u32 event)
{
	u8 low = event;

	return low >= DECODER ? PMC2_0 : parts[low >> 5];
}

u32 vpmc_amd_f15h_counters(u32 event, u32 units)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(others); i++) {
		if (others[i].event == event)
			return others[i].counters;
	}
	return f15h_of_units(event, units, f15h_of_part(event));
}
