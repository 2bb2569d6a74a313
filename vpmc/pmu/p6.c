// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file drives the P6 family (Pentium Pro, II, III), which has two counters, each
 * with a select. Source: Intel Architecture Software Developer's Manual, volume 3
 * (1999), chapter 15.6 and appendix A.
 *
 * A counter has 40 bits. A write sets the low 32 bits and copies bit 31 to the upper
 * bits. Bit 22 of the first select enables both counters.
 */
#include <linux/bits.h>
#include <linux/cpufeature.h>
#include <linux/kernel.h>

#include <asm/apicdef.h>
#include <asm/cpu_device_id.h>

#include "kernel/msr.h"
#include "evtsel.h"
#include "p6_events.h"
#include "pair.h"

#define P6_COUNTER_BITS		40
#define P6_COUNTER_MASK		(~0ULL >> (64 - P6_COUNTER_BITS))

/* Counter 1's select is the upper half of a control value. */
#define P6_CONTROL_SHIFT	32

static void p6_write_control(const struct vpmc_load *load)
{
	/* Write the first select last, because it enables both counters. */
	wrmsr(MSR_P6_EVNTSEL1, (u32)(load->control >> P6_CONTROL_SHIFT), 0);
	wrmsr(MSR_P6_EVNTSEL0, (u32)load->control, 0);
}

static bool p6_holds(u64 control)
{
	u32 first, second, high;

	rdmsr(MSR_P6_EVNTSEL0, first, high);
	rdmsr(MSR_P6_EVNTSEL1, second, high);
	return first == (u32)control &&
	       second == (u32)(control >> P6_CONTROL_SHIFT);
}

static void p6_init_cpu(void)
{
	static const struct vpmc_load nothing;

	p6_write_control(&nothing);
}

/* A @value may have more than 32 bits if its upper bits are copies of bit 31. */
static void p6_write_counter(unsigned int counter, u64 value)
{
	wrmsr(MSR_P6_PERFCTR0 + counter, (u32)value, 0);
}

static void p6_write_counters(const u64 *value)
{
	p6_write_counter(0, value[0]);
	p6_write_counter(1, value[1]);
}

static __always_inline u64 p6_rdpmc(unsigned int counter)
{
	return native_read_pmc(counter);
}

static void p6_read_counters(u32 used, u64 *value)
{
	vpmc_pair_read(used, value, p6_rdpmc);
}

static void p6_exchange(unsigned long used, struct vpmc_counter *from,
			struct vpmc_counter *to)
{
	vpmc_pair_exchange(used, from, to, P6_COUNTER_MASK, p6_rdpmc);
}

static enum vpmc_reason p6_find_counters(u64 code, u32 *counters)
{
	*counters = GENMASK(VPMC_PAIR_COUNTERS - 1, 0);
	return p6_constrain(code, counters) ?: vpmc_evtsel_check(code);
}

/* Set the enable bit in the first select, even if @event uses the second counter. */
static u64 p6_encode(const struct vpmc_event *event)
{
	return vpmc_evtsel_of(event) << P6_CONTROL_SHIFT * event->counter |
	       VPMC_EVTSEL_ENABLE;
}

static const struct vpmc_pmu p6_pmu = {
	.name = "p6",
	.nr_counters = VPMC_PAIR_COUNTERS,
	.rdpmc = { 0, 1 },
	.counter_bits = P6_COUNTER_BITS,
	.counter_mask = P6_COUNTER_MASK,
	.sign_extension = P6_COUNTER_MASK & ~(u64)U32_MAX,
	.features = VPMC_FEATURE_RDPMC | VPMC_FEATURE_MAP,
	.interrupts = U32_MAX,
	.lvt = APIC_LVTPC,
	.counter_msr = vpmc_evtsel_counter_msr,
	.write_mask = U32_MAX,
	.reserve = vpmc_evtsel_reserve,
	.release = vpmc_evtsel_release,
	.find_counters = p6_find_counters,
	.encode = p6_encode,
	.init_cpu = p6_init_cpu,
	.write_control = p6_write_control,
	.holds = p6_holds,
	.read_counters = p6_read_counters,
	.exchange = p6_exchange,
	.write_counter = p6_write_counter,
	.write_counters = p6_write_counters,
};

/*
 * These are the models without architectural counters. Later models of family 6 have such counters.
 */
static const struct x86_cpu_id p6_ids[] = {
	X86_MATCH_VENDOR_FAM_MODEL(INTEL, 6, 1, NULL),
	X86_MATCH_VENDOR_FAM_MODEL(INTEL, 6, 3, NULL),
	X86_MATCH_VENDOR_FAM_MODEL(INTEL, 6, 5, NULL),
	X86_MATCH_VENDOR_FAM_MODEL(INTEL, 6, 6, NULL),
	X86_MATCH_VENDOR_FAM_MODEL(INTEL, 6, 7, NULL),
	X86_MATCH_VENDOR_FAM_MODEL(INTEL, 6, 8, NULL),
	X86_MATCH_VENDOR_FAM_MODEL(INTEL, 6, 10, NULL),
	X86_MATCH_VENDOR_FAM_MODEL(INTEL, 6, 11, NULL),
	{}
};

static const struct vpmc_pmu *__init p6_probe(const char **hidden)
{
	if (!x86_match_cpu(p6_ids))
		return NULL;
	if (!boot_cpu_has(X86_FEATURE_MSR)) {
		*hidden = VPMC_NO_MSRS;
		return NULL;
	}
	vpmc_evtsel = (struct vpmc_evtsel){
		.select = MSR_P6_EVNTSEL0,
		.counter = MSR_P6_PERFCTR0,
		.stride = 1,
	};
	return &p6_pmu;
}

static void __init p6_describe(struct vpmc_proof *proof)
{
	const struct vpmc_event event = {
		.code = VPMC_EVTSEL_INSTRUCTIONS,
		.modes = VPMC_MODE_KERNEL,
	};
	int i;

	/* Write the first select last, because it enables both counters. */
	for (i = VPMC_PAIR_COUNTERS - 1; i >= 0; i--) {
		vpmc_proof_add(proof, (struct vpmc_control){
			.msr = MSR_P6_EVNTSEL0 + i,
			.count = vpmc_evtsel_of(&event) |
				 (i ? 0 : VPMC_EVTSEL_ENABLE),
			.interrupt = i ? 0 : VPMC_EVTSEL_INTERRUPT,
		});
		proof->msr[i] = MSR_P6_PERFCTR0 + i;
		proof->instructions |= BIT(i);
	}
}

VPMC_FAMILY(p6);
