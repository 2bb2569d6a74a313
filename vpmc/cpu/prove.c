// SPDX-License-Identifier: GPL-2.0-only
/* This file proves that a processor's counters count. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitops.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/smp.h>

#include <asm/asm.h>
#include <asm/trapnr.h>

#include "cpu/cpu.h"
#include "kernel/kernel.h"
#include "cpu/prove.h"
#include "kernel/msr.h"

/*
 * These are the numbers of rounds of the two loops that are counted, and the number of instructions
 * in each round.
 */
#define PROVE_SHORT		500
#define PROVE_LONG		2000
#define PROVE_ROUND		2
#define PROVE_WANTED		((PROVE_LONG - PROVE_SHORT) * PROVE_ROUND)

/*
 * A count may be wrong by PROVE_SLACK. If a counter is wrong, it is tried again, up to PROVE_TRIES
 * times.
 */
#define PROVE_SLACK		(PROVE_WANTED / 256)
#define PROVE_TRIES		16

/* Counters begin PROVE_BEFORE_WRAP below their wrap. Each loop is longer than this. */
#define PROVE_BEFORE_WRAP	500

/* The wait for the interrupt of an overflow takes this number of long loops. */
#define PROVE_WAITS		1000

enum prove_what {
	PROVE_WORKS,
	PROVE_READ_FAULTS,
	PROVE_WRITE_FAULTS,
	PROVE_RDPMC_INVALID,
	PROVE_RDPMC_FAULTS,
	PROVE_FORGETS,
	PROVE_RDPMC_DIFFERS,
	PROVE_STANDS_STILL,
	PROVE_MISCOUNTS,
	PROVE_SILENT,
};

/**
 * struct prove_finding - a fault of a processor
 * @what: the kind of failure
 * @where: number of the register or of the counter
 * @got: the value that was found
 * @wanted: the value that is right
 */
struct prove_finding {
	enum prove_what what;
	u32 where;
	u64 got;
	u64 wanted;
};

static struct vpmc_proof prove_how __ro_after_init;

static DEFINE_PER_CPU(struct prove_finding, prove_found);

/* This says whether the proof still waits for the interrupt of an overflow. */
static DEFINE_PER_CPU(bool, prove_waits);

/*
 * These are the processors that have failed since they came online. A message was printed for each.
 */
static struct cpumask prove_failed;

static enum cpuhp_state prove_hotplug_state;

static bool prove_fail(enum prove_what what, u32 where, u64 got, u64 wanted)
{
	__this_cpu_write(prove_found.what, what);
	__this_cpu_write(prove_found.where, where);
	__this_cpu_write(prove_found.got, got);
	__this_cpu_write(prove_found.wanted, wanted);
	return false;
}

static bool prove_is_silent(unsigned int cpu)
{
	return per_cpu(prove_found.what, cpu) == PROVE_SILENT;
}

static u32 prove_counters(void)
{
	return prove_how.instructions | prove_how.others;
}

/*
 * Read a counter by RDPMC, which may fault. The fix-up leaves the number of the
 * exception in EAX.
 */
static bool prove_rdpmc(unsigned int counter, u64 *value)
{
	u32 low, high = 0;
	int failed = 1;

	asm volatile("1:\trdpmc\n\t"
		     "xorl	%0, %0\n"
		     "2:\n"
		     _ASM_EXTABLE_FAULT(1b, 2b)
		     : "+r" (failed), "=a" (low), "+d" (high)
		     : "c" (vpmc_pmu->rdpmc[counter]));
	*value = (u64)high << 32 | low;
	if (!failed)
		return true;
	return prove_fail(low == X86_TRAP_UD ? PROVE_RDPMC_INVALID :
					       PROVE_RDPMC_FAULTS,
			  counter, 0, 0);
}

static bool prove_rdmsr(u32 msr, u64 *value)
{
	*value = 0;
	return !rdmsrq_safe(msr, value) ||
	       prove_fail(PROVE_READ_FAULTS, msr, 0, 0);
}

static bool prove_wrmsr(u32 msr, u64 value)
{
	return !wrmsrq_safe(msr, value) ||
	       prove_fail(PROVE_WRITE_FAULTS, msr, 0, value);
}

/* Read a counter by RDMSR and RDPMC, and compare the two values. */
static bool prove_read(unsigned int counter, u64 *value)
{
	u64 by_rdpmc;

	if (!prove_rdmsr(prove_how.msr[counter], value))
		return false;
	*value &= vpmc_pmu->counter_mask;
	if (!(vpmc_pmu->features & VPMC_FEATURE_RDPMC))
		return true;
	if (!prove_rdpmc(counter, &by_rdpmc))
		return false;
	by_rdpmc &= vpmc_pmu->counter_mask;
	return by_rdpmc == *value ||
	       prove_fail(PROVE_RDPMC_DIFFERS, counter, by_rdpmc, *value);
}

