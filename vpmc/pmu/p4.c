// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file drives the counters of the Pentium 4. Each of the 18 counters has a CCCR, which selects
 * one of the counter's ESCRs (p4_events.h). Source: Intel 64 and IA-32 Architectures Software
 * Developer's Manual, volume 3B, "Performance Monitoring (Processors Based on Intel NetBurst
 * Microarchitecture)".
 *
 * A select has the value of the CCCR in its upper half and the value of the ESCR in its lower half.
 * It also has the index of the ESCR, in bits that CCCRs reserve.
 */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/cpu.h>
#include <linux/cpufeature.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/percpu.h>
#include <linux/smp.h>

#include <asm/cpu_entry_area.h>

#include "kernel/msr.h"
#include "evtsel.h"
#include "p4_events.h"

#define P4_FAMILY		15
#define P4_COUNTER_BITS		40

#define P4_CCCR_ENABLE		BIT(12)
/*
 * With these bits, counters count with any number of active threads. Older models reserve the bits,
 * and require them to be set.
 */
#define P4_CCCR_THREADS		GENMASK(17, 16)
#define P4_CCCR_INTERRUPT	BIT(26)
#define P4_CCCR_CASCADE		BIT(30)
#define P4_CCCR_OVERFLOW	BIT(31)

/* A select has the index of the ESCR at these bits of the CCCR. */
#define P4_SELECT_ESCR		GENMASK(7, 0)

/* IA32_PEBS_ENABLE has this bit set if replay tags are used. */
#define P4_TAG_REPLAYS		BIT(24)

/* IA32_PEBS_ENABLE has this bit set if a counter leaves precise records. */
#define P4_PRECISE		BIT(25)

#define P4_ALL			GENMASK(P4_NR_COUNTERS - 1, 0)

/**
 * struct p4_record - the processor's record of an instruction
 * @flags: EFLAGS
 * @ip: its linear address
 * @registers: the general registers
 */
struct p4_record {
	unsigned long flags;
	unsigned long ip;
	unsigned long registers[IS_ENABLED(CONFIG_X86_64) ? 16 : 8];
};

/**
 * struct p4_store - the memory to which a processor writes records
 * @branches: for records of branches; not used
 * @base: address of the first record
 * @index: address of the next record
 * @maximum: address of the byte after @end
 * @threshold: the processor interrupts when @index reaches this address
 * @reset: the value from which the counter goes on when it has overflowed; 0, as for all other
 *	counters
 * @record: the records. Only the first one is used, because it is taken before the counter can
 *	overflow again. The manual requires @threshold to be several records before @maximum.
 * @end: not used. The manual requires @maximum - @base to be a multiple of the size of a record,
 *	plus 1.
 *
 * The processor writes in user mode, too. So the store is in the page that the kernel reserves for
 * it and maps in the page tables of user mode, also with page table isolation.
 */
struct p4_store {
	unsigned long branches[4];
	unsigned long base;
	unsigned long index;
	unsigned long maximum;
	unsigned long threshold;
	u64 reset;
	struct p4_record record[4];
	u8 end;
};

static_assert(sizeof(struct p4_store) <= sizeof(struct debug_store));

static unsigned int p4_model __ro_after_init;

/* These are the values of this processor's CCCRs, ESCRs, and the two registers of replay tags. */
static DEFINE_PER_CPU(u32 [P4_NR_COUNTERS], p4_cccr_held);
static DEFINE_PER_CPU(u32 [P4_NR_ESCRS], p4_escr_held);
static DEFINE_PER_CPU(u64, p4_replays_held);

/* These are the counters and ESCRs of this processor whose values may differ from 0. */
static DEFINE_PER_CPU(u32, p4_used);
static DEFINE_PER_CPU(u64, p4_escrs_used);

/* These are the counters that may differ from 0. */
static DEFINE_PER_CPU(u32, p4_dirty);

static enum vpmc_reason p4_find_counters(u64 code, u32 *counters)
{
	return p4_constrain(code, p4_model, counters);
}

