/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * This file defines which of Intel's architectural counters can count an event. The
 * driver refuses other counters, and libvpmc does not list them. Source: Intel 64 and
 * IA-32 Architectures Software Developer's Manual, volume 3B, the lists of events of each
 * microarchitecture.
 *
 * A file that includes this header must define ARRAY_SIZE() and bool.
 */
#ifndef VPMC_INTEL_EVENTS_H
#define VPMC_INTEL_EVENTS_H

#include "../uapi/linux/vpmc.h"

/**
 * struct intel_constraint - events that only some counters can count
 * @code: code of the first event
 * @mask: the bits of a code that are compared with @code; 0 ends a table
 * @counters: the counters that can count the events, one bit each
 * @more: number of events that follow the first one
 * @reason: the reason if no counter can count the events, or VPMC_REASON_NONE
 * @extra: the extra register that the event needs, from 1; 0 if it needs none
 * @leaks: whether the event also counts for the core's other thread with Hyper-Threading
 */
struct intel_constraint {
	__u16 code;
	__u16 mask;
	__u8 counters;
	__u8 more;
	__u8 reason;
	__u8 extra;
	bool leaks;
};

/* These are events such as load latencies, which need an MSR that the driver does not write. */
#define INTEL_MSR		.reason = VPMC_REASON_MORE_REGISTERS

/*
 * These are the off-core responses. OFFCORE_RSP_0 and OFFCORE_RSP_1 select the responses
 * that are counted. Counters 4 to 7 cannot count them.
 */
#define INTEL_RESPONSE_0	{ 0x01b7, INTEL_UNIT, 0x0f, .extra = 1 }
#define INTEL_RESPONSE_1	{ 0x01bb, INTEL_UNIT, 0x0f, .extra = 2 }

/*
 * These are MEM_UOPS_RETIRED and the three events of loads after it. Source:
 * Specification Updates, errata BJ122 (Sandy Bridge), BV98 (Ivy Bridge) and HSD29
 * (Haswell).
 */
#define INTEL_LOADS		{ 0xd0, INTEL_EVENT, 0x0f, 3, .leaks = true }

/* A hardware thread has this number of counters if it has the core to itself. */
#define INTEL_ALONE		8

/* Microcode uses this counter on models on which it forces transactions to abort. */
#define INTEL_ABORT_COUNTER	0x08

/* These masks match an event with any unit mask, and with one unit mask. */
#define INTEL_EVENT		0x00ff
#define INTEL_UNIT		0xffff

/*
 * On Core and Core 2, the unit mask can select the events of all cores (bits 15 and 14
 * of the code) or of all agents on the bus (bit 13).
 */
#define INTEL_ALL_CORES		0xc0ff
#define INTEL_ALL_AGENTS	0x20ff
#define INTEL_OTHERS		.reason = VPMC_REASON_SHARED

static const struct intel_constraint intel_none[] = {
	{}
};

/* Core and Core 2. */
static const struct intel_constraint intel_core_all[] = {
	{ 0xc021, INTEL_ALL_CORES, .more = 0x11, INTEL_OTHERS },
	{ 0xc060, INTEL_ALL_CORES, .more = 0x1f, INTEL_OTHERS },
	{ 0x2060, INTEL_ALL_AGENTS, .more = 0x1f, INTEL_OTHERS },
	{ 0x11, INTEL_EVENT, .counters = 0x2 },	/* FP_ASSIST */
	{ 0x12, INTEL_EVENT, .counters = 0x2 },	/* MUL */
	{ 0x13, INTEL_EVENT, .counters = 0x2 },	/* DIV */
	{ 0x14, INTEL_EVENT, .counters = 0x1 },	/* CYCLES_DIV_BUSY */
	{}
};

static const struct intel_constraint intel_core[] = {
	{ 0xc1, INTEL_EVENT, .counters = 0x1 },	/* FP_COMP_INSTR_RET */
	{}
};

static const struct intel_constraint intel_core2[] = {
	{ 0x10, INTEL_EVENT, .counters = 0x1 },	/* FP_COMP_OPS_EXE */
	{ 0x18, INTEL_EVENT, .counters = 0x1 },	/* IDLE_DURING_DIV */
	{ 0x19, INTEL_EVENT, .counters = 0x2 },	/* DELAYED_BYPASS */
	{ 0xa1, INTEL_EVENT, .counters = 0x1 },	/* RS_UOPS_DISPATCHED */
	{ 0xc9, INTEL_EVENT, .counters = 0x1 },	/* ITLB_MISS_RETIRED */
	{ 0xcb, INTEL_EVENT, .counters = 0x1 },	/* MEM_LOAD_RETIRED */
	{}
};

