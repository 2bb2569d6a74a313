// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file drives the Pentium (P5, family 5), without and with MMX. It has two 40-bit
 * counters that one control register governs. Source of the registers and instructions:
 * Pentium Processor Family Developer's Manual, volume 3, chapters 16 and 26.
 *
 * Counters do not interrupt on overflow. Only the pins PM0 and PM1 show an overflow,
 * and the local APIC has no vector for it.
 *
 * The EBS socket, which VTune's users put below the processor, connects PM0 to the pin NMI, instead
 * of the motherboard's line. Then counter 0 can interrupt. The local APIC calls the pin NMI LINT1.
 */
#include <linux/bits.h>
#include <linux/cpufeature.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>

#include <asm/apicdef.h>
#include <asm/cpu_device_id.h>

#include "kernel/msr.h"
#include "pmu/pmu.h"
#include "p5_cesr.h"
#include "p5_errata.h"
#include "pair.h"

#define P5_MSR_CESR		0x11
#define P5_MSR_CTR(n)		(0x12 + (n))

/* This event counts executed instructions. */
#define P5_INSTRUCTIONS		0x16

#define P5_COUNTER_BITS		40
#define P5_COUNTER_MASK		(~0ULL >> (64 - P5_COUNTER_BITS))

static bool ebs_socket;
module_param(ebs_socket, bool, 0444);
MODULE_PARM_DESC(ebs_socket,
		 "The Pentium is in an EBS socket, which connects its pin PM0 to its pin NMI (N)");

/* These are the reserved bits of this processor's CESR, which keep their values. */
static DEFINE_PER_CPU(u32, p5_reserved);

static void p5_write_control(const struct vpmc_load *load)
{
	wrmsr(P5_MSR_CESR, __this_cpu_read(p5_reserved) | (u32)load->control,
	      0);
}

static bool p5_holds(u64 control)
{
	u32 low, high;

	rdmsr(P5_MSR_CESR, low, high);
	return (low & P5_CESR_DEFINED) == (u32)control;
}

static void p5_init_cpu(void)
{
	u32 low, high;

	rdmsr(P5_MSR_CESR, low, high);
	low &= ~P5_CESR_DEFINED;
	__this_cpu_write(p5_reserved, low);
	wrmsr(P5_MSR_CESR, low, 0);
}

static void p5_write_counter(unsigned int counter, u64 value)
{
	wrmsrq(P5_MSR_CTR(counter), value);
}

static void p5_write_counters(const u64 *value)
{
	p5_write_counter(0, value[0]);
	p5_write_counter(1, value[1]);
}

static enum vpmc_reason p5_find_counters(u64 code, u32 *counters)
{
	*counters = GENMASK(P5_NR_COUNTERS - 1, 0);
	return p5_check_code(code, P5_EVENTS);
}

/*
 * With the socket, an NMI comes for each event of counter 0 if the pin does not show overflows. So
 * let the pin always show overflows.
 */
static u64 p5_encode(const struct vpmc_event *event)
{
	return p5_cesr_encode(event) |
	       (ebs_socket && !event->counter ? P5_CESR_PIN : 0);
}

static u32 p5_counter_msr(unsigned int counter)
{
	return P5_MSR_CTR(counter);
}

static __always_inline u64 p5_rdmsr(unsigned int counter)
{
	u64 value;

	rdmsrq(P5_MSR_CTR(counter), value);
	return value;
}

static void p5_read_counters(u32 used, u64 *value)
{
	vpmc_pair_read(used, value, p5_rdmsr);
}

static void p5_exchange(unsigned long used, struct vpmc_counter *from,
			struct vpmc_counter *to)
{
	vpmc_pair_exchange(used, from, to, P5_COUNTER_MASK, p5_rdmsr);
}

static struct vpmc_pmu p5_pmu __ro_after_init = {
	.name = "p5",
	.nr_counters = P5_NR_COUNTERS,
	.rdpmc = { 0, 1 },
	.counter_bits = P5_COUNTER_BITS,
	.counter_mask = P5_COUNTER_MASK,
	.counter_msr = p5_counter_msr,
	.write_mask = P5_COUNTER_MASK,
	.find_counters = p5_find_counters,
	.encode = p5_encode,
	.init_cpu = p5_init_cpu,
	.write_control = p5_write_control,
	.holds = p5_holds,
	.read_counters = p5_read_counters,
	.exchange = p5_exchange,
	.write_counter = p5_write_counter,
	.write_counters = p5_write_counters,
};

