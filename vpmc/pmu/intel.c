// SPDX-License-Identifier: GPL-2.0-only
/*
 * Intel's architectural counters, versions 1 to 5: those that an event select
 * register governs, and behind them the fixed ones. Source: Intel 64 and IA-32
 * Architectures Software Developer's Manual, volume 3B, "Architectural Performance
 * Monitoring"; which counters an event needs: the lists of events of each
 * microarchitecture there.
 */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/cpu.h>
#include <linux/cpufeature.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/percpu.h>

#include <asm/cpu_device_id.h>
#include <asm/cpuid.h>
#include <asm/msr.h>
#include <asm/perf_event.h>

#include "evtsel.h"

/* Leaf 0AH, EAX and EDX. */
#define INTEL_LEAF		0x0a
#define INTEL_VERSION(eax)	((eax) & 0xff)
#define INTEL_COUNTERS(eax)	((eax) >> 8 & 0xff)
#define INTEL_BITS(eax)		((eax) >> 16 & 0xff)
#define INTEL_FIXED(edx)	((edx) & 0x1f)
#define INTEL_FIXED_BITS(edx)	((edx) >> 5 & 0xff)

/* What IA32_FIXED_CTR_CTRL has for each of them. */
#define INTEL_FIXED_KERNEL	BIT_ULL(0)
#define INTEL_FIXED_USER	BIT_ULL(1)
#define INTEL_FIXED_SHIFT	4

/* So that there is room for them. */
#define INTEL_MAX_GENERAL	16

/* RDPMC takes their numbers with this bit. */
#define INTEL_RDPMC_FIXED	BIT(30)

/*
 * IA32_PERF_CAPABILITIES: all bits of a counter can be written, elsewhere. If not,
 * a write sets the low 32 bits, and the others to bit 31.
 */
#define INTEL_FULL_WRITES	BIT_ULL(13)

/**
 * struct intel_constraint - events that not all counters can count
 * @code: the first of them
 * @mask: what of a code is compared with it; 0 ends a table
 * @counters: which can
 * @more: how many events there are behind the first one
 * @reason: why none can, if so
 * @extra: the extra register that it needs, from 1; without it no counter can
 * @leaks: with Hyper-Threading it counts for the other thread of the core, too
 */
struct intel_constraint {
	u16 code;
	u16 mask;
	u8 counters;
	u8 more;
	u8 reason;
	u8 extra;
	bool leaks;
};

/* Load latencies and others: what is counted is in an MSR that is left alone. */
#define INTEL_MSR		.reason = VPMC_REASON_MORE_REGISTERS

/*
 * Off-core responses: OFFCORE_RSP_0 and OFFCORE_RSP_1 say which are counted. Not
 * on counters 4 to 7.
 */
#define INTEL_RESPONSE_0	{ 0x01b7, INTEL_UNIT, 0x0f, .extra = 1 }
#define INTEL_RESPONSE_1	{ 0x01bb, INTEL_UNIT, 0x0f, .extra = 2 }

/*
 * MEM_UOPS_RETIRED and the three events of loads behind it. Source: Specification
 * Updates, errata BJ122 (Sandy Bridge), BV98 (Ivy Bridge) and HSD29 (Haswell).
 */
#define INTEL_LOADS		{ 0xd0, INTEL_EVENT, 0x0f, 3, .leaks = true }

/* As many counters are there for a thread that has the core to itself. */
#define INTEL_ALONE		8

/* An event with any unit mask, or with one. */
#define INTEL_EVENT		0x00ff
#define INTEL_UNIT		0xffff

/*
 * Core and Core 2: the unit mask says whose events these are, all cores' (bits 15
 * and 14 of the code) or those of all agents on the bus (bit 13).
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
	{ 0x11, INTEL_EVENT, 0x2 },	/* FP_ASSIST */
	{ 0x12, INTEL_EVENT, 0x2 },	/* MUL */
	{ 0x13, INTEL_EVENT, 0x2 },	/* DIV */
	{ 0x14, INTEL_EVENT, 0x1 },	/* CYCLES_DIV_BUSY */
	{}
};

