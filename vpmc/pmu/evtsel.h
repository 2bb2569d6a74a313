/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What families have in common whose counters have an event select register each,
 * as all have since the P6. Source of the fields: Intel 64 and IA-32 Architectures
 * Software Developer's Manual, volume 3B, "Architectural Performance Monitoring
 * Version 1"; AMD64 Architecture Programmer's Manual, volume 2, "Core Performance
 * Event-Select Registers".
 */
#ifndef VPMC_EVTSEL_H
#define VPMC_EVTSEL_H

#include <linux/bits.h>

#include "pmu/pmu.h"

/* Fields of a select; those that a caller's code may have. */
#define VPMC_EVTSEL_USER	BIT(16)
#define VPMC_EVTSEL_KERNEL	BIT(17)
#define VPMC_EVTSEL_PIN		BIT(19)
#define VPMC_EVTSEL_ENABLE	BIT(22)
#define VPMC_EVTSEL_CODE	0xff84ffffULL

/* All that some processor's select has of an event. A hypervisor may change bits above. */
#define VPMC_EVTSEL_EVENT	GENMASK_ULL(35, 0)

/**
 * struct vpmc_evtsel - the registers of this machine's counters
 * @select: the register of the first one's select
 * @counter: the register of the first one
 * @stride: from the registers of one to those of the next
 * @nr: how many have a select; the first ones
 * @all: these, one bit each
 */
struct vpmc_evtsel {
	u32 select;
	u32 counter;
	u32 stride;
	u32 nr;
	u32 all;
};

/* Set once, before anything else here is called. */
extern struct vpmc_evtsel vpmc_evtsel;

/* The event that counts executed instructions, the same on all of them. */
#define VPMC_EVTSEL_INSTRUCTIONS	0xc0

/* Why no counter can count @code, or VPMC_REASON_NONE. Any context. */
enum vpmc_reason vpmc_evtsel_check(u64 code);

/* The select for @event without VPMC_EVTSEL_ENABLE. Any context. */
u64 vpmc_evtsel_of(const struct vpmc_event *event);

/*
 * vpmc_family.describe for those among @counters, all with a select: what they need of
 * @proof, where each select enables its counter.
 */
void __init vpmc_evtsel_describe(struct vpmc_proof *proof, u32 counters);

/* Say in vpmc_evtsel_pmu that it has @nr counters, all of them with a select. */
void __init vpmc_evtsel_set_counters(u32 nr);

/*
 * A family whose counters enable themselves, each by its select. Whoever uses it
 * says at probe what it is called and which counters it has, and has functions of
 * its own where these are not all: they call those below.
 */
extern struct vpmc_pmu vpmc_evtsel_pmu;

enum vpmc_reason vpmc_evtsel_find_counters(u64 code, u32 *counters);
u64 vpmc_evtsel_encode(const struct vpmc_event *event);
void vpmc_evtsel_init_cpu(void);
void vpmc_evtsel_write_control(const struct vpmc_load *load);
bool vpmc_evtsel_holds(u64 control);
void vpmc_evtsel_write_counter(unsigned int counter, u64 value);
void vpmc_evtsel_write_counters(const u64 *value);

/*
 * vpmc_pmu.reserve and .release: perf_event and all others take the first
 * counter, whatever its registers are called, or none.
 */
int vpmc_evtsel_reserve(void);
void vpmc_evtsel_release(void);

#endif /* VPMC_EVTSEL_H */
