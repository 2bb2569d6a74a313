/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares what RDPMC shows in user mode. It never shows counts of other
 * processes, and it shows those of the kernel only if the thread's page does.
 *
 * A task may execute RDPMC if its mm is allowed to (a page is mapped, or perf's attribute
 * "rdpmc" is 2) and CR4.PCE is set. This is decided whenever the processor switches to another
 * mm or to another thread that counts, and when system mode begins or ends. The bit is also
 * cleared when a thread that counts kernel mode leaves the processor. The next task may have no
 * mm, and the task after it may have the same mm as the thread.
 *
 *	what the processor counts	user mode finds
 *	for the task, its page shows it	its own counts
 *	for the task, user mode		its own counts
 *	for the task, kernel mode too	RDPMC refused
 *	for no thread			zero, and its own events
 *	system mode, user mode		zero, and its own events
 *	system mode, kernel mode too	RDPMC refused
 *
 * Each page that allows RDPMC holds a reservation of the counters (reserve.h). So perf_event
 * does not have them while RDPMC is allowed, and they are cleared when the driver takes them
 * and when it gives them back.
 *
 * If RDPMC is refused to a task in whose mm a page is mapped, the task is not killed. The
 * instruction completes with zero, and the page says that this is not a count. But if the thread
 * has not used the page that it has inherited, RDPMC is allowed then and executed again.
 */
#ifndef VPMC_RDPMC_H
#define VPMC_RDPMC_H

#include <linux/types.h>

struct mm_struct;
struct pt_regs;

/*
 * Hide what the counters show from a task that may execute RDPMC and does not count,
 * and that is about to run here. No thread counts on this processor. Interrupts off.
 */
void vpmc_rdpmc_hide(void);

/* Return whether a page is mapped in @mm, so that it may execute RDPMC. Any context. */
bool vpmc_rdpmc_is_allowed(const struct mm_struct *mm);

/*
 * Return whether current, or the task with @mm that is about to run here, can execute
 * RDPMC in user mode, or could after CR4.PCE is set again. perf's attribute "rdpmc" may
 * allow it for tasks without a page. Interrupts off.
 */
bool vpmc_rdpmc_is_possible(const struct mm_struct *mm);

/*
 * Allow or disallow RDPMC in @mm, when a page that is mapped there gets or loses the
 * counters. The caller lets only one task do so at a time, so that RDPMC is allowed on all
 * processors when vpmc_rdpmc_allow() returns, and @mm cannot be freed. Interrupts on.
 */
void vpmc_rdpmc_allow(struct mm_struct *mm);
void vpmc_rdpmc_disallow(struct mm_struct *mm);

/* Decide again whether the current task may execute RDPMC. Interrupts off. */
void vpmc_rdpmc_update(void);

/*
 * Handle a #GP of current in user mode. Return whether it comes from RDPMC of an existing counter,
 * and current must not be killed. @mapped says whether the thread has a page, even one that does
 * not allow RDPMC. Interrupts off.
 */
bool vpmc_rdpmc_is_at(const struct pt_regs *regs, bool mapped);

/*
 * Complete an RDPMC that the processor has refused with zero. If CR4.PCE has been set since, let
 * RDPMC be executed again. Interrupts off.
 */
void vpmc_rdpmc_complete(struct pt_regs *regs);

#endif /* VPMC_RDPMC_H */