/*
 * Only replay_event needs the registers of replay tags. With a complemented comparison, a counter
 * also counts clocks of modes that the ESCR excludes.
 */
static enum vpmc_reason p4_find_extra(const struct vpmc_event *event, u8 *extra)
{
	const u16 all = VPMC_MODE_USER | VPMC_MODE_KERNEL;
	u32 counters;

	p4_find_counters(event->code, &counters);
	*extra = p4_needs_replays(event->code, counters);
	if (!*extra != !event->extra)
		return VPMC_REASON_MORE_REGISTERS;
	if (event->extra & ~P4_EXTRA_BITS)
		return VPMC_REASON_EXTRA_RESERVED;
	return p4_counts_clocks(event->code) && event->modes != all ? VPMC_REASON_MODES :
								     VPMC_REASON_NONE;
}

static u64 p4_encode(const struct vpmc_event *event)
{
	u32 cccr = (event->code & P4_CODE_CCCR) >> 32 | P4_CCCR_THREADS;
	u64 escr;

	p4_shared(event, &escr);
	cccr |= event->modes & VPMC_MODE_CASCADE ? P4_CCCR_CASCADE : P4_CCCR_ENABLE;
	if (event->period && !(event->modes & (VPMC_MODE_PRECISE | VPMC_MODE_CASCADE)))
		cccr |= P4_CCCR_INTERRUPT;
	cccr |= p4_escr_index(event->code, event->counter);
	return (u64)cccr << 32 | escr;
}

/* An NMI that comes in between writes the values that are stored now: see p4_acknowledge(). */
static void p4_write_cccr(unsigned long counter, u32 cccr)
{
	__this_cpu_write(p4_cccr_held[counter], cccr);
	barrier();
	wrmsr(MSR_P4_BPU_CCCR0 + counter, cccr, 0);
}

static void p4_write_escr(unsigned long index, u32 escr)
{
	wrmsr(p4_escr_msr(index), escr, 0);
	__this_cpu_write(p4_escr_held[index], escr);
}

static struct p4_store *p4_find_store(void)
{
	return (void *)&get_cpu_entry_area(smp_processor_id())->cpu_debug_store;
}

/* Let the processor write a record to an empty store, and interrupt then. */
static void p4_prepare_store(void)
{
	struct p4_store *store = p4_find_store();
	const unsigned long base = (unsigned long)store->record;

	*store = (struct p4_store){
		.base = base,
		.index = base,
		.maximum = base + sizeof(store->record) + 1,
		.threshold = base + sizeof(store->record[0]),
	};
	wrmsrq(MSR_IA32_DS_AREA, (unsigned long)store);
}

static u64 p4_take_precise(void)
{
	struct p4_store *store = p4_find_store();

	if (READ_ONCE(store->index) == store->base)
		return 0;
	WRITE_ONCE(store->index, store->base);
	return READ_ONCE(store->record[0].ip);
}

/*
 * The kernel maps the store only if it has code for processors of Intel. A virtual machine's page
 * tables do not map it, but the processor would use its address there, too. With DTES64 the fields
 * have 64 bits in each mode.
 */
static bool p4_has_store(void)
{
	return IS_ENABLED(CONFIG_CPU_SUP_INTEL) && boot_cpu_has(X86_FEATURE_PEBS) &&
	       !boot_cpu_has(X86_FEATURE_VMX) &&
	       (IS_ENABLED(CONFIG_X86_64) || !boot_cpu_has(X86_FEATURE_DTES64));
}

static u32 p4_find_precise(u64 code)
{
	u32 counters;

	if (!p4_has_store())
		return 0;
	p4_find_counters(code, &counters);
	return p4_precise_counters(code, counters);
}

/* Return the value that IA32_PEBS_ENABLE needs for @value of the extra register. */
static u32 p4_pebs_enable(u64 value)
{
	const u32 enable = value;

	return enable & P4_EXTRA_ENABLE ? enable | P4_TAG_REPLAYS : enable;
}

