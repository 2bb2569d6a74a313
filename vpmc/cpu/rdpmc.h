/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What RDPMC shows in user mode: nothing of other processes, and nothing of the
 * kernel unless the thread's page shows it.
 *
 * A task may execute RDPMC if its mm is allowed to (a page is mapped, or perf's
 * attribute "rdpmc" is 2) and CR4.PCE is set. This is decided whenever the processor
 * gets another mm or another thread that counts, and when system mode begins or
 * ends. The bit is cleared, too, when a thread that counts kernel mode leaves the
 * processor: the task that comes next may have no mm, and the one after that the
 * same mm.
 *
 *	what the processor counts	user mode finds
 *	for the task, its page shows it	its own counts
 *	for the task, user mode		its own counts
 *	for the task, kernel mode too	RDPMC refused
 *	for nobody			zero, and what it does itself
 *	system mode, user mode		zero, and what it does itself
 *	system mode, kernel mode too	RDPMC refused
 *
 * Each mapped page holds a reservation of the counters (reserve.h), so they are not
 * perf_event's while RDPMC is allowed, and they are cleared when they are taken and
 * when they are given back.
 *
 * If a task whose mm is allowed to execute RDPMC is refused, the task does not
 * die: the instruction completes with zero, and the page says that this is no
 * count.
 */
#ifndef VPMC_RDPMC_H
#define VPMC_RDPMC_H

#include <linux/types.h>

struct mm_struct;
struct pt_regs;

/*
 * A task that may execute RDPMC, and does not count, gets this processor. Hide what
 * the counters show. No thread counts here. Interrupts off.
 */
void vpmc_rdpmc_hide(void);

/* Does @mm have a page mapped? Any context. */
bool vpmc_rdpmc_is_allowed(const struct mm_struct *mm);

/*
 * Can current, or the task with @mm that gets this processor, execute RDPMC in user
 * mode, or could it once CR4.PCE is set again? perf's attribute "rdpmc" lets tasks do
 * so that have no page. Interrupts off.
 */
bool vpmc_rdpmc_is_possible(const struct mm_struct *mm);

/*
 * A page has been mapped in @mm: mmap_lock held for writing, or no task has @mm yet. Or it
 * has been unmapped, or has lost the counters: somebody keeps @mm from being freed. May not
 * be called with interrupts off.
 */
void vpmc_rdpmc_allow(struct mm_struct *mm);
void vpmc_rdpmc_disallow(struct mm_struct *mm);

/* Decide again for the current task. Interrupts off. */
void vpmc_rdpmc_update(void);

/*
 * Current got #GP in user mode. Was that an RDPMC, which is completed with zero or is
 * to be executed again? @taken: its thread has a page that once allowed it. Interrupts off.
 */
bool vpmc_rdpmc_fixup(struct pt_regs *regs, bool taken);

#endif /* VPMC_RDPMC_H */