/*
 * Check that a counter can be read. The two values are not compared, because perf_event
 * may be counting.
 */
static bool prove_can_read(unsigned int counter)
{
	u64 unused;

	if (!prove_rdmsr(prove_how.msr[counter], &unused))
		return false;
	return !(vpmc_pmu->features & VPMC_FEATURE_RDPMC) ||
	       prove_rdpmc(counter, &unused);
}

/* Read all registers. @old receives the values of the control registers. */
static bool prove_read_all(u64 *old)
{
	unsigned int i;
	u32 left;

	for (left = prove_counters(); left; left &= left - 1) {
		if (!prove_can_read(__ffs(left)))
			return false;
	}
	for (i = 0; i < prove_how.nr_controls; i++) {
		if (!prove_how.control[i].write_only &&
		    !prove_rdmsr(prove_how.control[i].msr, &old[i]))
			return false;
	}
	return true;
}

static bool prove_start(const u64 *old, bool interrupt)
{
	const struct vpmc_control *c = prove_how.control;
	unsigned int i;

	for (i = 0; i < prove_how.nr_controls; i++, c++) {
		if (!prove_wrmsr(c->msr, (old[i] & c->keep) | c->count |
						 (interrupt ? c->interrupt : 0)))
			return false;
	}
	return true;
}

static bool prove_stop(const u64 *old)
{
	const struct vpmc_control *c;
	unsigned int i;

	for (i = prove_how.nr_controls; i-- > 0; ) {
		c = &prove_how.control[i];
		if (!prove_wrmsr(c->msr, c->write_only ? c->count :
							 old[i] & c->keep))
			return false;
	}
	return true;
}

/*
 * Return the value of a counter after @value was written. Some processors use only the
 * low 32 bits, and copy bit 31 to the upper bits.
 */
static u64 prove_shown(u64 value)
{
	return vpmc_pmu->sign_extension ? vpmc_cpu_low_bits(value) :
					  value & vpmc_pmu->counter_mask;
}

/* Write a counter. Fixed counters take all bits, even if other counters take only 32. */
static bool prove_write(unsigned int counter, u64 value)
{
	const bool fixed = counter >= vpmc_pmu->nr_counters - vpmc_pmu->nr_fixed;

	return prove_wrmsr(prove_how.msr[counter],
			   vpmc_pmu->sign_extension && !fixed ?
				   (u32)value : prove_shown(value));
}

/*
 * Write a different rotation of @pattern to each counter, and check that all counters can
 * be read back.
 */
static bool prove_holds(u64 pattern)
{
	u64 now, wanted;
	u32 left;
	int i;

	for (left = prove_counters(); left; left &= left - 1) {
		i = __ffs(left);
		if (!prove_write(i, rol64(pattern, i)))
			return false;
	}
	for (left = prove_counters(); left; left &= left - 1) {
		i = __ffs(left);
		wanted = prove_shown(rol64(pattern, i));
		if (!prove_read(i, &now))
			return false;
		if (now != wanted)
			return prove_fail(PROVE_FORGETS, i, now, wanted);
	}
	return true;
}

static bool prove_hold(void)
{
	const u64 pattern = 0x0123456789abcdefULL;

	return prove_holds(pattern) && prove_holds(~pattern) && prove_holds(0);
}

/*
 * Execute PROVE_ROUND instructions in each round. The number of other instructions does
 * not depend on @rounds.
 */
static void prove_loop(unsigned long rounds)
{
	asm volatile("1:\tdec	%0\n\t"
		     "jnz	1b"
		     : "+r" (rounds) : : "cc");
}

/* Let all counters count a loop, and the instructions that start and stop them. */
static bool prove_run(const u64 *old, unsigned long rounds, u64 *count)
{
	const u64 begin = -PROVE_BEFORE_WRAP;
	u32 left;
	int i;

	for (left = prove_counters(); left; left &= left - 1) {
		if (!prove_write(__ffs(left), begin))
			return false;
	}
	if (!prove_start(old, false))
		return false;
	prove_loop(rounds);
	if (!prove_stop(old))
		return false;
	for (left = prove_counters(); left; left &= left - 1) {
		i = __ffs(left);
		if (!prove_read(i, &count[i]))
			return false;
		count[i] = (count[i] - begin) & vpmc_pmu->counter_mask;
	}
	return true;
}

