/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the code that is common to families whose counters have one event
 * select register each. All families since the P6 except the Pentium 4 are of this kind.
 * Source of the fields: Intel 64 and IA-32 Architectures Software Developer's Manual,
 * volume 3B, "Architectural Performance Monitoring Version 1"; AMD64 Architecture
 * Programmer's Manual, volume 2, "Core Performance Event-Select Registers".
 */
#ifndef VPMC_EVTSEL_H
#define VPMC_EVTSEL_H

#include <linux/bits.h>

#include "pmu/pmu.h"

/*
 * These are the fields of a select. VPMC_EVTSEL_CODE has the fields that a caller may set
 * in an event's code.
 */
#define VPMC_EVTSEL_USER	BIT(16)
#define VPMC_EVTSEL_KERNEL	BIT(17)
#define VPMC_EVTSEL_PIN		BIT(19)
#define VPMC_EVTSEL_INTERRUPT	BIT(20)
#define VPMC_EVTSEL_ENABLE	BIT(22)
#define VPMC_EVTSEL_CODE	0xff84ffffULL

/*
 * These bits describe an event in any processor's select. A hypervisor may change higher
 * bits.
 */
#define VPMC_EVTSEL_EVENT	GENMASK_ULL(35, 0)

/**
 * struct vpmc_evtsel - the registers of this machine's counters
 * @select: address of the first counter's select
 * @counter: address of the first counter
 * @stride: distance from the registers of one counter to those of the next counter
 * @nr: number of counters that have a select; they are the first counters
 * @first: the first counter that the driver uses. perf_event has those below it.
 * @all: the counters that have a select, one bit each
 */
struct vpmc_evtsel {
	u32 select;
	u32 counter;
	u32 stride;
	u32 nr;
	u32 first;
	u32 all;
};

/* A family sets this once, before it calls any function below. */
extern struct vpmc_evtsel vpmc_evtsel;

/* Return the counters with a select that the driver uses, one bit each. Any context. */
static inline u32 vpmc_evtsel_own(void)
{
	return GENMASK(vpmc_evtsel.nr - 1, vpmc_evtsel.first);
}

/*
 * This is the number of the event that counts executed instructions, in all these
 * families.
 */
#define VPMC_EVTSEL_INSTRUCTIONS	0xc0

/*
 * Check the bits of @code. Returns the reason if no counter can count it, or
 * VPMC_REASON_NONE. Any context.
 */
enum vpmc_reason vpmc_evtsel_check(u64 code);

/* Return the select for @event without VPMC_EVTSEL_ENABLE. Any context. */
u64 vpmc_evtsel_of(const struct vpmc_event *event);

/*
 * Fill in @proof for @counters. All of them have a select that enables the counter. This
 * implements vpmc_family.describe for these counters.
 */
void __init vpmc_evtsel_describe(struct vpmc_proof *proof, u32 counters);

/* Set vpmc_evtsel and vpmc_evtsel_pmu to @nr counters. All of them have a select. */
void __init vpmc_evtsel_set_counters(u32 nr);

/*
 * Change vpmc_evtsel_pmu to the counters that perf_event leases, if it leases any. A family that is
 * not refused a lease calls this last when it probes. Returns whether counters are leased. The
 * driver then writes only the registers of these counters, because perf_event has all others.
 */
bool __init vpmc_evtsel_lease(void);

/*
 * This is the PMU of families whose selects enable their counters. A family that uses this PMU sets
 * the name and the counters when it probes. If a function does not cover all registers of the
 * family, the family replaces it with its own function, which calls the function below.
 */
extern struct vpmc_pmu vpmc_evtsel_pmu;

enum vpmc_reason vpmc_evtsel_find_counters(u64 code, u32 *counters);
u64 vpmc_evtsel_encode(const struct vpmc_event *event);
void vpmc_evtsel_init_cpu(void);
void vpmc_evtsel_write_control(const struct vpmc_load *load);
bool vpmc_evtsel_holds(u64 control);
u32 vpmc_evtsel_counter_msr(unsigned int counter);
void vpmc_evtsel_write_counter(unsigned int counter, u64 value);
void vpmc_evtsel_write_counters(const u64 *value);

/*
 * Implement vpmc_pmu.reserve and vpmc_pmu.release. It is enough to reserve the first
 * counter, because perf_event and all other users take either the first counter or no
 * counter.
 */
int vpmc_evtsel_reserve(void);
void vpmc_evtsel_release(void);

#endif /* VPMC_EVTSEL_H */