static void p4_write_replays(u64 value)
{
	if (value & P4_PRECISE)
		p4_prepare_store();
	wrmsr(MSR_P4_PEBS_MATRIX_VERT, (u32)(value >> 32), 0);
	wrmsr(MSR_IA32_PEBS_ENABLE, p4_pebs_enable(value), 0);
	__this_cpu_write(p4_replays_held, value);
}

static __always_inline u32 p4_cccr_of(u64 select)
{
	return (select >> 32) & ~P4_SELECT_ESCR;
}

/*
 * Disable all counters but those that keep their CCCR. Otherwise an old counter would count kernel
 * mode while an ESCR that it shares with an event of kernel mode has been written already.
 */
static noinline void p4_disable_others(const struct vpmc_load *load)
{
	const u32 used = load->used, before = __this_cpu_read(p4_used);
	const u64 *next = load->select;
	u32 left, held;

	for (left = before & ~used; left; left &= left - 1)
		p4_write_cccr(__ffs(left), 0);
	__this_cpu_write(p4_used, before & used);
	for (left = used; left; left &= left - 1) {
		held = __this_cpu_read(p4_cccr_held[__ffs(left)]);
		if (held && held != p4_cccr_of(*next))
			p4_write_cccr(__ffs(left), 0);
		next++;
	}
}

/* Write the registers of a counter if they change. Returns the ESCR's index. */
static __always_inline unsigned int p4_select(unsigned long counter, u64 select)
{
	const u32 cccr = p4_cccr_of(select);
	const unsigned int index = (select >> 32) & P4_SELECT_ESCR;

	if (__this_cpu_read(p4_escr_held[index]) != (u32)select)
		p4_write_escr(index, select);
	if (__this_cpu_read(p4_cccr_held[counter]) != cccr)
		p4_write_cccr(counter, cccr);
	return index;
}

/* An ESCR that is not in use any more would continue to set tags for other events. */
static void p4_clear(u32 counters, u64 escrs)
{
	unsigned int i;

	for (; counters; counters &= counters - 1)
		p4_write_cccr(__ffs(counters), 0);
	for (i = 0; escrs; i++, escrs >>= 1) {
		if (escrs & 1)
			p4_write_escr(i, 0);
	}
}

/* Write only registers that change. */
static void p4_write_control(const struct vpmc_load *load)
{
	const u32 used = load->used;
	const u64 *next = load->select;
	u64 escrs = 0, replays;
	u32 left, before;

	lockdep_assert_irqs_disabled();
	if (unlikely(load->kernel))
		p4_disable_others(load);
	before = __this_cpu_read(p4_used);
	__this_cpu_write(p4_used, used | before);
	for (left = used; left; left &= left - 1)
		escrs |= BIT_ULL(p4_select(__ffs(left), *next++));
	replays = load->extra ? *next : 0;
	if (load->precise)
		replays |= P4_PRECISE;
	if (unlikely(__this_cpu_read(p4_replays_held) != replays))
		p4_write_replays(replays);
	p4_clear(before & ~used, __this_cpu_read(p4_escrs_used) & ~escrs);
	__this_cpu_write(p4_used, used);
	__this_cpu_write(p4_escrs_used, escrs);
	__this_cpu_or(p4_dirty, used);
}

static void p4_init_cpu(void)
{
	unsigned int i;

	lockdep_assert_irqs_disabled();
	for (i = 0; i < P4_NR_COUNTERS; i++)
		p4_write_cccr(i, 0);
	for (i = 0; i < P4_NR_ESCRS; i++) {
		if (p4_has_escr(i, p4_model))
			p4_write_escr(i, 0);
	}
	p4_write_replays(0);
	__this_cpu_write(p4_used, 0);
	__this_cpu_write(p4_escrs_used, 0);
	__this_cpu_write(p4_dirty, P4_ALL);
}

