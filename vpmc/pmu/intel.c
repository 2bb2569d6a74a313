// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file drives Intel's architectural counters, versions 1 to 5. The counters with
 * an event select register come first, and the fixed counters after them. Source: Intel
 * 64 and IA-32 Architectures Software Developer's Manual, volume 3B, "Architectural
 * Performance Monitoring".
 */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/cpu.h>
#include <linux/cpufeature.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/percpu.h>

#include <asm/perf_event.h>

#include "kernel/msr.h"
#include "evtsel.h"
#include "intel_events.h"

/* Leaf 0AH, EAX and EDX. */
#define INTEL_LEAF		0x0a
#define INTEL_VERSION(eax)	((eax) & 0xff)
#define INTEL_COUNTERS(eax)	((eax) >> 8 & 0xff)
#define INTEL_BITS(eax)		((eax) >> 16 & 0xff)
#define INTEL_FIXED(edx)	((edx) & 0x1f)
#define INTEL_FIXED_BITS(edx)	((edx) >> 5 & 0xff)

/* Fields of IA32_FIXED_CTR_CTRL for each fixed counter. */
#define INTEL_FIXED_KERNEL	BIT_ULL(0)
#define INTEL_FIXED_USER	BIT_ULL(1)
#define INTEL_FIXED_INTERRUPT	BIT_ULL(3)
#define INTEL_FIXED_SHIFT	4

/*
 * The driver uses at most this number of counters with a select, so that all counters fit
 * into VPMC_MAX_COUNTERS.
 */
#define INTEL_MAX_GENERAL	16

/* RDPMC takes the number of a fixed counter with this bit set. */
#define INTEL_RDPMC_FIXED	BIT(30)

/*
 * This bit of IA32_PERF_CAPABILITIES says that MSR_IA32_PMC0 and the following addresses
 * can write all bits of a counter. Without this bit, a write sets the low 32 bits and
 * copies bit 31 to the upper bits.
 */
#define INTEL_FULL_WRITES	BIT_ULL(13)

#define INTEL_NR_FIXED		ARRAY_SIZE(intel_fixed)

/* The value of this processor's IA32_FIXED_CTR_CTRL. */
static DEFINE_PER_CPU(u64, intel_fixed_held);

/*
 * This says whether the control of the fixed counters or a response register may differ
 * from 0.
 */
static DEFINE_PER_CPU(bool, intel_holds_others);

/* This is true if this processor's fixed counters may differ from 0. */
static DEFINE_PER_CPU(bool, intel_fixed_dirty);

/*
 * These are the values of this processor's OFFCORE_RSP_0 and OFFCORE_RSP_1, and whether
 * one of the two may differ from 0.
 */
static DEFINE_PER_CPU(u64 [VPMC_MAX_EXTRA], intel_response_held);
static DEFINE_PER_CPU(bool, intel_responds);

static unsigned int intel_version __ro_after_init;

/* The bits of all counters in IA32_PERF_GLOBAL_OVF_CTRL */
static u64 intel_acknowledged __ro_after_init;

static const struct intel_uarch *intel_uarch __ro_after_init;

static enum vpmc_reason intel_find_general(u64 code, u32 *counters)
{
	enum vpmc_reason reason = vpmc_evtsel_find_counters(code, counters);

	if (boot_cpu_has(X86_FEATURE_TSX_FORCE_ABORT))
		*counters &= ~INTEL_ABORT_COUNTER;
	return reason ?: intel_constrain(intel_uarch, code, vpmc_evtsel.nr,
					 vpmc_evtsel_pmu.nr_extra, counters);
}

/* Find the extra register that @event needs. At least one counter can count its code. */
static enum vpmc_reason intel_find_extra(const struct vpmc_event *event,
					 u8 *extra)
{
	*extra = intel_find_constraint(intel_uarch, event->code)->extra;
	if (!*extra != !event->extra)
		return VPMC_REASON_MORE_REGISTERS;
	return event->extra & ~intel_uarch->response ?
		       VPMC_REASON_EXTRA_RESERVED : VPMC_REASON_NONE;
}

static enum vpmc_reason intel_find_counters(u64 code, u32 *counters)
{
	u32 fixed = intel_fixed_of(code, vpmc_evtsel_pmu.nr_fixed)
		    << vpmc_evtsel.nr;
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
	if (event->period)
		modes |= INTEL_FIXED_INTERRUPT;
	return modes << INTEL_FIXED_SHIFT * (event->counter - vpmc_evtsel.nr);
}

