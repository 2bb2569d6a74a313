// SPDX-License-Identifier: GPL-2.0-only
/* This file finds the linear addresses of code in segments whose base is not 0. */
#include <linux/cpumask.h>
#include <linux/mm_types.h>
#include <linux/mmu_context.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include <asm/desc.h>

#include "thread/segment.h"

#ifdef CONFIG_MODIFY_LDT_SYSCALL
/*
 * Another processor that replaces the table waits for all processors in mm_cpumask(). So while
 * interrupts are off, the table stays if this processor is among them. After a switch to another
 * process, it is not.
 */
static bool segment_find_local(const struct task_struct *tsk, unsigned int entry, u32 *base)
{
	struct mm_struct *mm = tsk->mm;
	const struct ldt_struct *table;

	if (!mm || !cpumask_test_cpu(smp_processor_id(), mm_cpumask(mm)))
		return false;
	table = READ_ONCE(mm->context.ldt);
	if (!table || entry >= table->nr_entries)
		return false;
	*base = get_desc_base(&table->entries[entry]);
	return true;
}
#else
static bool segment_find_local(const struct task_struct *tsk, unsigned int entry, u32 *base)
{
	return false;
}
#endif

bool vpmc_segment_find_base(const struct task_struct *tsk, unsigned long selector,
			    unsigned long flags, u32 *base)
{
	selector &= 0xffff;
	if (flags & X86_VM_MASK) {
		*base = selector << 4;
		return true;
	}
	if ((selector & SEGMENT_TI_MASK) == SEGMENT_LDT)
		return segment_find_local(tsk, selector >> 3, base);
	*base = 0;
	return true;
}

u64 vpmc_segment_address(const struct task_struct *tsk, unsigned long ip, unsigned long selector,
			 unsigned long flags)
{
	u32 base;

	if (!vpmc_segment_find_base(tsk, selector, flags, &base))
		return 0;
	return vpmc_segment_linear(base, ip);
}