static bool p4_holds_escrs(void)
{
	u64 left = __this_cpu_read(p4_escrs_used);
	u32 low, high;
	unsigned int i;

	for (i = 0; left; i++, left >>= 1) {
		if (!(left & 1))
			continue;
		rdmsr(p4_escr_msr(i), low, high);
		if (low != __this_cpu_read(p4_escr_held[i]))
			return false;
	}
	return true;
}

static bool p4_holds_replays(void)
{
	const u64 held = __this_cpu_read(p4_replays_held);
	u32 enable, matrix, high;

	rdmsr(MSR_IA32_PEBS_ENABLE, enable, high);
	rdmsr(MSR_P4_PEBS_MATRIX_VERT, matrix, high);
	return enable == p4_pebs_enable(held) && matrix == held >> 32;
}

/*
 * A counter that is to be started by another one has the bit "enable" or not. The overflow flag is
 * not compared.
 */
static bool p4_holds_cccr(unsigned long counter)
{
	const u32 held = __this_cpu_read(p4_cccr_held[counter]);
	u32 differs, low, high;

	rdmsr(MSR_P4_BPU_CCCR0 + counter, low, high);
	differs = (low ^ held) & ~P4_CCCR_OVERFLOW;
	return !differs || (held & P4_CCCR_CASCADE && differs == P4_CCCR_ENABLE);
}

static bool p4_holds(u64 control)
{
	u32 left;

	lockdep_assert_irqs_disabled();
	for (left = __this_cpu_read(p4_used); left; left &= left - 1) {
		if (!p4_holds_cccr(__ffs(left)))
			return false;
	}
	return p4_holds_escrs() && (!__this_cpu_read(p4_replays_held) || p4_holds_replays());
}

/*
 * Clear the overflow flags of counters that interrupt. Otherwise these counters interrupt again at
 * once. After a precise record, the manual requires the counter to be enabled again.
 */
static void p4_acknowledge(void)
{
	const bool precise = __this_cpu_read(p4_replays_held) & P4_PRECISE;
	u32 left, cccr;

	for (left = __this_cpu_read(p4_used); left; left &= left - 1) {
		cccr = __this_cpu_read(p4_cccr_held[__ffs(left)]);
		if (cccr & P4_CCCR_INTERRUPT ||
		    (precise && __ffs(left) == P4_PRECISE_COUNTER))
			wrmsr(MSR_P4_BPU_CCCR0 + __ffs(left), cccr, 0);
	}
}

static void p4_write_counter(unsigned int counter, u64 value)
{
	vpmc_evtsel_write_counter(counter, value);
	__this_cpu_or(p4_dirty, BIT(counter));
}

/* Only counters in use get a value other than 0. Do not write counters that are 0 and stay 0. */
static void p4_write_counters(const u64 *value)
{
	u32 left;

	for (left = __this_cpu_read(p4_dirty); left; left &= left - 1)
		vpmc_evtsel_write_counter(__ffs(left), value[__ffs(left)]);
	__this_cpu_write(p4_dirty, __this_cpu_read(p4_used));
}

static void __init p4_set_up(void)
{
	struct vpmc_pmu *pmu = &vpmc_evtsel_pmu;

	p4_model = boot_cpu_data.x86_model;
	vpmc_evtsel = (struct vpmc_evtsel){
		.select = MSR_P4_BPU_CCCR0,
		.counter = MSR_P4_BPU_PERFCTR0,
		.stride = 1,
	};
	pmu->name = "p4";
	vpmc_evtsel_set_counters(P4_NR_COUNTERS);
	pmu->counter_bits = P4_COUNTER_BITS;
	pmu->counter_mask = GENMASK_ULL(P4_COUNTER_BITS - 1, 0);
	pmu->nr_extra = 1;
	pmu->find_counters = p4_find_counters;
	pmu->find_extra = p4_find_extra;
	pmu->sharing = &p4_sharing;
	pmu->find_precise = p4_find_precise;
	pmu->take_precise = p4_take_precise;
	pmu->encode = p4_encode;
	pmu->init_cpu = p4_init_cpu;
	pmu->write_control = p4_write_control;
	pmu->holds = p4_holds;
	pmu->acknowledge = p4_acknowledge;
	pmu->write_counter = p4_write_counter;
	pmu->write_counters = p4_write_counters;
}