static void intel_write_fixed_control(u64 control)
{
	wrmsrq(MSR_CORE_PERF_FIXED_CTR_CTRL, control);
	__this_cpu_write(intel_fixed_held, control);
	if (control)
		__this_cpu_write(intel_fixed_dirty, true);
}

/*
 * Write the control of the fixed counters. Their selects are the last entries of
 * @load->select.
 */
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

/* Write the response registers. A register that no event needs is set to 0. */
static void intel_change_responses(const struct vpmc_load *load)
{
	const u64 *value = load->select;
	unsigned int i;
	u64 response;
	u32 used;

	/* Skip one select for each counter. hweight32() could become POPCNT. */
	for (used = load->used; used; used &= used - 1)
		value++;
	for (i = 0; i < vpmc_evtsel_pmu.nr_extra; i++) {
		response = load->extra ? value[i] : 0;
		if (__this_cpu_read(intel_response_held[i]) == response)
			continue;
		wrmsrq(MSR_OFFCORE_RSP_0 + i, response);
		__this_cpu_write(intel_response_held[i], response);
	}
	__this_cpu_write(intel_responds, load->extra);
}

/*
 * Write the fixed counters and the response registers. Most sets do not use them, and do
 * not follow a set that uses them.
 */
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
	/*
	 * Write the selects last, so that an event is not counted before its response
	 * register is set.
	 */
	vpmc_evtsel_write_control(load);
}

static void intel_write_fixed(unsigned int i, u64 value)
{
	wrmsrq(MSR_CORE_PERF_FIXED_CTR0 + i, value);
	__this_cpu_write(intel_fixed_dirty, true);
}

static u32 intel_counter_msr(unsigned int counter)
{
	if (counter < vpmc_evtsel.nr)
		return vpmc_evtsel_counter_msr(counter);
	return MSR_CORE_PERF_FIXED_CTR0 + counter - vpmc_evtsel.nr;
}

static void intel_write_counter(unsigned int counter, u64 value)
{
	if (counter < vpmc_evtsel.nr)
		vpmc_evtsel_write_counter(counter, value);
	else
		intel_write_fixed(counter - vpmc_evtsel.nr, value);
}

/*
 * Do not write the fixed counters if they are 0 and stay 0, because most tasks do not use
 * them.
 */
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
		wrmsrq(MSR_OFFCORE_RSP_0 + i, 0);
		__this_cpu_write(intel_response_held[i], 0);
	}
	__this_cpu_write(intel_responds, false);
}

/* Return the enable bits in the global register, which exists from version 2 on. */
static u64 intel_global_bits(void)
{
	if (vpmc_evtsel_pmu.leased)
		return vpmc_evtsel_own();
	return vpmc_evtsel.all | (BIT_ULL(vpmc_evtsel_pmu.nr_fixed) - 1) << 32;
}

/* Without this write, the bits of IA32_PERF_GLOBAL_STATUS stay set. */
static void intel_acknowledge(void)
{
	wrmsrq(MSR_CORE_PERF_GLOBAL_OVF_CTRL, intel_acknowledged);
}

static void intel_init_cpu(void)
{
	u64 counters = intel_global_bits();

	vpmc_evtsel_init_cpu();
	if (vpmc_evtsel_pmu.leased)
		return;
	intel_clear_responses();
	if (vpmc_evtsel_pmu.nr_fixed) {
		intel_write_fixed_control(0);
		__this_cpu_write(intel_fixed_dirty, true);
	}
	if (intel_version < 2)
		return;
	wrmsrq(MSR_CORE_PERF_GLOBAL_OVF_CTRL, counters);
	wrmsrq(MSR_CORE_PERF_GLOBAL_CTRL, counters);
}

static bool intel_holds_fixed(void)
{
	u64 control;

	rdmsrq(MSR_CORE_PERF_FIXED_CTR_CTRL, control);
	control ^= __this_cpu_read(intel_fixed_held);
	/* The higher bits belong to counters that the driver does not use. */
	return !(control & GENMASK_ULL(INTEL_FIXED_SHIFT * INTEL_NR_FIXED - 1, 0));
}

static bool intel_holds_responses(void)
{
	unsigned int i;
	u64 value;

	for (i = 0; i < vpmc_evtsel_pmu.nr_extra; i++) {
		rdmsrq(MSR_OFFCORE_RSP_0 + i, value);
		if (value != __this_cpu_read(intel_response_held[i]))
			return false;
	}
	return true;
}

