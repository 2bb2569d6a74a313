/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the bases of segments. Nearly all code of user mode is in segments whose base
 * is 0. Only programs of 32 bits have other segments, in their local descriptor table, or are in
 * virtual 8086 mode.
 */
#ifndef VPMC_SEGMENT_H
#define VPMC_SEGMENT_H

#include <linux/types.h>

#include <asm/processor-flags.h>
#include <asm/ptrace.h>
#include <asm/segment.h>

struct task_struct;

/* Return whether @regs are those of user mode, in a code segment whose base is 0. */
static __always_inline bool vpmc_segment_is_flat(const struct pt_regs *regs)
{
	u32 kind = regs->cs & (SEGMENT_TI_MASK | SEGMENT_RPL_MASK);

	return (kind | (regs->flags & X86_VM_MASK)) == USER_RPL;
}

/* Return the linear address of @offset in a segment. */
static inline u64 vpmc_segment_linear(u32 base, u64 offset)
{
	/* Programs with other segments have 32 bits, so the sum is modulo 2^32. */
	return base ? (u32)(base + offset) : offset;
}

/*
 * Find the base of the segment that @tsk has in user mode for @selector, while it has @flags. @tsk
 * runs, or is being switched out by the calling processor. Returns false if the base is not known.
 * Interrupts off.
 */
bool vpmc_segment_find_base(const struct task_struct *tsk, unsigned long selector,
			    unsigned long flags, u32 *base);

/* Like vpmc_segment_find_base(), but return the linear address of @ip, or 0 if it is not known. */
u64 vpmc_segment_address(const struct task_struct *tsk, unsigned long ip, unsigned long selector,
			 unsigned long flags);

#endif /* VPMC_SEGMENT_H */
