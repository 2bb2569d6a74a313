/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares access to the hardware counters of the current processor: their
 * events, and the values that were cleared.
 */
#ifndef VPMC_CPU_H
#define VPMC_CPU_H

#include <linux/jump_label.h>
#include <linux/percpu.h>

#include <asm/apic.h>

#include "cpu/epoch.h"
#include "cpu/events.h"
#include "pmu/pmu.h"

/*
 * This is the PMU of this machine's family. It is set before all other calls, and then
 * constant.
 */
extern const struct vpmc_pmu *vpmc_pmu;

/*
 * This says whether the driver has the counters. If it does not, perf may have them, and
 * this code does not write to them. Only reserve.c writes this flag.
 */
extern bool vpmc_cpu_owned;

/* This is the value of this processor's control register. Only vpmc_cpu_load() uses this. */
DECLARE_PER_CPU(u64, vpmc_cpu_control);

/*
 * This is true if the value of the control register counts kernel mode. Only
 * vpmc_cpu_counts_kernel() uses this.
 */
DECLARE_PER_CPU(bool, vpmc_cpu_kernel);

/* Only vpmc_cpu_refuses_rdpmc() uses this. */
DECLARE_PER_CPU(bool, vpmc_cpu_refuses);

/* Only vpmc_cpu_permits_rdpmc() uses this. */
DECLARE_PER_CPU(bool, vpmc_cpu_permits);

/*
 * This says whether it is proved that this processor's counters count and that its
 * registers are accessible. This code does not write to the registers before the proof.
 * Only prove.c writes this flag.
 */
DECLARE_PER_CPU(bool, vpmc_cpu_proved);

/*
 * This says whether a counter of any processor has overflowed without an interrupt. Only prove.c
 * writes this flag.
 */
extern bool vpmc_cpu_silent;

/* This says whether the module parameter test_seed is set. Only vpmc_cpu_load() uses this. */
DECLARE_STATIC_KEY_FALSE(vpmc_cpu_seeded);

/* Only vpmc_cpu_change() uses this. */
bool vpmc_cpu_change_kernel(const struct vpmc_load *load);

/**
 * vpmc_cpu_change() - let this processor count other events
 * @load: the registers' values for the events to count
 *
 * Context: interrupts off.
 * Return: true if the previous events include kernel mode, so that this function has
 * changed the counters since they were read.
 */
static inline bool vpmc_cpu_change(const struct vpmc_load *load)
{
	if (unlikely(load->kernel || __this_cpu_read(vpmc_cpu_kernel)))
		return vpmc_cpu_change_kernel(load);
	vpmc_pmu->write_control(load);
	__this_cpu_write(vpmc_cpu_control, load->control);
	return false;
}

/*
 * Set the counters in @begin, and their values in @now, to the value of test_seed. Only
 * vpmc_cpu_load() uses this.
 */
void vpmc_cpu_seed(u32 begin, u64 *now);

/**
 * vpmc_cpu_load() - let this processor count events
 * @load: the registers' values for the events to count
 * @begin: the counters that the caller is about to use
 * @now: the values of these counters, as just read; updated if they have changed since
 *
 * The control register is written only if its value must change. It keeps its value
 * when a thread stops, because the next task often counts the same events.
 *
 * Context: interrupts off.
 */
static inline void vpmc_cpu_load(const struct vpmc_load *load, u32 begin,
				 u64 *now)
{
	if (__this_cpu_read(vpmc_cpu_control) != load->control &&
	    vpmc_cpu_change(load))
		vpmc_pmu->read_counters(begin, now);
	if (static_branch_unlikely(&vpmc_cpu_seeded))
		vpmc_cpu_seed(begin, now);
}

/* Return whether vpmc_cpu_load() of @load would change nothing. Interrupts off. */
static inline bool vpmc_cpu_has_loaded(const struct vpmc_load *load)
{
	return __this_cpu_read(vpmc_cpu_control) == load->control &&
	       !static_branch_unlikely(&vpmc_cpu_seeded);
}

/* Return whether this processor counts kernel mode at present. Interrupts off. */
static inline bool vpmc_cpu_counts_kernel(void)
{
	return __this_cpu_read(vpmc_cpu_kernel);
}

/*
 * Set CR4.PCE, unless perf's attribute "rdpmc" forbids it, or clear it, for a task
 * whose mm is allowed to execute RDPMC in user mode. vpmc_cpu_load() clears it when
 * it begins to count kernel mode. Interrupts off.
 */
void vpmc_cpu_permit_rdpmc(bool permit);

/* Return whether the driver has cleared CR4.PCE and has not set it again. Interrupts off. */
static inline bool vpmc_cpu_refuses_rdpmc(void)
{
	return __this_cpu_read(vpmc_cpu_refuses);
}

/*
 * Return whether the driver itself is setting CR4.PCE, which calls the kernel's hook.
 * Interrupts off.
 */
static inline bool vpmc_cpu_permits_rdpmc(void)
{
	return __this_cpu_read(vpmc_cpu_permits);
}

/* Return the value of a counter after the low 32 bits of @count were written to it. */
static inline u64 vpmc_cpu_low_bits(u64 count)
{
	u32 low = count;

	return (s32)low < 0 ? low | vpmc_pmu->sign_extension : low;
}

/*
 * Set all counters to zero. In system mode, their values are kept for
 * vpmc_cpu_add_cleared(). Interrupts off.
 */
void vpmc_cpu_clear(void);

/* Count nothing until the next vpmc_cpu_load(). Interrupts off. */
void vpmc_cpu_stop(void);

/*
 * Return whether this processor's registers still hold the values that the driver wrote
 * last. If another program has written to them, log an error. Interrupts off; the driver
 * has the counters.
 */
bool vpmc_cpu_is_intact(void);

/*
 * Convert @now, which was just read, into the values that the counters would have if
 * vpmc_cpu_clear() had never been called in system mode. Interrupts off.
 */
void vpmc_cpu_add_cleared(u64 *now);

/*
 * Stop and clear this processor's counters, if the driver has them and has proved that
 * they work. Interrupts off.
 */
void vpmc_cpu_reset(void);

/* Return the counters that interrupt when they overflow, one bit each. */
u32 vpmc_cpu_interrupts(void);

/* Return the counters on which @code can have VPMC_MODE_PRECISE, one bit each. Any context. */
static inline u32 vpmc_cpu_find_precise(u64 code)
{
	return vpmc_pmu->find_precise ? vpmc_pmu->find_precise(code) : 0;
}

/*
 * Unmask the interrupt of overflows on this processor. Most processors mask the interrupt
 * when they deliver it. Preemption off.
 */
static inline void vpmc_cpu_unmask(void)
{
#ifdef CONFIG_X86_LOCAL_APIC
	if (likely(vpmc_pmu->lvt))
		apic->write(vpmc_pmu->lvt, APIC_DM_NMI);
#endif
}

/* Apply the module parameters. May sleep. */
void vpmc_cpu_init(void);

#endif /* VPMC_CPU_H */