static const struct intel_constraint intel_core[] = {
	{ 0xc1, INTEL_EVENT, 0x1 },	/* FP_COMP_INSTR_RET */
	{}
};

static const struct intel_constraint intel_core2[] = {
	{ 0x10, INTEL_EVENT, 0x1 },	/* FP_COMP_OPS_EXE */
	{ 0x18, INTEL_EVENT, 0x1 },	/* IDLE_DURING_DIV */
	{ 0x19, INTEL_EVENT, 0x2 },	/* DELAYED_BYPASS */
	{ 0xa1, INTEL_EVENT, 0x1 },	/* RS_UOPS_DISPATCHED */
	{ 0xc9, INTEL_EVENT, 0x1 },	/* ITLB_MISS_RETIRED */
	{ 0xcb, INTEL_EVENT, 0x1 },	/* MEM_LOAD_RETIRED */
	{}
};

/* Nehalem and Westmere. */
static const struct intel_constraint intel_nehalem_all[] = {
	{ 0x100b, INTEL_UNIT, INTEL_MSR },	/* LATENCY_ABOVE_THRESHOLD */
	{ 0x4c, INTEL_EVENT, 0x3 },	/* LOAD_HIT_PRE */
	{ 0x4e, INTEL_EVENT, 0x3 },	/* L1D_PREFETCH */
	{ 0x51, INTEL_EVENT, 0x3, 1 },	/* L1D, L1D_CACHE_PREFETCH_LOCK_FB_HIT */
	{ 0x63, INTEL_EVENT, 0x3 },	/* CACHE_LOCK_CYCLES */
	INTEL_RESPONSE_0,
	INTEL_RESPONSE_1,
	{}
};

static const struct intel_constraint intel_nehalem[] = {
	{ 0x40, INTEL_EVENT, 0x3 },	/* L1D_CACHE_LD */
	{ 0x41, INTEL_EVENT, 0x3 },	/* L1D_CACHE_ST */
	{ 0x42, INTEL_EVENT, 0x3 },	/* L1D_CACHE_LOCK */
	{ 0x43, INTEL_EVENT, 0x3 },	/* L1D_ALL_REF */
	{ 0x48, INTEL_EVENT, 0x3 },	/* L1D_PEND_MISS */
	{ 0x53, INTEL_EVENT, 0x3 },	/* L1D_CACHE_LOCK_FB_HIT */
	{}
};

static const struct intel_constraint intel_westmere[] = {
	{ 0x60, INTEL_EVENT, 0x1 },	/* OFFCORE_REQUESTS_OUTSTANDING */
	{ 0xb3, INTEL_EVENT, 0x1 },	/* SNOOPQ_REQUESTS_OUTSTANDING */
	{}
};

/* Sandy Bridge and its successors up to Skylake's. */
static const struct intel_constraint intel_sandybridge_all[] = {
	{ 0x01c0, INTEL_UNIT, 0x2 },	/* INST_RETIRED.PREC_DIST */
	{ 0xcd, INTEL_EVENT, INTEL_MSR },	/* MEM_TRANS_RETIRED */
	INTEL_RESPONSE_0,
	INTEL_RESPONSE_1,
	/* Not on counters 4 to 7, which a core without threads has. */
	{ 0xa3, INTEL_EVENT, 0x0f },	/* CYCLE_ACTIVITY */
	{ 0x0279, INTEL_UNIT, 0x0f },	/* IDQ.EMPTY */
	{ 0x019c, INTEL_UNIT, 0x0f },	/* IDQ_UOPS_NOT_DELIVERED.CORE */
	{ 0xd0, INTEL_EVENT, 0x0f, 3 },	/* MEM_UOPS_RETIRED to D3H */
	{}
};

static const struct intel_constraint intel_sandybridge[] = {
	{ 0x48, INTEL_EVENT, 0x4 },	/* L1D_PEND_MISS */
	{ 0x02a3, INTEL_UNIT, 0x4 },	/* CYCLE_ACTIVITY: L1D pending */
	{ 0x06a3, INTEL_UNIT, 0x4 },	/* the same, no dispatch */
	INTEL_LOADS,
	{}
};

