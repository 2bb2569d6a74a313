/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The hardware counters of the current processor: what they count, and what was
 * cleared in them.
 */
#ifndef VPMC_CPU_H
#define VPMC_CPU_H

#include <linux/jump_label.h>
#include <linux/errno.h>
#include <linux/percpu.h>

#include "cpu/events.h"
#include "pmu/pmu.h"

/* This machine's family; set before anything else runs, then constant. */
extern const struct vpmc_pmu *vpmc_pmu;

/*
 * The driver has the counters. While it has not, they may be perf's, and nothing
 * here writes to them. Only reserve.c writes it.
 */
extern bool vpmc_cpu_owned;

/*
 * The epoch: a number that changes when system mode begins, when it ends, and when the
 * counters are taken from all. Odd while threads cannot count, never 0. Only system.c
 * writes it, under its lock. Each process copies it when one of its threads starts, and its
 * threads count only while this copy, which each of them has as @run, is the present number.
 */
extern unsigned int vpmc_epoch;

/* For how many calls of vpmc_system_hold() threads cannot count. Likewise. */
extern unsigned int vpmc_epoch_holds;

static inline bool vpmc_epoch_is_system(unsigned int epoch)
{
	return epoch & 1;
}

/* Why a start of threads fails in such an epoch. */
static inline int vpmc_epoch_refusal(void)
{
	return READ_ONCE(vpmc_epoch_holds) ? -EADDRINUSE : -EBUSY;
}

/* What this processor's control register holds. For vpmc_cpu_load(). */
DECLARE_PER_CPU(u64, vpmc_cpu_control);

/* Does this value count kernel mode? Only for vpmc_cpu_counts_kernel(). */
DECLARE_PER_CPU(bool, vpmc_cpu_kernel);

/* Only for vpmc_cpu_refuses_rdpmc(). */
DECLARE_PER_CPU(bool, vpmc_cpu_refuses);

/* Only for vpmc_cpu_permits_rdpmc(). */
DECLARE_PER_CPU(bool, vpmc_cpu_permits);

/*
 * This processor's counters count, and its registers can be accessed. Nothing here
 * writes to them before. Only prove.c writes it.
 */
DECLARE_PER_CPU(bool, vpmc_cpu_proved);

/* The module parameter test_seed is set. For vpmc_cpu_load(). */
DECLARE_STATIC_KEY_FALSE(vpmc_cpu_seeded);

/* Only for vpmc_cpu_change(). */
bool vpmc_cpu_change_kernel(const struct vpmc_load *load);

/**
 * vpmc_cpu_change() - let this processor count something else
 * @load: what to count
 *
 * Context: interrupts off.
 * Return: true if what it counted before includes this function, so that the
 * counters have changed since they were read.
 */
static inline bool vpmc_cpu_change(const struct vpmc_load *load)
{
	if (unlikely(load->kernel || __this_cpu_read(vpmc_cpu_kernel)))
		return vpmc_cpu_change_kernel(load);
	vpmc_pmu->write_control(load);
	__this_cpu_write(vpmc_cpu_control, load->control);
	return false;
}

/* A rare step of vpmc_cpu_load(), as documented there. */
void vpmc_cpu_seed(u32 begin, u64 *now);

/**
 * vpmc_cpu_load() - let this processor count something
 * @load: what to count
 * @begin: the counters that begin with it
 * @now: these counters, as just read; updated if they have changed since
 *
 * The control register is written only if its value must change. When nobody
 * counts it is left alone: the next task often counts the same.
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

/* Does vpmc_cpu_load() of @load change nothing? Interrupts off. */
static inline bool vpmc_cpu_has_loaded(const struct vpmc_load *load)
{
	return __this_cpu_read(vpmc_cpu_control) == load->control &&
	       !static_branch_unlikely(&vpmc_cpu_seeded);
}

/* Does this processor count kernel mode at present? Interrupts off. */
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

/* Has CR4.PCE been cleared, and not set again since? Interrupts off. */
static inline bool vpmc_cpu_refuses_rdpmc(void)
{
	return __this_cpu_read(vpmc_cpu_refuses);
}

/*
 * Is the kernel's hook called because the driver sets CR4.PCE itself? Interrupts
 * off.
 */
static inline bool vpmc_cpu_permits_rdpmc(void)
{
	return __this_cpu_read(vpmc_cpu_permits);
}

/* What a counter shows when the low 32 bits of @count were written to it. */
static inline u64 vpmc_cpu_low_bits(u64 count)
{
	u32 low = count;

	return (s32)low < 0 ? low | vpmc_pmu->sign_extension : low;
}

/*
 * Set all counters to zero. System mode keeps what they showed, see
 * vpmc_cpu_add_cleared(). Interrupts off.
 */
void vpmc_cpu_clear(void);

/* Count nothing until the next vpmc_cpu_load(). Interrupts off. */
void vpmc_cpu_stop(void);

/*
 * Does this processor still hold what was written to its registers last? If another
 * program has written to them, the kernel's log says so. Interrupts off; the driver has
 * the counters.
 */
bool vpmc_cpu_is_intact(void);

/*
 * Turn @now, which was just read, into what the counters would show if
 * vpmc_cpu_clear() had never been called in system mode. Interrupts off.
 */
void vpmc_cpu_add_cleared(u64 *now);

/*
 * Set up this processor's registers, if the driver has them and they are proved to
 * work, so that nothing counts and the counters show nothing of what they counted.
 * Interrupts off.
 */
void vpmc_cpu_reset(void);

/* Take over the module's parameters. May sleep. */
void vpmc_cpu_init(void);

#endif /* VPMC_CPU_H */
