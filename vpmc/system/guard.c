// SPDX-License-Identifier: GPL-2.0-only
/* This file notices that another program has written to the registers of the counters. */
#include <linux/lockdep.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/workqueue.h>

#include "thread/count.h"
#include "cpu/cpu.h"
#include "system/guard.h"
#include "system/system.h"

/* The driver writes only what it believes to differ from what a register holds. */
static void guard_write_again(void *unused)
{
	lockdep_assert_irqs_disabled();
	/* They may have been given back meanwhile. */
	if (!READ_ONCE(vpmc_cpu_owned))
		return;
	vpmc_count_pause();
	vpmc_cpu_reset();
	vpmc_count_continue();
}

/* Who writes to one processor's registers mostly writes to all, and one of them noticed. */
static void guard_revoke(struct work_struct *unused)
{
	vpmc_system_hold();
	on_each_cpu(guard_write_again, NULL, 1);
	vpmc_system_unhold();
}

static DECLARE_WORK(guard_work, guard_revoke);

/* To revoke sleeps, so a little later does. Until then the registers must be right again. */
static noinline void guard_alarm(void)
{
	guard_write_again(NULL);
	schedule_work(&guard_work);
}

/* Look first: threads whose events share counters get other events in the tick. */
void vpmc_guard_tick(struct task_struct *curr)
{
	if (__this_cpu_read(vpmc_loaded) && !vpmc_cpu_is_intact())
		guard_alarm();
	vpmc_count_tick(curr);
}

void vpmc_guard_exit(void)
{
	cancel_work_sync(&guard_work);
}