/* Check the difference of two counts. If it is wrong, the caller may try again. */
static bool prove_compare(unsigned int counter, u64 few, u64 many)
{
	const bool instructions = prove_how.instructions & BIT(counter);
	const s64 error = many - few - PROVE_WANTED;

	if (!many || !few)
		return prove_fail(PROVE_STANDS_STILL, counter, 0, 0);
	return !instructions || (error >= -PROVE_SLACK && error <= PROVE_SLACK) ||
	       prove_fail(PROVE_MISCOUNTS, counter, many - few, PROVE_WANTED);
}

static bool prove_count(const u64 *old)
{
	u64 few[VPMC_MAX_COUNTERS], many[VPMC_MAX_COUNTERS];
	u32 wrong = prove_counters(), left;
	unsigned int tries;

	for (tries = 0; tries < PROVE_TRIES && wrong; tries++) {
		if (!prove_run(old, PROVE_SHORT, few) ||
		    !prove_run(old, PROVE_LONG, many))
			return false;
		for (left = wrong; left; left &= left - 1) {
			/* Keep the first counter that is wrong as the finding. */
			if (!prove_compare(__ffs(left), few[__ffs(left)],
					   many[__ffs(left)]))
				break;
			wrong &= ~BIT(__ffs(left));
		}
	}
	return !wrong;
}

bool vpmc_prove_nmi(void)
{
	if (!__this_cpu_read(prove_waits))
		return false;
	__this_cpu_write(prove_waits, false);
	return true;
}

/* Wait for the interrupt of an overflow. A hypervisor may need some time for it. */
static bool prove_wait(void)
{
	unsigned int left;

	for (left = PROVE_WAITS; left && READ_ONCE(*this_cpu_ptr(&prove_waits)); left--)
		prove_loop(PROVE_LONG);
	return left;
}

/*
 * Let a counter overflow, and check whether the interrupt comes. If it does not come, the counters
 * can be used without it, unless the user has said that it comes.
 */
static bool prove_interrupt(const u64 *old)
{
	u32 counters = vpmc_cpu_interrupts();
	bool came;

	if (!counters)
		return true;
	vpmc_cpu_unmask();
	/* If the interrupt comes too late, its handler still finds this flag set. */
	__this_cpu_write(prove_waits, true);
	came = prove_write(__ffs(counters), -PROVE_BEFORE_WRAP) &&
	       prove_start(old, true) && prove_wait();
	if (!prove_stop(old))
		return false;
	return came || prove_fail(PROVE_SILENT, __ffs(counters), 0, 0);
}

/*
 * Restore the registers. Even after a failure, this writes all registers that can be
 * written.
 */
static void prove_put_back(const u64 *old)
{
	const struct vpmc_control *c = prove_how.control;
	unsigned int i;
	u32 left;

	for (left = prove_counters(); left; left &= left - 1)
		wrmsrq_safe(prove_how.msr[__ffs(left)], 0);
	for (i = 0; i < prove_how.nr_controls; i++, c++)
		wrmsrq_safe(c->msr, c->write_only ? c->count : old[i]);
}

static void prove_cpu(void *unused)
{
	u64 old[VPMC_MAX_CONTROLS] = { 0 };
	bool works;

	lockdep_assert_irqs_disabled();
	if (!prove_read_all(old))
		return;
	/* Without this, perf would later set the counters that it has used to zero. */
	if (vpmc_pmu->reserve)
		perf_clear_dirty_counters();
	works = prove_stop(old) && prove_hold() && prove_count(old);
	if (works) {
		__this_cpu_write(prove_found.what, PROVE_WORKS);
		works = prove_interrupt(old) ||
			(prove_is_silent(smp_processor_id()) && !vpmc_pmu->no_interrupt);
	}
	prove_put_back(old);
	__this_cpu_write(vpmc_cpu_proved, works);
}

static void prove_look_cpu(void *unused)
{
	u64 old[VPMC_MAX_CONTROLS];

	prove_read_all(old);
}

static void prove_say(const struct prove_finding *f, char *text, size_t size)
{
	switch (f->what) {
	case PROVE_READ_FAULTS:
		snprintf(text, size, "RDMSR of register %xh raises #GP",
			 f->where);
		break;
	case PROVE_WRITE_FAULTS:
		snprintf(text, size, "WRMSR of %llxh to register %xh raises #GP",
			 f->wanted, f->where);
		break;
	case PROVE_RDPMC_INVALID:
		snprintf(text, size, "RDPMC is an invalid opcode");
		break;
	case PROVE_RDPMC_FAULTS:
		snprintf(text, size, "RDPMC of counter %u raises #GP",
			 f->where);
		break;
	case PROVE_FORGETS:
		snprintf(text, size,
			 "counter %u shows %llxh where %llxh was written",
			 f->where, f->got, f->wanted);
		break;
	case PROVE_RDPMC_DIFFERS:
		snprintf(text, size,
			 "counter %u shows %llxh by RDPMC and %llxh by RDMSR",
			 f->where, f->got, f->wanted);
		break;
	case PROVE_STANDS_STILL:
		snprintf(text, size, "counter %u stands still", f->where);
		break;
	case PROVE_SILENT:
		snprintf(text, size, "an overflow of counter %u does not interrupt",
			 f->where);
		break;
	default:
		snprintf(text, size, "counter %u counts %lld of %lld instructions",
			 f->where, f->got, f->wanted);
		break;
	}
}

