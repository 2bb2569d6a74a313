/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares what RDPMC shows in user mode. It never shows counts of other processes. It
 * shows counts of the kernel only if the thread's page shows them.
 *
 * A task may execute RDPMC if its mm is allowed to (a page is mapped, or perf's attribute "rdpmc"
 * is 2) and CR4.PCE is set. This is decided whenever the processor switches to another mm or to
 * another thread that counts, and when system mode begins or ends. The bit is also cleared when a
 * thread that counts kernel mode leaves the processor. This is necessary because the next task may
 * have no mm, and the task after it may have the same mm as the thread.
 *
 *	what the processor counts	user mode finds
 *	for the task, its page shows it	its own counts
 *	for the task, user mode		its own counts
 *	for the task, kernel mode too	RDPMC refused
 *	for no thread			zero, and its own events
 *	system mode, user mode		zero, and its own events
 *	system mode, kernel mode too	RDPMC refused
 *
 * Each page that allows RDPMC holds a reservation of the counters (reserve.h). So perf_event does
 * not have the counters while RDPMC is allowed. The counters are cleared when the driver takes them
 * and when it gives them back.
 *
 * If perf_event leases counters, RDPMC also shows the counters that perf_event has at that time, as
 * in tasks that map an event of perf_event. The table is then true for leased counters only.
 *
 * If RDPMC is refused to a task in whose mm a page is mapped, the task is not killed. The
 * instruction completes with zero, and the page says that the value is not a count. But if the
 * thread has not used its inherited page yet, RDPMC is then allowed and executed again.
 */
#ifndef VPMC_RDPMC_H
#define VPMC_RDPMC_H

#include <linux/types.h>

struct mm_struct;
struct pt_regs;

/*
 * Hide the counters from a task that may execute RDPMC, does not count, and is about to
 * run on this processor. No thread counts on this processor. Interrupts off.
 */
void vpmc_rdpmc_hide(void);

/* Return whether a page is mapped in @mm, so that its tasks may execute RDPMC. Any context. */
bool vpmc_rdpmc_is_allowed(const struct mm_struct *mm);

/*
 * Return whether current, or the task with @mm that is about to run here, can execute
 * RDPMC in user mode, or could do so if CR4.PCE were set again. perf's attribute "rdpmc"
 * may allow it for tasks without a page. Interrupts off.
 */
bool vpmc_rdpmc_is_possible(const struct mm_struct *mm);

/*
 * Allow or disallow RDPMC in @mm, because a page that is mapped in it gets or loses the counters.
 * The caller serializes these calls, so that RDPMC is allowed on all processors when
 * vpmc_rdpmc_allow() returns. @mm cannot be freed during the call. Interrupts on.
 */
void vpmc_rdpmc_allow(struct mm_struct *mm);
void vpmc_rdpmc_disallow(struct mm_struct *mm);

/* Decide again whether the current task may execute RDPMC. Interrupts off. */
void vpmc_rdpmc_update(void);

/*
 * Handle a #GP of current in user mode. Return whether the #GP comes from RDPMC of an existing
 * counter, and current must not be killed. @mapped says whether the thread has a page, even one
 * that does not allow RDPMC. Interrupts off.
 */
bool vpmc_rdpmc_is_at(const struct pt_regs *regs, bool mapped);

/*
 * Complete an RDPMC that the processor has refused, with zero as the result. If CR4.PCE has been
 * set in the meantime, let the processor execute RDPMC again. Interrupts off.
 */
void vpmc_rdpmc_complete(struct pt_regs *regs);

#endif /* VPMC_RDPMC_H */