static bool intel_holds(u64 control)
{
	u64 counters = intel_global_bits(), enabled = counters;

	lockdep_assert_irqs_disabled();
	if (intel_version >= 2)
		rdmsrq(MSR_CORE_PERF_GLOBAL_CTRL, enabled);
	return !(counters & ~enabled) &&
	       (!__this_cpu_read(intel_fixed_held) || intel_holds_fixed()) &&
	       (!__this_cpu_read(intel_responds) || intel_holds_responses()) &&
	       vpmc_evtsel_holds(control);
}

static bool __init intel_has_full_writes(void)
{
	u64 capabilities;

	return boot_cpu_has(X86_FEATURE_PDCM) &&
	       !rdmsrq_safe(MSR_IA32_PERF_CAPABILITIES, &capabilities) &&
	       capabilities & INTEL_FULL_WRITES;
}

/*
 * Use the fixed counters only if all fixed counters with an event are present, and are as
 * wide as the other counters.
 */
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
	pmu->counter_msr = intel_counter_msr;
	pmu->write_counters = intel_write_counters;
}

/*
 * Return how many response registers can be used. With SMT no response register can be used,
 * because the threads of a core share these registers. A hypervisor may hide them. This function
 * only reads the registers, because perf_event may be using them.
 */
static unsigned int __init intel_find_responses(void)
{
	unsigned int nr = intel_uarch->nr_responses, i;
	u64 value;

	if (cpu_smt_possible())
		return 0;
	for (i = 0; i < nr; i++) {
		if (rdmsrq_safe(MSR_OFFCORE_RSP_0 + i, &value))
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
	pmu->holds = intel_holds;
	if (intel_version >= 2)
		pmu->acknowledge = intel_acknowledge;
	intel_acknowledged = intel_global_bits();
	/* Another thread's event of perf_event could need another value in a response register. */
	if (vpmc_evtsel_lease())
		pmu->nr_extra = 0;
}

/*
 * Read CPUID leaf 0AH. Returns NULL, or the reason if it shows no counters. A hypervisor may hide
 * the counters.
 */
static const char *__init intel_find_leaf(u32 *eax, u32 *edx)
{
	u32 ebx, ecx;

	if (boot_cpu_data.cpuid_level < INTEL_LEAF)
		return "CPUID has no leaf 0AH" VPMC_REMEDY;
	cpuid(INTEL_LEAF, eax, &ebx, &ecx, edx);
	if (!INTEL_VERSION(*eax) || !INTEL_COUNTERS(*eax))
		return "CPUID leaf 0AH shows no counters" VPMC_REMEDY;
	if (INTEL_BITS(*eax) <= 32 || INTEL_BITS(*eax) > 63)
		return "CPUID leaf 0AH shows counters of a width that no processor has" VPMC_REMEDY;
	return NULL;
}

static const struct vpmc_pmu *__init intel_probe(const char **hidden)
{
	const struct intel_uarch *uarch =
		intel_find_uarch(boot_cpu_data.x86_model);
	u32 eax, edx;

	if (boot_cpu_data.x86_vendor != X86_VENDOR_INTEL ||
	    boot_cpu_data.x86 != INTEL_FAMILY || !uarch)
		return NULL;
	*hidden = intel_find_leaf(&eax, &edx);
	if (*hidden)
		return NULL;
	intel_uarch = uarch;
	intel_set_up(eax, edx);
	return &vpmc_evtsel_pmu;
}

/* The first fixed counter counts instructions, and the other fixed counters count clocks. */
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

static void __init intel_describe_general(struct vpmc_proof *proof)
{
	u32 counters;

	intel_find_general(VPMC_EVTSEL_INSTRUCTIONS, &counters);
	vpmc_evtsel_describe(proof, counters);
}

static void __init intel_describe(struct vpmc_proof *proof)
{
	u64 global = intel_global_bits();
	unsigned int i;

	if (vpmc_evtsel_pmu.leased) {
		intel_describe_general(proof);
		return;
	}
	if (intel_version >= 2)
		vpmc_proof_add(proof, (struct vpmc_control){
			.msr = MSR_CORE_PERF_GLOBAL_OVF_CTRL,
			.count = global,
			.write_only = true,
		});
	intel_describe_general(proof);
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