/* And Ivy Bridge. */
static const struct intel_constraint intel_haswell[] = {
	{ 0x48, INTEL_EVENT, 0x4 },	/* L1D_PEND_MISS */
	{ 0x08a3, INTEL_UNIT, 0x4 },	/* CYCLE_ACTIVITY: L1D pending */
	{ 0x0ca3, INTEL_UNIT, 0x4 },	/* the same, no dispatch */
	INTEL_LOADS,
	{}
};

static const struct intel_constraint intel_broadwell[] = {
	{ 0x48, INTEL_EVENT, 0x4 },	/* L1D_PEND_MISS */
	{ 0xa3, INTEL_EVENT, 0x4 },	/* CYCLE_ACTIVITY */
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
	{ 0x04a3, INTEL_UNIT, 0xff },	/* CYCLE_ACTIVITY.STALLS_TOTAL */
	{ 0x10a3, INTEL_UNIT, 0xff },	/* CYCLE_ACTIVITY.CYCLES_MEM_ANY */
	{ 0x03, INTEL_EVENT, 0x0f, 7 },
	{ 0x1f, INTEL_EVENT, 0x0f, 9 },
	{ 0x32, INTEL_EVENT, 0x0f },
	{ 0x48, INTEL_EVENT, 0x0f, 14 },
	{ 0x60, INTEL_EVENT, 0x0f, 43 },
	{ 0xa3, INTEL_EVENT, 0x0f },
	{ 0xa8, INTEL_EVENT, 0x0f, 8 },
	{ 0xb7, INTEL_EVENT, 0x0f, 6 },
	{ 0xd0, INTEL_EVENT, 0x0f, 22 },
	{ 0xef, INTEL_EVENT, 0x0f },
	{ 0xf0, INTEL_EVENT, 0x0f, 4 },
	{}
};

/**
 * struct intel_uarch - a microarchitecture
 * @own: its constraints; they come first
 * @shared: those that others have, too
 * @nr_responses: how many of OFFCORE_RSP_0 and OFFCORE_RSP_1 it has
 * @response: their bits that are not reserved
 */
struct intel_uarch {
	const struct intel_constraint *own;
	const struct intel_constraint *shared;
	unsigned int nr_responses;
	u64 response;
};

/* Clients of Sandy and Ivy Bridge lack some of the suppliers of servers. */
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
	[UARCH_CORE] = { intel_core, intel_core_all },
	[UARCH_CORE2] = { intel_core2, intel_core_all },
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

#define INTEL_MODEL(model, uarch) \
	X86_MATCH_VENDOR_FAM_MODEL(INTEL, 6, model, &intel_uarchs[uarch])

/* Those whose constraints are known. */
static const struct x86_cpu_id intel_ids[] = {
	INTEL_MODEL(0x0e, UARCH_CORE),
	INTEL_MODEL(0x0f, UARCH_CORE2),
	INTEL_MODEL(0x16, UARCH_CORE2),
	INTEL_MODEL(0x17, UARCH_CORE2),
	INTEL_MODEL(0x1d, UARCH_CORE2),
	INTEL_MODEL(0x1a, UARCH_NEHALEM),
	INTEL_MODEL(0x1e, UARCH_NEHALEM),
	INTEL_MODEL(0x1f, UARCH_NEHALEM),
	INTEL_MODEL(0x2e, UARCH_NEHALEM),
	INTEL_MODEL(0x25, UARCH_WESTMERE),
	INTEL_MODEL(0x2c, UARCH_WESTMERE),
	INTEL_MODEL(0x2f, UARCH_WESTMERE),
	INTEL_MODEL(0x2a, UARCH_SANDYBRIDGE),
	INTEL_MODEL(0x2d, UARCH_SANDYBRIDGE_SERVER),
	INTEL_MODEL(0x3a, UARCH_IVYBRIDGE),
	INTEL_MODEL(0x3e, UARCH_HASWELL),
	INTEL_MODEL(0x3c, UARCH_HASWELL),
	INTEL_MODEL(0x3f, UARCH_HASWELL),
	INTEL_MODEL(0x45, UARCH_HASWELL),
	INTEL_MODEL(0x46, UARCH_HASWELL),
	INTEL_MODEL(0x3d, UARCH_BROADWELL),
	INTEL_MODEL(0x47, UARCH_BROADWELL),
	INTEL_MODEL(0x4f, UARCH_BROADWELL),
	INTEL_MODEL(0x56, UARCH_BROADWELL),
	INTEL_MODEL(0x4e, UARCH_SKYLAKE),
	INTEL_MODEL(0x5e, UARCH_SKYLAKE),
	INTEL_MODEL(0x55, UARCH_SKYLAKE),
	INTEL_MODEL(0x8e, UARCH_SKYLAKE),
	INTEL_MODEL(0x9e, UARCH_SKYLAKE),
	INTEL_MODEL(0xa5, UARCH_SKYLAKE),
	INTEL_MODEL(0xa6, UARCH_SKYLAKE),
	INTEL_MODEL(0x6a, UARCH_ICELAKE),
	INTEL_MODEL(0x6c, UARCH_ICELAKE),
	INTEL_MODEL(0x7d, UARCH_ICELAKE),
	INTEL_MODEL(0x7e, UARCH_ICELAKE),
	INTEL_MODEL(0x8c, UARCH_ICELAKE),
	INTEL_MODEL(0x8d, UARCH_ICELAKE),
	INTEL_MODEL(0xa7, UARCH_ICELAKE),
	{}
};