static enum vpmc_reason p5_mmx_find_counters(u64 code, u32 *counters)
{
	*counters = GENMASK(P5_NR_COUNTERS - 1, 0);
	return p5_check_code(code, P5_EVENTS | P5_EVENTS_MMX);
}

/* Use RDPMC, which came with MMX, because it takes half the clocks of RDMSR. */
static __always_inline u64 p5_rdpmc(unsigned int counter)
{
	return native_read_pmc(counter);
}

static void p5_mmx_read_counters(u32 used, u64 *value)
{
	vpmc_pair_read(used, value, p5_rdpmc);
}

static void p5_mmx_exchange(unsigned long used, struct vpmc_counter *from,
			    struct vpmc_counter *to)
{
	vpmc_pair_exchange(used, from, to, P5_COUNTER_MASK, p5_rdpmc);
}

static struct vpmc_pmu p5_mmx_pmu __ro_after_init = {
	.name = "p5mmx",
	.nr_counters = P5_NR_COUNTERS,
	.rdpmc = { 0, 1 },
	.counter_bits = P5_COUNTER_BITS,
	.counter_mask = P5_COUNTER_MASK,
	.counter_msr = p5_counter_msr,
	.write_mask = P5_COUNTER_MASK,
	.features = VPMC_FEATURE_RDPMC,
	.find_counters = p5_mmx_find_counters,
	.encode = p5_encode,
	.init_cpu = p5_init_cpu,
	.write_control = p5_write_control,
	.holds = p5_holds,
	.read_counters = p5_mmx_read_counters,
	.exchange = p5_mmx_exchange,
	.write_counter = p5_write_counter,
	.write_counters = p5_write_counters,
};

/*
 * The models of family 5. Model 9 is missing because it is Quark, which has no
 * counters.
 */
static const struct x86_cpu_id p5_ids[] = {
	X86_MATCH_VENDOR_FAM_MODEL(INTEL, 5, 1, NULL),
	X86_MATCH_VENDOR_FAM_MODEL(INTEL, 5, 2, NULL),
	X86_MATCH_VENDOR_FAM_MODEL(INTEL, 5, 3, NULL),
	X86_MATCH_VENDOR_FAM_MODEL(INTEL, 5, 4, NULL),
	X86_MATCH_VENDOR_FAM_MODEL(INTEL, 5, 7, NULL),
	X86_MATCH_VENDOR_FAM_MODEL(INTEL, 5, 8, NULL),
	{}
};

static const char p5_no_socket[] =
	"the EBS socket is missing or does not join PM0 to NMI, so load vpmc without ebs_socket";

static void __init p5_put_into_socket(struct vpmc_pmu *pmu)
{
	pmu->interrupts = BIT(0);
	if (boot_cpu_has(X86_FEATURE_APIC))
		pmu->lvt = APIC_LVT1;
	pmu->no_interrupt = p5_no_socket;
}

static struct vpmc_pmu *__init p5_choose(void)
{
	if (!boot_cpu_has(X86_FEATURE_MMX))
		return &p5_pmu;
	if (p5_rdpmc_is_for_users(cpuid_eax(1)))
		p5_mmx_pmu.features |= VPMC_FEATURE_MAP;
	return &p5_mmx_pmu;
}

static const struct vpmc_pmu *__init p5_probe(const char **hidden)
{
	struct vpmc_pmu *pmu;

	if (!x86_match_cpu(p5_ids))
		return NULL;
	if (!boot_cpu_has(X86_FEATURE_MSR)) {
		*hidden = VPMC_NO_MSRS;
		return NULL;
	}
	pmu = p5_choose();
	if (ebs_socket)
		p5_put_into_socket(pmu);
	return pmu;
}

static void __init p5_describe(struct vpmc_proof *proof)
{
	struct vpmc_event event = {
		.code = P5_INSTRUCTIONS,
		.modes = VPMC_MODE_KERNEL,
	};
	struct vpmc_control cesr = {
		.msr = P5_MSR_CESR,
		.keep = (u32)~P5_CESR_DEFINED,
	};

	for (; event.counter < P5_NR_COUNTERS; event.counter++) {
		cesr.count |= p5_encode(&event);
		proof->msr[event.counter] = P5_MSR_CTR(event.counter);
		proof->instructions |= BIT(event.counter);
	}
	vpmc_proof_add(proof, cesr);
}

VPMC_FAMILY(p5);
