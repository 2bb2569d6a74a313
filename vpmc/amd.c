// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMD's counters: four since the K7, six with PERFCTR_CORE. Source: AMD64
 * Architecture Programmer's Manual, volume 2, "Performance Monitoring Counters";
 * of the global registers, "Performance Monitoring Version 2" there.
 *
 * Family 15H is left out: which of its counters an event needs depends on its unit
 * mask, too.
 */
#include <linux/bits.h>
#include <linux/cpufeature.h>

#include <asm/cpu_device_id.h>
#include <asm/cpuid.h>
#include <asm/msr.h>

#include "evtsel.h"

#define AMD_COUNTERS		4
#define AMD_COUNTERS_CORE	6
#define AMD_COUNTER_BITS	48
#define AMD_COUNTER_MASK	GENMASK_ULL(AMD_COUNTER_BITS - 1, 0)

/* Leaf 80000022H, EBX: how many counters version 2 has. */
#define AMD_LEAF		0x80000022
#define AMD_V2_COUNTERS(ebx)	((ebx) & 0xf)

/* Before Zen: what the northbridge counts for all cores of a node. */
#define AMD_EVENT		0xff
#define AMD_NORTHBRIDGE		0xe0

static bool amd_is_v2 __ro_after_init;

static enum vpmc_reason amd_find_counters(u32 code, u32 *counters)
{
	enum vpmc_reason reason = vpmc_evtsel_find_counters(code, counters);

	if (!reason && boot_cpu_data.x86 < 0x17 &&
	    (code & AMD_EVENT) >= AMD_NORTHBRIDGE)
		return VPMC_REASON_UNKNOWN_EVENT;
	return reason;
}

static void amd_init_cpu(void)
{
	u64 counters = GENMASK_ULL(vpmc_evtsel.nr - 1, 0);

	vpmc_evtsel_init_cpu();
	if (!amd_is_v2)
		return;
	wrmsrl(MSR_AMD64_PERF_CNTR_GLOBAL_STATUS_CLR, counters);
	wrmsrl(MSR_AMD64_PERF_CNTR_GLOBAL_CTL, counters);
}

static u32 amd_features(void)
{
	return VPMC_FEATURE_RDPMC;
}

static struct vpmc_pmu amd_pmu __ro_after_init = {
	.name = "amd",
	.counter_bits = AMD_COUNTER_BITS,
	.counter_mask = AMD_COUNTER_MASK,
	.writable = AMD_COUNTER_MASK,
	.reserve = vpmc_evtsel_reserve,
	.release = vpmc_evtsel_release,
	.features = amd_features,
	.selects = true,
	.find_counters = amd_find_counters,
	.encode = vpmc_evtsel_encode,
	.init_cpu = amd_init_cpu,
	.write_control = vpmc_evtsel_write_control,
	.read_counters = vpmc_evtsel_read_counters,
	.exchange = vpmc_evtsel_exchange,
	.write_counter = vpmc_evtsel_write_counter,
};

/* K7; K8, 10H to 12H; 14H, 16H; Zen. */
static const struct x86_cpu_id amd_ids[] = {
	X86_MATCH_VENDOR_FAM(AMD, 0x06, NULL),
	X86_MATCH_VENDOR_FAM(AMD, 0x0f, NULL),
	X86_MATCH_VENDOR_FAM(AMD, 0x10, NULL),
	X86_MATCH_VENDOR_FAM(AMD, 0x11, NULL),
	X86_MATCH_VENDOR_FAM(AMD, 0x12, NULL),
	X86_MATCH_VENDOR_FAM(AMD, 0x14, NULL),
	X86_MATCH_VENDOR_FAM(AMD, 0x16, NULL),
	X86_MATCH_VENDOR_FAM(AMD, 0x17, NULL),
	X86_MATCH_VENDOR_FAM(AMD, 0x19, NULL),
	X86_MATCH_VENDOR_FAM(AMD, 0x1a, NULL),
	{}
};

static void __init amd_describe_core(void)
{
	amd_is_v2 = boot_cpu_has(X86_FEATURE_PERFMON_V2);
	vpmc_evtsel = (struct vpmc_evtsel){
		.nr = AMD_COUNTERS_CORE,
		.mask = AMD_COUNTER_MASK,
		.select = MSR_F15H_PERF_CTL,
		.counter = MSR_F15H_PERF_CTR,
		.stride = 2,
	};
	if (amd_is_v2)
		vpmc_evtsel.nr = AMD_V2_COUNTERS(cpuid_ebx(AMD_LEAF));
}

static void __init amd_describe(void)
{
	vpmc_evtsel = (struct vpmc_evtsel){
		.nr = AMD_COUNTERS,
		.mask = AMD_COUNTER_MASK,
		.select = MSR_K7_EVNTSEL0,
		.counter = MSR_K7_PERFCTR0,
		.stride = 1,
	};
}

const struct vpmc_pmu *__init vpmc_amd_probe(void)
{
	if (!x86_match_cpu(amd_ids) || !boot_cpu_has(X86_FEATURE_MSR))
		return NULL;
	if (boot_cpu_has(X86_FEATURE_PERFCTR_CORE))
		amd_describe_core();
	else
		amd_describe();
	amd_pmu.nr_counters = vpmc_evtsel.nr;
	return &amd_pmu;
}