/*
 * What the fixed counters count: instructions, clocks, and clocks at a fixed rate,
 * which no other counter counts.
 */
static const u32 intel_fixed[] = { 0x00c0, 0x003c, 0x0300 };

#define INTEL_NR_FIXED		ARRAY_SIZE(intel_fixed)
#define INTEL_REF_CLOCKS	2

/* What this processor's IA32_FIXED_CTR_CTRL holds. */
static DEFINE_PER_CPU(u64, intel_fixed_held);

/* The fixed counters or the responses may have something beside the selects. */
static DEFINE_PER_CPU(bool, intel_holds_others);

/* Its fixed counters may show something else than 0. */
static DEFINE_PER_CPU(bool, intel_fixed_dirty);

/* What its OFFCORE_RSP_0 and OFFCORE_RSP_1 hold, and whether that is not 0. */
static DEFINE_PER_CPU(u64 [VPMC_MAX_EXTRA], intel_response_held);
static DEFINE_PER_CPU(bool, intel_responds);

static unsigned int intel_version __ro_after_init;
static const struct intel_uarch *intel_uarch __ro_after_init;

static bool intel_applies(const struct intel_constraint *c, u64 code)
{
	code &= c->mask;
	return code >= c->code && code <= c->code + c->more;
}

/* The constraint of an event in a table, or the end of the table. */
static const struct intel_constraint *
intel_find(const struct intel_constraint *c, u64 code)
{
	while (c->mask && !intel_applies(c, code))
		c++;
	return c;
}

/* The constraint of an event, or the end of a table. */
static const struct intel_constraint *intel_find_constraint(u64 code)
{
	const struct intel_constraint *c = intel_find(intel_uarch->own, code);

	return c->mask ? c : intel_find(intel_uarch->shared, code);
}

static enum vpmc_reason intel_find_general(u64 code, u32 *counters)
{
	enum vpmc_reason reason = vpmc_evtsel_find_counters(code, counters);
	const struct intel_constraint *c = intel_find_constraint(code);

	/* Microcode has counter 3 where it makes transactions abort. */
	if (boot_cpu_has(X86_FEATURE_TSX_FORCE_ABORT))
		*counters &= ~BIT(3);
	if (reason || !c->mask)
		return reason;
	if (c->leaks && vpmc_evtsel.nr < INTEL_ALONE)
		return VPMC_REASON_SHARED;
	if (c->extra > vpmc_evtsel_pmu.nr_extra)
		return VPMC_REASON_MORE_REGISTERS;
	*counters &= c->counters;
	return c->reason;
}

/* Of an event that can be counted. */
static enum vpmc_reason intel_find_extra(const struct vpmc_event *event,
					 u8 *extra)
{
	*extra = intel_find_constraint(event->code)->extra;
	if (!*extra != !event->extra)
		return VPMC_REASON_MORE_REGISTERS;
	return event->extra & ~intel_uarch->response ?
		       VPMC_REASON_EXTRA_RESERVED : VPMC_REASON_NONE;
}

