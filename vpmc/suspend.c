// SPDX-License-Identifier: GPL-2.0-only
/* The machine sleeps. See suspend.h. */
#include <linux/syscore_ops.h>

#include "cpu.h"
#include "suspend.h"
#include "system.h"
#include "thread.h"

/* Both run on the only processor that is on line, with interrupts off. */
static int suspend(void)
{
	vpmc_thread_pause();
	vpmc_system_pause();
	return 0;
}

static void resume(void)
{
	vpmc_cpu_reset();
	vpmc_system_continue();
	vpmc_thread_continue();
}

static struct syscore_ops suspend_ops = {
	.suspend = suspend,
	.resume = resume,
};

void vpmc_suspend_init(void)
{
	register_syscore_ops(&suspend_ops);
}

void vpmc_suspend_exit(void)
{
	unregister_syscore_ops(&suspend_ops);
}