/* Nehalem and Westmere. */
static const struct intel_constraint intel_nehalem_all[] = {
	{ 0x100b, INTEL_UNIT, INTEL_MSR },	/* LATENCY_ABOVE_THRESHOLD */
	{ 0x4c, INTEL_EVENT, .counters = 0x3 },	/* LOAD_HIT_PRE */
	{ 0x4e, INTEL_EVENT, .counters = 0x3 },	/* L1D_PREFETCH */
	/* L1D, L1D_CACHE_PREFETCH_LOCK_FB_HIT */
	{ 0x51, INTEL_EVENT, .counters = 0x3, .more = 1 },
	{ 0x63, INTEL_EVENT, .counters = 0x3 },	/* CACHE_LOCK_CYCLES */
	INTEL_RESPONSE_0,
	INTEL_RESPONSE_1,
	{}
};

static const struct intel_constraint intel_nehalem[] = {
	{ 0x40, INTEL_EVENT, .counters = 0x3 },	/* L1D_CACHE_LD */
	{ 0x41, INTEL_EVENT, .counters = 0x3 },	/* L1D_CACHE_ST */
	{ 0x42, INTEL_EVENT, .counters = 0x3 },	/* L1D_CACHE_LOCK */
	{ 0x43, INTEL_EVENT, .counters = 0x3 },	/* L1D_ALL_REF */
	{ 0x48, INTEL_EVENT, .counters = 0x3 },	/* L1D_PEND_MISS */
	{ 0x53, INTEL_EVENT, .counters = 0x3 },	/* L1D_CACHE_LOCK_FB_HIT */
	{}
};

static const struct intel_constraint intel_westmere[] = {
	{ 0x60, INTEL_EVENT, .counters = 0x1 },	/* OFFCORE_REQUESTS_OUTSTANDING */
	{ 0xb3, INTEL_EVENT, .counters = 0x1 },	/* SNOOPQ_REQUESTS_OUTSTANDING */
	{}
};

/* Sandy Bridge and its successors up to Skylake's. */
static const struct intel_constraint intel_sandybridge_all[] = {
	{ 0x01c0, INTEL_UNIT, .counters = 0x2 },	/* INST_RETIRED.PREC_DIST */
	{ 0xcd, INTEL_EVENT, INTEL_MSR },	/* MEM_TRANS_RETIRED */
	INTEL_RESPONSE_0,
	INTEL_RESPONSE_1,
	/*
	 * Counters 4 to 7, which a core without Hyper-Threading has, cannot count these
	 * events.
	 */
	{ 0xa3, INTEL_EVENT, .counters = 0x0f },	/* CYCLE_ACTIVITY */
	{ 0x0279, INTEL_UNIT, .counters = 0x0f },	/* IDQ.EMPTY */
	{ 0x019c, INTEL_UNIT, .counters = 0x0f },	/* IDQ_UOPS_NOT_DELIVERED.CORE */
	{ 0xd0, INTEL_EVENT, .counters = 0x0f, .more = 3 },	/* MEM_UOPS_RETIRED to D3H */
	{}
};

static const struct intel_constraint intel_sandybridge[] = {
	{ 0x0148, INTEL_UNIT, .counters = 0x4 },	/* L1D_PEND_MISS.PENDING */
	{ 0x02a3, INTEL_UNIT, .counters = 0x4 },	/* CYCLE_ACTIVITY: L1D pending */
	{ 0x06a3, INTEL_UNIT, .counters = 0x4 },	/* the same, no dispatch */
	INTEL_LOADS,
	{}
};

/* Haswell and Ivy Bridge. */
static const struct intel_constraint intel_haswell[] = {
	{ 0x0148, INTEL_UNIT, .counters = 0x4 },	/* L1D_PEND_MISS.PENDING */
	{ 0x08a3, INTEL_UNIT, .counters = 0x4 },	/* CYCLE_ACTIVITY: L1D pending */
	{ 0x0ca3, INTEL_UNIT, .counters = 0x4 },	/* the same, no dispatch */
	INTEL_LOADS,
	{}
};

static const struct intel_constraint intel_broadwell[] = {
	{ 0x0148, INTEL_UNIT, .counters = 0x4 },	/* L1D_PEND_MISS.PENDING */
	{ 0x08a3, INTEL_UNIT, .counters = 0x4 },	/* CYCLE_ACTIVITY: L1D pending */
	{ 0x0ca3, INTEL_UNIT, .counters = 0x4 },	/* the same, no dispatch */
	{}
};

static const struct intel_constraint intel_skylake[] = {
	{ 0x01c6, INTEL_UNIT, INTEL_MSR },	/* FRONTEND_RETIRED */
	{}
};