/* The fixed counter of an event, one bit, or 0 if there is none. */
static u32 intel_find_fixed(u64 code)
{
	unsigned int i;

	for (i = 0; i < vpmc_evtsel_pmu.nr_fixed; i++) {
		if (intel_fixed[i] == code)
			return BIT(vpmc_evtsel.nr + i);
	}
	return 0;
}

static enum vpmc_reason intel_find_counters(u64 code, u32 *counters)
{
	u32 fixed = intel_find_fixed(code);
	enum vpmc_reason reason;

	if (code == intel_fixed[INTEL_REF_CLOCKS]) {
		*counters = fixed;
		return fixed ? VPMC_REASON_NONE : VPMC_REASON_UNKNOWN_EVENT;
	}
	reason = intel_find_general(code, counters);
	*counters |= fixed;
	return reason;
}

static u64 intel_encode(const struct vpmc_event *event)
{
	u64 modes = 0;

	if (event->counter < vpmc_evtsel.nr)
		return vpmc_evtsel_encode(event);
	if (event->modes & VPMC_MODE_USER)
		modes |= INTEL_FIXED_USER;
	if (event->modes & VPMC_MODE_KERNEL)
		modes |= INTEL_FIXED_KERNEL;
	return modes << INTEL_FIXED_SHIFT * (event->counter - vpmc_evtsel.nr);
}

static void intel_write_fixed_control(u64 control)
{
	wrmsrl(MSR_CORE_PERF_FIXED_CTR_CTRL, control);
	__this_cpu_write(intel_fixed_held, control);
	if (control)
		__this_cpu_write(intel_fixed_dirty, true);
}

/* The last ones of @load->select are those of the fixed counters. */
static void intel_change_fixed(const struct vpmc_load *load)
{
	const u64 *select = load->select;
	u64 control = 0;
	unsigned int i;

	for (i = 0; i < vpmc_evtsel_pmu.nr_counters; i++) {
		if (!(load->used & BIT(i)))
			continue;
		if (i >= vpmc_evtsel.nr)
			control |= *select;
		select++;
	}
	if (__this_cpu_read(intel_fixed_held) != control)
		intel_write_fixed_control(control);
}

/* Also to 0, so that no register holds what nobody counts. */
static void intel_change_responses(const struct vpmc_load *load)
{
	const u64 *value = load->select;
	unsigned int i;
	u64 response;
	u32 used;

	/* Behind one select for each counter; hweight32() brings POPCNT. */
	for (used = load->used; used; used &= used - 1)
		value++;
	for (i = 0; i < vpmc_evtsel_pmu.nr_extra; i++) {
		response = load->extra ? value[i] : 0;
		if (__this_cpu_read(intel_response_held[i]) == response)
			continue;
		wrmsrl(MSR_OFFCORE_RSP_0 + i, response);
		__this_cpu_write(intel_response_held[i], response);
	}
	__this_cpu_write(intel_responds, load->extra);
}

/* Most sets need none of this, and come after others that do not, either. */
static noinline void intel_change_others(const struct vpmc_load *load)
{
	bool others;

	if (load->extra || __this_cpu_read(intel_responds))
		intel_change_responses(load);
	if (load->used & ~vpmc_evtsel.all || __this_cpu_read(intel_fixed_held))
		intel_change_fixed(load);
	others = __this_cpu_read(intel_responds) ||
		 __this_cpu_read(intel_fixed_held);
	__this_cpu_write(intel_holds_others, others);
}

static void intel_write_control(const struct vpmc_load *load)
{
	lockdep_assert_irqs_disabled();
	if (unlikely(load->used & ~vpmc_evtsel.all || load->extra ||
		     __this_cpu_read(intel_holds_others)))
		intel_change_others(load);
	/* An event is not counted before its other register says what it is. */
	vpmc_evtsel_write_control(load);
}

static void intel_write_fixed(unsigned int i, u64 value)
{
	wrmsrl(MSR_CORE_PERF_FIXED_CTR0 + i, value);
	__this_cpu_write(intel_fixed_dirty, true);
}

