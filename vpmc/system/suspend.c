// SPDX-License-Identifier: GPL-2.0-only
/* This file saves counts at suspend and sets the registers up again at resume. */
#include <linux/syscore_ops.h>

#include "kernel/compat.h"
#include "thread/count.h"
#include "cpu/cpu.h"
#include "system/suspend.h"
#include "system/system.h"

/* These callbacks run on the only online processor, with interrupts off. */
static int suspend_begin(VPMC_SYSCORE_ARGUMENT)
{
	vpmc_count_pause();
	vpmc_system_pause();
	return 0;
}

static void suspend_end(VPMC_SYSCORE_ARGUMENT)
{
	vpmc_cpu_reset();
	/* The delivery of an interrupt before the suspend may have masked it. */
	if (vpmc_cpu_interrupts())
		vpmc_cpu_unmask();
	vpmc_system_continue();
	vpmc_count_continue();
}

static VPMC_SYSCORE_OPS suspend_ops = {
	.suspend = suspend_begin,
	.resume = suspend_end,
};

static struct syscore suspend_syscore = {
	.ops = &suspend_ops,
};

void vpmc_suspend_init(void)
{
	register_syscore(&suspend_syscore);
}

void vpmc_suspend_exit(void)
{
	unregister_syscore(&suspend_syscore);
}