static int prove_report(unsigned int cpu)
{
	char text[80];

	prove_say(per_cpu_ptr(&prove_found, cpu), text, sizeof(text));
	pr_err("the counters of processor %u cannot be used: %s%s%s\n", cpu, text,
	       prove_is_silent(cpu) ? "; " : VPMC_REMEDY,
	       prove_is_silent(cpu) ? vpmc_pmu->no_interrupt : "");
	return -EIO;
}

/* Let samples be refused, because processor @cpu works except for its interrupt. */
static void prove_note_silent(unsigned int cpu)
{
	if (vpmc_cpu_silent)
		return;
	WRITE_ONCE(vpmc_cpu_silent, true);
	pr_warn("samples at events are refused: an overflow of counter %u of processor %u does not interrupt; let the emulator or hypervisor emulate LVTPC, or take samples at ticks\n",
		per_cpu(prove_found.where, cpu), cpu);
}

void __init vpmc_prove_refuse(const char *found)
{
	pr_err("the counters cannot be used: %s\n", found);
}

static int prove_run_on(const struct cpumask *cpus, smp_call_func_t function)
{
	unsigned int cpu;

	on_each_cpu_mask(cpus, function, NULL, 1);
	for_each_cpu(cpu, cpus) {
		if (per_cpu(prove_found.what, cpu) == PROVE_WORKS)
			continue;
		if (prove_is_silent(cpu) && per_cpu(vpmc_cpu_proved, cpu)) {
			prove_note_silent(cpu);
			continue;
		}
		cpumask_set_cpu(cpu, &prove_failed);
		return prove_report(cpu);
	}
	return 0;
}

int vpmc_prove_look(void)
{
	int err;

	cpus_read_lock();
	err = prove_run_on(cpu_online_mask, prove_look_cpu);
	cpus_read_unlock();
	return err;
}

/* The lock of reserve.c serializes calls, so a static mask is enough. */
int vpmc_prove_all(void)
{
	static struct cpumask unproved;
	unsigned int cpu;

	if (cpumask_intersects(&prove_failed, cpu_online_mask))
		return -EIO;
	cpumask_clear(&unproved);
	for_each_online_cpu(cpu) {
		if (!per_cpu(vpmc_cpu_proved, cpu))
			cpumask_set_cpu(cpu, &unproved);
	}
	return prove_run_on(&unproved, prove_cpu);
}

/*
 * Prove a processor that comes online. Its registers have lost their contents, so it does
 * not count.
 */
static int prove_come(unsigned int cpu)
{
	bool works = true;

	cpumask_clear_cpu(cpu, &prove_failed);
	/*
	 * An interrupt must not give the counters back between the test and the reset.
	 */
	local_irq_disable();
	__this_cpu_write(prove_found.what, PROVE_WORKS);
	__this_cpu_write(vpmc_cpu_proved, false);
	if (READ_ONCE(vpmc_cpu_owned)) {
		prove_cpu(NULL);
		works = __this_cpu_read(vpmc_cpu_proved);
	}
	vpmc_cpu_reset();
	/* The interrupt of a processor that comes online is masked. */
	if (vpmc_cpu_interrupts())
		vpmc_cpu_unmask();
	local_irq_enable();
	if (!works) {
		prove_report(cpu);
		return -ENODEV;
	}
	if (prove_is_silent(cpu))
		prove_note_silent(cpu);
	return 0;
}

/* Reset a processor that goes offline, or all processors when the module is unloaded. */
static int prove_go(unsigned int cpu)
{
	local_irq_disable();
	vpmc_cpu_reset();
	local_irq_enable();
	return 0;
}

void __init vpmc_prove_describe(void (*describe)(struct vpmc_proof *proof))
{
	describe(&prove_how);
}

int vpmc_prove_init(void)
{
	int state;

	state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "vpmc:online",
				  prove_come, prove_go);
	if (state < 0)
		return state;
	prove_hotplug_state = state;
	return 0;
}

void vpmc_prove_exit(void)
{
	cpuhp_remove_state(prove_hotplug_state);
}