static void intel_write_counter(unsigned int counter, u64 value)
{
	if (counter < vpmc_evtsel.nr)
		vpmc_evtsel_write_counter(counter, value);
	else
		intel_write_fixed(counter - vpmc_evtsel.nr, value);
}

/* Most tasks do not use the fixed ones: they are 0, and are left alone. */
static void intel_write_counters(const u64 *value)
{
	const u64 *fixed = value + vpmc_evtsel.nr;
	u64 any = fixed[0] | fixed[1] | fixed[2];
	unsigned int i;

	vpmc_evtsel_write_counters(value);
	if (!any && !__this_cpu_read(intel_fixed_dirty))
		return;
	for (i = 0; i < INTEL_NR_FIXED; i++)
		intel_write_fixed(i, fixed[i]);
	if (!any && !__this_cpu_read(intel_fixed_held))
		__this_cpu_write(intel_fixed_dirty, false);
}

static void intel_clear_responses(void)
{
	unsigned int i;

	for (i = 0; i < vpmc_evtsel_pmu.nr_extra; i++) {
		wrmsrl(MSR_OFFCORE_RSP_0 + i, 0);
		__this_cpu_write(intel_response_held[i], 0);
	}
	__this_cpu_write(intel_responds, false);
}

/* From version 2 on, each counter has a global enable bit, too. */
static u64 intel_global_bits(void)
{
	return GENMASK_ULL(vpmc_evtsel.nr - 1, 0) |
	       (BIT_ULL(vpmc_evtsel_pmu.nr_fixed) - 1) << 32;
}

static void intel_init_cpu(void)
{
	u64 counters = intel_global_bits();

	vpmc_evtsel_init_cpu();
	intel_clear_responses();
	if (vpmc_evtsel_pmu.nr_fixed) {
		intel_write_fixed_control(0);
		__this_cpu_write(intel_fixed_dirty, true);
	}
	if (intel_version < 2)
		return;
	wrmsrl(MSR_CORE_PERF_GLOBAL_OVF_CTRL, counters);
	wrmsrl(MSR_CORE_PERF_GLOBAL_CTRL, counters);
}

static bool __init intel_has_full_writes(void)
{
	u64 capabilities;

	return boot_cpu_has(X86_FEATURE_PDCM) &&
	       !rdmsrl_safe(MSR_IA32_PERF_CAPABILITIES, &capabilities) &&
	       capabilities & INTEL_FULL_WRITES;
}

/* All that there are events for, as wide as the others, or none is used. */
static bool __init intel_has_fixed(u32 eax, u32 edx)
{
	return INTEL_VERSION(eax) >= 2 && INTEL_FIXED(edx) >= INTEL_NR_FIXED &&
	       INTEL_FIXED_BITS(edx) == INTEL_BITS(eax);
}

static void __init intel_add_fixed(struct vpmc_pmu *pmu)
{
	unsigned int i;

	for (i = 0; i < INTEL_NR_FIXED; i++)
		pmu->rdpmc[pmu->nr_counters++] = INTEL_RDPMC_FIXED | i;
	pmu->nr_fixed = INTEL_NR_FIXED;
	pmu->encode = intel_encode;
	pmu->write_control = intel_write_control;
	pmu->write_counter = intel_write_counter;
	pmu->write_counters = intel_write_counters;
}

/*
 * The threads of a core share the registers. A hypervisor may hide them. Only
 * reads: they may be perf_event's.
 */
static unsigned int __init intel_find_responses(void)
{
	unsigned int nr = intel_uarch->nr_responses, i;
	u64 value;

	if (cpu_smt_possible())
		return 0;
	for (i = 0; i < nr; i++) {
		if (rdmsrl_safe(MSR_OFFCORE_RSP_0 + i, &value))
			return 0;
	}
	return nr;
}

static void __init intel_add_responses(struct vpmc_pmu *pmu)
{
	pmu->nr_extra = intel_find_responses();
	if (!pmu->nr_extra)
		return;
	pmu->find_extra = intel_find_extra;
	pmu->write_control = intel_write_control;
}

