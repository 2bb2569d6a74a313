// SPDX-License-Identifier: GPL-2.0-only
/* Registers that somebody else writes to. See guard.h. */
#include <linux/lockdep.h>
#include <linux/percpu.h>
#include <linux/workqueue.h>

#include "count.h"
#include "cpu.h"
#include "guard.h"
#include "system.h"

static void guard_revoke(struct work_struct *unused)
{
	vpmc_system_revoke();
}

static DECLARE_WORK(guard_work, guard_revoke);

/*
 * To revoke sleeps, so a little later does. Until then, and for the threads that start after
 * it, the registers must be right again: the driver writes only what it believes to differ.
 */
static noinline void guard_alarm(void)
{
	lockdep_assert_irqs_disabled();
	vpmc_count_pause();
	vpmc_cpu_reset();
	vpmc_count_continue();
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
