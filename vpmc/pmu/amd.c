// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file drives AMD's counters: four since the K7, six with PERFCTR_CORE. Source:
 * AMD64 Architecture Programmer's Manual, volume 2, "Performance Monitoring Counters";
 * for the global registers, "Performance Monitoring Version 2".
 */
#include <linux/bits.h>
#include <linux/cpufeature.h>

#include <asm/cpu_device_id.h>

#include "kernel/msr.h"
#include "amd_events.h"
#include "evtsel.h"

#define AMD_COUNTERS		4
#define AMD_COUNTERS_CORE	6
#define AMD_COUNTER_BITS	48
#define AMD_COUNTER_MASK	GENMASK_ULL(AMD_COUNTER_BITS - 1, 0)

/* EBX of leaf 80000022H holds the number of counters of version 2. */
#define AMD_LEAF		0x80000022
#define AMD_V2_COUNTERS(ebx)	((ebx) & 0xf)

static bool amd_is_v2 __ro_after_init;

static enum vpmc_reason amd_find_counters(u64 code, u32 *counters)
{
	return vpmc_evtsel_find_counters(code & ~AMD_EVENT_HIGH, counters) ?:
	       amd_constrain(boot_cpu_data.x86, code, counters);
}

static void amd_init_cpu(void)
{
	u64 counters = GENMASK_ULL(vpmc_evtsel.nr - 1, 0);

	vpmc_evtsel_init_cpu();
	if (!amd_is_v2 || vpmc_evtsel_pmu.leased)
		return;
	wrmsrq(MSR_AMD64_PERF_CNTR_GLOBAL_STATUS_CLR, counters);
	wrmsrq(MSR_AMD64_PERF_CNTR_GLOBAL_CTL, counters);
}

static void amd_acknowledge(void)
{
	wrmsrq(MSR_AMD64_PERF_CNTR_GLOBAL_STATUS_CLR, vpmc_evtsel.all);
}

/* Version 2 also has a global register with an enable bit for each counter. */
static bool amd_holds(u64 control)
{
	u64 enabled = vpmc_evtsel.all;

	if (amd_is_v2)
		rdmsrq(MSR_AMD64_PERF_CNTR_GLOBAL_CTL, enabled);
	return !(vpmc_evtsel_own() & ~enabled) && vpmc_evtsel_holds(control);
}

/* The families are K7; K8 and 10H to 12H; 14H to 16H; and Zen. */
static const struct x86_cpu_id amd_ids[] = {
	X86_MATCH_VENDOR_FAM(AMD, 0x06, NULL),
	X86_MATCH_VENDOR_FAM(AMD, 0x0f, NULL),
	X86_MATCH_VENDOR_FAM(AMD, 0x10, NULL),
	X86_MATCH_VENDOR_FAM(AMD, 0x11, NULL),
	X86_MATCH_VENDOR_FAM(AMD, 0x12, NULL),
	X86_MATCH_VENDOR_FAM(AMD, 0x14, NULL),
	X86_MATCH_VENDOR_FAM(AMD, 0x15, NULL),
	X86_MATCH_VENDOR_FAM(AMD, 0x16, NULL),
	X86_MATCH_VENDOR_FAM(AMD, 0x17, NULL),
	X86_MATCH_VENDOR_FAM(AMD, 0x19, NULL),
	X86_MATCH_VENDOR_FAM(AMD, 0x1a, NULL),
	{}
};

/* With PERFCTR_CORE, the select and the counter have adjacent addresses. */
static const struct vpmc_evtsel amd_core __initconst = {
	.select = MSR_F15H_PERF_CTL,
	.counter = MSR_F15H_PERF_CTR,
	.stride = 2,
};

static const struct vpmc_evtsel amd_legacy __initconst = {
	.select = MSR_K7_EVNTSEL0,
	.counter = MSR_K7_PERFCTR0,
	.stride = 1,
};

static unsigned int __init amd_nr_core_counters(void)
{
	if (!amd_is_v2)
		return AMD_COUNTERS_CORE;
	return AMD_V2_COUNTERS(cpuid_ebx(AMD_LEAF));
}

static void __init amd_set_up(void)
{
	bool is_core = boot_cpu_has(X86_FEATURE_PERFCTR_CORE);
	struct vpmc_pmu *pmu = &vpmc_evtsel_pmu;

	amd_is_v2 = boot_cpu_has(X86_FEATURE_PERFMON_V2);
	vpmc_evtsel = is_core ? amd_core : amd_legacy;
	pmu->name = "amd";
	vpmc_evtsel_set_counters(is_core ? amd_nr_core_counters() :
					   AMD_COUNTERS);
	pmu->counter_bits = AMD_COUNTER_BITS;
	pmu->counter_mask = AMD_COUNTER_MASK;
	pmu->find_counters = amd_find_counters;
	pmu->init_cpu = amd_init_cpu;
	pmu->holds = amd_holds;
	if (amd_is_v2)
		pmu->acknowledge = amd_acknowledge;
	vpmc_evtsel_lease();
}

static const struct vpmc_pmu *__init amd_probe(const char **hidden)
{
	if (!x86_match_cpu(amd_ids))
		return NULL;
	if (!boot_cpu_has(X86_FEATURE_MSR)) {
		*hidden = VPMC_NO_MSRS;
		return NULL;
	}
	amd_set_up();
	if (vpmc_evtsel_pmu.nr_counters)
		return &vpmc_evtsel_pmu;
	*hidden = "CPUID leaf 80000022H shows no counters" VPMC_REMEDY;
	return NULL;
}

static void __init amd_describe(struct vpmc_proof *proof)
{
	const bool global = amd_is_v2 && !vpmc_evtsel_pmu.leased;
	u32 counters = vpmc_evtsel.all;

	if (global)
		vpmc_proof_add(proof, (struct vpmc_control){
			.msr = MSR_AMD64_PERF_CNTR_GLOBAL_STATUS_CLR,
			.count = counters,
			.write_only = true,
		});
	vpmc_evtsel_describe(proof, counters);
	if (global)
		vpmc_proof_add(proof, (struct vpmc_control){
			.msr = MSR_AMD64_PERF_CNTR_GLOBAL_CTL,
			.count = counters,
		});
}

VPMC_FAMILY(amd);