static void __init intel_set_up(u32 eax, u32 edx)
{
	struct vpmc_pmu *pmu = &vpmc_evtsel_pmu;
	bool full = intel_has_full_writes();

	intel_version = INTEL_VERSION(eax);
	vpmc_evtsel = (struct vpmc_evtsel){
		.select = MSR_ARCH_PERFMON_EVENTSEL0,
		.counter = full ? MSR_IA32_PMC0 : MSR_ARCH_PERFMON_PERFCTR0,
		.stride = 1,
	};
	pmu->name = "intel";
	vpmc_evtsel_set_counters(min_t(u32, INTEL_COUNTERS(eax),
				       INTEL_MAX_GENERAL));
	if (intel_has_fixed(eax, edx))
		intel_add_fixed(pmu);
	intel_add_responses(pmu);
	pmu->counter_bits = INTEL_BITS(eax);
	pmu->counter_mask = GENMASK_ULL(INTEL_BITS(eax) - 1, 0);
	pmu->sign_extension = full ? 0 : pmu->counter_mask & ~(u64)U32_MAX;
	pmu->find_counters = intel_find_counters;
	pmu->init_cpu = intel_init_cpu;
}

/* A hypervisor may hide them. */
static const char *__init intel_find_leaf(u32 *eax, u32 *edx)
{
	u32 ebx, ecx;

	if (boot_cpu_data.cpuid_level < INTEL_LEAF)
		return "CPUID has no leaf 0AH";
	cpuid(INTEL_LEAF, eax, &ebx, &ecx, edx);
	if (!INTEL_VERSION(*eax) || !INTEL_COUNTERS(*eax))
		return "CPUID leaf 0AH shows no counters";
	if (INTEL_BITS(*eax) <= 32 || INTEL_BITS(*eax) > 63)
		return "CPUID leaf 0AH shows counters of a width that no processor has";
	return NULL;
}

static const struct vpmc_pmu *__init intel_probe(const char **hidden)
{
	const struct x86_cpu_id *id = x86_match_cpu(intel_ids);
	u32 eax, edx;

	if (!id)
		return NULL;
	*hidden = intel_find_leaf(&eax, &edx);
	if (*hidden)
		return NULL;
	intel_uarch = (const struct intel_uarch *)id->driver_data;
	intel_set_up(eax, edx);
	return &vpmc_evtsel_pmu;
}

/* The first fixed counter counts instructions, the others count clocks. */
static void __init intel_describe_fixed(struct vpmc_proof *proof)
{
	u64 control = 0;
	unsigned int i;

	for (i = 0; i < vpmc_evtsel_pmu.nr_fixed; i++) {
		control |= INTEL_FIXED_KERNEL << INTEL_FIXED_SHIFT * i;
		proof->msr[vpmc_evtsel.nr + i] = MSR_CORE_PERF_FIXED_CTR0 + i;
		if (intel_fixed[i] == VPMC_EVTSEL_INSTRUCTIONS)
			proof->instructions |= BIT(vpmc_evtsel.nr + i);
		else
			proof->others |= BIT(vpmc_evtsel.nr + i);
	}
	if (i)
		vpmc_proof_add(proof, (struct vpmc_control){
			.msr = MSR_CORE_PERF_FIXED_CTR_CTRL,
			.count = control,
		});
}

static void __init intel_describe(struct vpmc_proof *proof)
{
	u64 global = intel_global_bits();
	unsigned int i;
	u32 counters;

	if (intel_version >= 2)
		vpmc_proof_add(proof, (struct vpmc_control){
			.msr = MSR_CORE_PERF_GLOBAL_OVF_CTRL,
			.count = global,
			.write_only = true,
		});
	intel_find_general(VPMC_EVTSEL_INSTRUCTIONS, &counters);
	vpmc_evtsel_describe(proof, counters);
	for (i = 0; i < vpmc_evtsel_pmu.nr_extra; i++)
		vpmc_proof_add(proof, (struct vpmc_control){
			.msr = MSR_OFFCORE_RSP_0 + i,
		});
	intel_describe_fixed(proof);
	if (intel_version >= 2)
		vpmc_proof_add(proof, (struct vpmc_control){
			.msr = MSR_CORE_PERF_GLOBAL_CTRL,
			.count = global,
		});
}

VPMC_FAMILY(intel);
