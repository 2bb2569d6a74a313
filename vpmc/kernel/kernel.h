/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the functions and data of the kernel series that the driver uses.
 * The references are weak, so that a kernel without the series can load the module, and
 * main.c can report that the series is missing.
 */
#ifndef VPMC_KERNEL_H
#define VPMC_KERNEL_H

#include <linux/rculist.h>
#include <linux/sched/coredump.h>
#include <linux/sched/signal.h>
#include <linux/vpmc_hooks.h>

#include <asm/perf_event.h>
#include <asm/tlbflush.h>

extern typeof(vpmc_used) vpmc_used __weak;
extern typeof(vpmc_register) vpmc_register __weak;
extern typeof(vpmc_unregister) vpmc_unregister __weak;
extern typeof(vpmc_may_count) vpmc_may_count __weak;
extern typeof(vpmc_may_access) vpmc_may_access __weak;
extern typeof(vpmc_pidfd_pid) vpmc_pidfd_pid __weak;
extern typeof(vpmc_look_at) vpmc_look_at __weak;
void cr4_update_pce(void *ignored);
extern typeof(cr4_update_pce) cr4_update_pce __weak;
extern typeof(cr4_update_irqsoff) cr4_update_irqsoff __weak;
extern typeof(cr4_read_shadow) cr4_read_shadow __weak;
extern typeof(vpmc_sampled) vpmc_sampled __weak;
/* Only some series have these two. */
u64 vpmc_lease(void);
extern typeof(vpmc_lease) vpmc_lease __weak;
void vpmc_lease_enable(void);
extern typeof(vpmc_lease_enable) vpmc_lease_enable __weak;
extern typeof(perf_clear_dirty_counters) perf_clear_dirty_counters __weak;
#ifndef SUID_DUMP_USER
extern typeof(vpmc_is_dumpable) vpmc_is_dumpable __weak; /* compat.h has it for Linux 6 */
#endif
#ifdef CONFIG_PERF_GUEST_MEDIATED_PMU
extern typeof(vpmc_exclude_guests) vpmc_exclude_guests __weak;
extern typeof(vpmc_admit_guests) vpmc_admit_guests __weak;
#endif
#ifdef CONFIG_CGROUPS
extern typeof(vpmc_watched) vpmc_watched __weak;
extern typeof(vpmc_call_entered) vpmc_call_entered __weak;
#endif
#ifdef CONFIG_HARDLOCKUP_DETECTOR_PERF
extern typeof(vpmc_watchdog_is_on) vpmc_watchdog_is_on __weak;
extern typeof(vpmc_watchdog_start) vpmc_watchdog_start __weak;
#endif

/*
 * Like for_each_thread(), under rcu_read_lock(). With PROVE_RCU_LIST, the kernel's
 * macro also asks for tasklist_lock, which is not exported to modules.
 */
#define vpmc_for_each_thread(leader, tsk) \
	list_for_each_entry_rcu(tsk, &(leader)->signal->thread_head, thread_node)

/*
 * Return the first thread of @tsk's process, or the thread after @tsk. Return NULL if it
 * does not exist. rcu_read_lock() held.
 */
static inline struct task_struct *vpmc_first_thread(struct task_struct *tsk)
{
	return list_first_or_null_rcu(&tsk->signal->thread_head,
				      struct task_struct, thread_node);
}

static inline struct task_struct *vpmc_next_thread(struct task_struct *tsk)
{
	return list_next_or_null_rcu(&tsk->signal->thread_head,
				     &tsk->thread_node, struct task_struct,
				     thread_node);
}

#endif /* VPMC_KERNEL_H */