/* Ice Lake, Tiger Lake, Rocket Lake. */
static const struct intel_constraint intel_icelake[] = {
	{ 0x01c6, INTEL_UNIT, INTEL_MSR },	/* FRONTEND_RETIRED */
	INTEL_RESPONSE_0,
	INTEL_RESPONSE_1,
	{ 0xcd, INTEL_EVENT, INTEL_MSR },	/* MEM_TRANS_RETIRED */
	{ 0x04a3, INTEL_UNIT, .counters = 0xff },	/* CYCLE_ACTIVITY.STALLS_TOTAL */
	{ 0x10a3, INTEL_UNIT, .counters = 0xff },	/* CYCLE_ACTIVITY.CYCLES_MEM_ANY */
	{ 0x14a3, INTEL_UNIT, .counters = 0xff },	/* CYCLE_ACTIVITY.STALLS_MEM_ANY */
	{ 0x03, INTEL_EVENT, .counters = 0x0f, .more = 7 },
	{ 0x1f, INTEL_EVENT, .counters = 0x0f, .more = 9 },
	{ 0x32, INTEL_EVENT, .counters = 0x0f },
	{ 0x48, INTEL_EVENT, .counters = 0x0f, .more = 14 },
	{ 0x60, INTEL_EVENT, .counters = 0x0f, .more = 43 },
	{ 0xa3, INTEL_EVENT, .counters = 0x0f },
	{ 0xa8, INTEL_EVENT, .counters = 0x0f, .more = 8 },
	{ 0xb7, INTEL_EVENT, .counters = 0x0f, .more = 6 },
	{ 0xd0, INTEL_EVENT, .counters = 0x0f, .more = 22 },
	{ 0xef, INTEL_EVENT, .counters = 0x0f },
	{ 0xf0, INTEL_EVENT, .counters = 0x0f, .more = 4 },
	{}
};

/**
 * struct intel_uarch - a microarchitecture
 * @own: its own constraints, which are searched first
 * @shared: constraints that it shares with other microarchitectures
 * @nr_responses: number of the registers OFFCORE_RSP_0 and OFFCORE_RSP_1 that it has
 * @response: the bits of these registers that are not reserved
 */
struct intel_uarch {
	const struct intel_constraint *own;
	const struct intel_constraint *shared;
	unsigned int nr_responses;
	__u64 response;
};

/*
 * These are the bits that may be set in OFFCORE_RSP_0. Clients of Sandy and Ivy Bridge
 * lack some suppliers that servers have.
 */
#define INTEL_VALUES_NEHALEM	0xffffULL
#define INTEL_VALUES_CLIENT	0x3f807f8fffULL
#define INTEL_VALUES_SERVER	0x3fffff8fffULL
#define INTEL_VALUES_ICELAKE	0x3fffffbfffULL

enum {
	UARCH_CORE,
	UARCH_CORE2,
	UARCH_NEHALEM,
	UARCH_WESTMERE,
	UARCH_SANDYBRIDGE,
	UARCH_SANDYBRIDGE_SERVER,
	UARCH_IVYBRIDGE,
	UARCH_HASWELL,
	UARCH_BROADWELL,
	UARCH_SKYLAKE,
	UARCH_ICELAKE,
};

static const struct intel_uarch intel_uarchs[] = {
	[UARCH_CORE] = { .own = intel_core, .shared = intel_core_all },
	[UARCH_CORE2] = { .own = intel_core2, .shared = intel_core_all },
	[UARCH_NEHALEM] = { intel_nehalem, intel_nehalem_all, 1,
			    INTEL_VALUES_NEHALEM },
	[UARCH_WESTMERE] = { intel_westmere, intel_nehalem_all, 2,
			     INTEL_VALUES_NEHALEM },
	[UARCH_SANDYBRIDGE] = { intel_sandybridge, intel_sandybridge_all, 2,
				INTEL_VALUES_CLIENT },
	[UARCH_SANDYBRIDGE_SERVER] = { intel_sandybridge,
				       intel_sandybridge_all, 2,
				       INTEL_VALUES_SERVER },
	[UARCH_IVYBRIDGE] = { intel_haswell, intel_sandybridge_all, 2,
			      INTEL_VALUES_CLIENT },
	[UARCH_HASWELL] = { intel_haswell, intel_sandybridge_all, 2,
			    INTEL_VALUES_SERVER },
	[UARCH_BROADWELL] = { intel_broadwell, intel_sandybridge_all, 2,
			      INTEL_VALUES_SERVER },
	[UARCH_SKYLAKE] = { intel_skylake, intel_sandybridge_all, 2,
			    INTEL_VALUES_SERVER },
	[UARCH_ICELAKE] = { intel_icelake, intel_none, 2,
			    INTEL_VALUES_ICELAKE },
};

#define INTEL_FAMILY		6

