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

/*
 * Write this processor's registers again by a reset. Without a reset, the driver does not write a
 * value if it assumes that the register already has this value.
 */
static void guard_write_again(void *unused)
{
	lockdep_assert_irqs_disabled();
	/* The counters may have been given back since the work was scheduled. */
	if (!READ_ONCE(vpmc_cpu_owned))
		return;
	vpmc_count_pause();
	vpmc_cpu_reset();
	vpmc_count_continue();
}

/*
 * End all counts, and write the registers of all processors again. A program that writes to one
 * processor's registers usually writes to the registers of all processors.
 */
static void guard_revoke(struct work_struct *unused)
{
	vpmc_system_hold();
	on_each_cpu(guard_write_again, NULL, 1);
	vpmc_system_unhold();
}

static DECLARE_WORK(guard_work, guard_revoke);

/* Correct this processor's registers at once, and schedule guard_revoke(), which sleeps. */
static noinline void guard_alarm(void)
{
	guard_write_again(NULL);
	schedule_work(&guard_work);
}

/* Compare the registers first, because the tick rotates events that share counters. */
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
