// SPDX-License-Identifier: GPL-2.0-only
/* This file decides what RDPMC shows in user mode. */
#include <linux/lockdep.h>
#include <linux/mm_types.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/uaccess.h>

#include <asm/ptrace.h>
#include <asm/tlbflush.h>

#include "cpu/cpu.h"
#include "kernel/kernel.h"
#include "cpu/rdpmc.h"

void vpmc_rdpmc_hide(void)
{
	bool system = vpmc_epoch_is_system(READ_ONCE(vpmc_epoch));

	lockdep_assert_irqs_disabled();
	if (!READ_ONCE(vpmc_cpu_owned))
		return;
	if (!system && vpmc_cpu_counts_kernel())
		vpmc_cpu_stop();
	/*
	 * System mode counts the kernel, so clearing the counters would lose counts.
	 * Refuse RDPMC instead.
	 */
	if (vpmc_cpu_counts_kernel()) {
		vpmc_cpu_permit_rdpmc(false);
		return;
	}
	vpmc_cpu_clear();
	if (vpmc_cpu_refuses_rdpmc())
		vpmc_cpu_permit_rdpmc(true);
}

bool vpmc_rdpmc_is_allowed(const struct mm_struct *mm)
{
	return mm && atomic_read(&mm->context.perf_rdpmc_allowed);
}

bool vpmc_rdpmc_is_possible(const struct mm_struct *mm)
{
	lockdep_assert_irqs_disabled();
	return vpmc_rdpmc_is_allowed(mm) || vpmc_cpu_refuses_rdpmc() ||
	       cr4_read_shadow() & X86_CR4_PCE;
}

/*
 * Update the processors that use @mm. Usually no processor does, because the process is
 * being created or has exited.
 */
static void rdpmc_update_mm(struct mm_struct *mm)
{
	if (!cpumask_empty(mm_cpumask(mm)))
		on_each_cpu_mask(mm_cpumask(mm), cr4_update_pce, NULL, 1);
}

void vpmc_rdpmc_allow(struct mm_struct *mm)
{
	if (atomic_inc_return(&mm->context.perf_rdpmc_allowed) == 1)
		rdpmc_update_mm(mm);
}

void vpmc_rdpmc_disallow(struct mm_struct *mm)
{
	if (atomic_dec_and_test(&mm->context.perf_rdpmc_allowed))
		rdpmc_update_mm(mm);
}

void vpmc_rdpmc_update(void)
{
	lockdep_assert_irqs_disabled();
	cr4_update_pce(NULL);
}

/* Return whether @ecx is the number of a counter for RDPMC. */
static bool rdpmc_exists(u32 ecx)
{
	unsigned int i;

	for (i = 0; i < vpmc_pmu->nr_counters; i++) {
		if (vpmc_pmu->rdpmc[i] == ecx)
			return true;
	}
	return false;
}

/*
 * This is the code of RDPMC (Pentium Processor Family Developer's Manual, volume 3, chapter 25).
 */
static const u8 rdpmc_code[] = { 0x0f, 0x33 };

bool vpmc_rdpmc_is_at(const struct pt_regs *regs, bool mapped)
{
	u8 code[sizeof(rdpmc_code)];

	lockdep_assert_irqs_disabled();
	return (mapped || vpmc_rdpmc_is_allowed(current->mm)) &&
	       rdpmc_exists(regs->cx) &&
	       !copy_from_user_nofault(code, (void __user *)regs->ip,
				       sizeof(code)) &&
	       !memcmp(code, rdpmc_code, sizeof(code));
}

void vpmc_rdpmc_complete(struct pt_regs *regs)
{
	lockdep_assert_irqs_disabled();
	if (cr4_read_shadow() & X86_CR4_PCE)
		return;
	regs->ax = 0;
	regs->dx = 0;
	regs->ip += sizeof(rdpmc_code);
}