/* These are the models of family 6 whose constraints are known. */
static const struct {
	__u8 model;
	__u8 uarch;
} intel_models[] = {
	{ 0x0e, UARCH_CORE },
	{ 0x0f, UARCH_CORE2 },
	{ 0x16, UARCH_CORE2 },
	{ 0x17, UARCH_CORE2 },
	{ 0x1d, UARCH_CORE2 },
	{ 0x1a, UARCH_NEHALEM },
	{ 0x1e, UARCH_NEHALEM },
	{ 0x1f, UARCH_NEHALEM },
	{ 0x2e, UARCH_NEHALEM },
	{ 0x25, UARCH_WESTMERE },
	{ 0x2c, UARCH_WESTMERE },
	{ 0x2f, UARCH_WESTMERE },
	{ 0x2a, UARCH_SANDYBRIDGE },
	{ 0x2d, UARCH_SANDYBRIDGE_SERVER },
	{ 0x3a, UARCH_IVYBRIDGE },
	{ 0x3e, UARCH_HASWELL },
	{ 0x3c, UARCH_HASWELL },
	{ 0x3f, UARCH_HASWELL },
	{ 0x45, UARCH_HASWELL },
	{ 0x46, UARCH_HASWELL },
	{ 0x3d, UARCH_BROADWELL },
	{ 0x47, UARCH_BROADWELL },
	{ 0x4f, UARCH_BROADWELL },
	{ 0x56, UARCH_BROADWELL },
	{ 0x4e, UARCH_SKYLAKE },
	{ 0x5e, UARCH_SKYLAKE },
	{ 0x55, UARCH_SKYLAKE },
	{ 0x8e, UARCH_SKYLAKE },
	{ 0x9e, UARCH_SKYLAKE },
	{ 0xa5, UARCH_SKYLAKE },
	{ 0xa6, UARCH_SKYLAKE },
	{ 0x6a, UARCH_ICELAKE },
	{ 0x6c, UARCH_ICELAKE },
	{ 0x7d, UARCH_ICELAKE },
	{ 0x7e, UARCH_ICELAKE },
	{ 0x8c, UARCH_ICELAKE },
	{ 0x8d, UARCH_ICELAKE },
	{ 0xa7, UARCH_ICELAKE },
};

/*
 * These are the events of the fixed counters: instructions, clocks, and clocks at a fixed
 * rate. No other counter can count clocks at a fixed rate.
 */
static const __u32 intel_fixed[] = { 0x00c0, 0x003c, 0x0300 };

#define INTEL_REF_CLOCKS	2

/* Return the microarchitecture of a model of family 6, or NULL if it is not known. */
static inline const struct intel_uarch *intel_find_uarch(unsigned int model)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(intel_models); i++) {
		if (intel_models[i].model == model)
			return &intel_uarchs[intel_models[i].uarch];
	}
	return NULL;
}

static inline bool intel_applies(const struct intel_constraint *c, __u64 code)
{
	code &= c->mask;
	return code >= c->code && code <= (__u64)c->code + c->more;
}

/* Return the constraint of an event in a table, or the end of the table. */
static inline const struct intel_constraint *
intel_find(const struct intel_constraint *c, __u64 code)
{
	while (c->mask && !intel_applies(c, code))
		c++;
	return c;
}

/* Return the constraint of an event, or the end of a table if it has none. */
static inline const struct intel_constraint *
intel_find_constraint(const struct intel_uarch *uarch, __u64 code)
{
	const struct intel_constraint *c = intel_find(uarch->own, code);

	return c->mask ? c : intel_find(uarch->shared, code);
}

/*
 * Clear in @counters the bits of counters that cannot count an event. Only the first @nr
 * counters, which have a select, are checked. @nr_extra is the number of extra registers
 * that the caller can set. Returns the reason if no counter can count the event, or
 * VPMC_REASON_NONE.
 */
static inline enum vpmc_reason
intel_constrain(const struct intel_uarch *uarch, __u64 code, unsigned int nr,
		unsigned int nr_extra, __u32 *counters)
{
	const struct intel_constraint *c = intel_find_constraint(uarch, code);

	if (!c->mask)
		return VPMC_REASON_NONE;
	if (c->leaks && nr < INTEL_ALONE)
		return VPMC_REASON_SHARED;
	if (c->extra > nr_extra)
		return VPMC_REASON_MORE_REGISTERS;
	*counters &= c->counters;
	return (enum vpmc_reason)c->reason;
}

/*
 * Return the bit of the fixed counter of an event, or 0 if the first @nr fixed counters cannot
 * count the event.
 */
static inline __u32 intel_fixed_of(__u64 code, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr && i < ARRAY_SIZE(intel_fixed); i++) {
		if (intel_fixed[i] == code)
			return 1U << i;
	}
	return 0;
}

#endif /* VPMC_INTEL_EVENTS_H */