/* Return the reason why the counters cannot be used, or NULL. */
static const char *__init p4_find_obstacle(void)
{
	u64 enabled;

	if (!boot_cpu_has(X86_FEATURE_MSR))
		return VPMC_NO_MSRS;
	if (rdmsrq_safe(MSR_IA32_MISC_ENABLE, &enabled) ||
	    !(enabled & MSR_IA32_MISC_ENABLE_EMON))
		return "IA32_MISC_ENABLE shows no counters" VPMC_REMEDY;
	/* Both threads of a core would write to the same ESCRs and CCCRs. */
	if (cpu_smt_possible())
		return "the threads of a core share them: start the kernel with nosmt=force";
	return NULL;
}

static const struct vpmc_pmu *__init p4_probe(const char **hidden)
{
	if (boot_cpu_data.x86_vendor != X86_VENDOR_INTEL || boot_cpu_data.x86 != P4_FAMILY)
		return NULL;
	*hidden = p4_find_obstacle();
	if (*hidden)
		return NULL;
	p4_set_up();
	return &vpmc_evtsel_pmu;
}

/*
 * These are the events that the groups count in the proof. Group 3 counts instructions. The other
 * groups count clocks, by an event that never exceeds the threshold.
 */
static const u64 p4_proof_codes[P4_NR_GROUPS] __initconst = {
	P4_CODE(0x13, 1, 6) | P4_CODE_CLOCKS,
	P4_CODE(0x05, 1, 0) | P4_CODE_CLOCKS,
	P4_CODE(0x04, 1, 1) | P4_CODE_CLOCKS,
	P4_CODE(P4_INSTRUCTIONS, 1, 4),
};

static u64 __init p4_proof_select(unsigned int counter)
{
	const struct vpmc_event event = {
		.code = p4_proof_codes[p4_group_of(counter)],
		.counter = counter,
		.modes = VPMC_MODE_KERNEL,
	};

	return p4_encode(&event);
}

static void __init p4_describe_escrs(struct vpmc_proof *proof)
{
	u32 escr[P4_NR_ESCRS] = { 0 };
	unsigned int i;
	u64 select;

	for (i = 0; i < P4_NR_COUNTERS; i++) {
		select = p4_proof_select(i);
		escr[(select >> 32) & P4_SELECT_ESCR] = select;
	}
	for (i = 0; i < P4_NR_ESCRS; i++) {
		if (p4_has_escr(i, p4_model))
			vpmc_proof_add(proof, (struct vpmc_control){
				.msr = p4_escr_msr(i),
				.count = escr[i],
			});
	}
}

static void __init p4_describe(struct vpmc_proof *proof)
{
	unsigned int i;

	p4_describe_escrs(proof);
	vpmc_proof_add(proof, (struct vpmc_control){ .msr = MSR_P4_PEBS_MATRIX_VERT });
	vpmc_proof_add(proof, (struct vpmc_control){ .msr = MSR_IA32_PEBS_ENABLE });
	if (p4_has_store())
		vpmc_proof_add(proof, (struct vpmc_control){
			.msr = MSR_IA32_DS_AREA,
			.keep = ~0ULL,
		});
	for (i = 0; i < P4_NR_COUNTERS; i++) {
		vpmc_proof_add(proof, (struct vpmc_control){
			.msr = MSR_P4_BPU_CCCR0 + i,
			.count = (p4_proof_select(i) >> 32) & ~P4_SELECT_ESCR,
			.interrupt = i ? 0 : P4_CCCR_INTERRUPT,
		});
		proof->msr[i] = MSR_P4_BPU_PERFCTR0 + i;
	}
	proof->instructions = p4_counters[P4_RETIREMENT_GROUP];
	proof->others = P4_ALL & ~proof->instructions;
}

VPMC_FAMILY(p4);
