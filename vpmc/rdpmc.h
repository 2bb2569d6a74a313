/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What user mode may meet in this processor's counters: nothing of other
 * processes, and nothing of the kernel unless its page shows that.
 *
 * A task may execute RDPMC if its mm is allowed to (a page is mapped) and
 * CR4.PCE is set. That is decided whenever another mm, another thread that
 * counts, or system mode gets the processor:
 *
 *	what the processor counts	user mode finds
 *	for the task, its page shows it	its own counts
 *	for the task, user mode		its own counts
 *	for the task, kernel mode too	RDPMC refused
 *	for nobody			zero, and what it does itself
 *	system mode, user mode		zero, and what it does itself
 *	system mode, kernel mode too	RDPMC refused
 *
 * A refused RDPMC of a task whose mm is allowed to execute it does not end the
 * task: it completes with zero, which the page says is no count.
 */
#ifndef VPMC_RDPMC_H
#define VPMC_RDPMC_H

#include <linux/types.h>

struct mm_struct;
struct pt_regs;

/*
 * The task with @mm gets this processor, may execute RDPMC, and does not count.
 * Let it meet nothing. No thread counts here. Interrupts off.
 */
void vpmc_rdpmc_hide(const struct mm_struct *mm);

/* Does @mm have a page mapped? Any context. */
bool vpmc_rdpmc_is_allowed(const struct mm_struct *mm);

/* One more page is mapped in @mm, or one less. mmap_lock held for writing. */
void vpmc_rdpmc_allow(struct mm_struct *mm);
void vpmc_rdpmc_disallow(struct mm_struct *mm);

/* Decide anew for the current task of this processor. Interrupts off. */
void vpmc_rdpmc_update(void);

/* Hook, see vpmc_hooks.h. */
bool vpmc_rdpmc_fixup(struct pt_regs *regs);

#endif /* VPMC_RDPMC_H */
