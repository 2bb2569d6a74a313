// SPDX-License-Identifier: GPL-2.0-only
/* This file initializes the driver and removes it. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/processor.h>

#include "calls/cgroup.h"
#include "thread/count.h"
#include "cpu/cpu.h"
#include "device/device.h"
#include "process/fold.h"
#include "system/guard.h"
#include "kernel/kernel.h"
#include "process/life.h"
#include "thread/mapping.h"
#include "process/process.h"
#include "cpu/prove.h"
#include "cpu/rdpmc.h"
#include "cpu/reserve.h"
#include "calls/review.h"
#include "thread/rotate.h"
#include "thread/sample.h"
#include "system/suspend.h"
#include "system/system.h"

static const struct vpmc_hooks main_hooks = {
	.owner = THIS_MODULE,
	.switch_to = vpmc_count_switch,
	.rdpmc = vpmc_count_rdpmc,
	.fixup = vpmc_mapping_fixup,
	.tick = vpmc_guard_tick,
	.fork = vpmc_life_fork,
	.exec = vpmc_life_exec,
	.mmap = vpmc_life_mmap,
	.exit = vpmc_life_exit,
	.wait = vpmc_fold_wait,
	.release = vpmc_process_release,
	.enter = vpmc_group_enter,
	.entered = vpmc_group_entered,
};

/*
 * Find the family of this machine's processors, and describe how to prove its counters.
 */
static int __init main_find_pmu(void)
{
	const struct vpmc_family *const *family;
	const char *hidden = NULL;

	for (family = vpmc_families; *family; family++) {
		vpmc_pmu = (*family)->probe(&hidden);
		if (vpmc_pmu) {
			vpmc_prove_describe((*family)->describe);
			return 0;
		}
	}
	if (hidden)
		vpmc_prove_refuse(hidden);
	else
		pr_err("no support for the counters of this processor (vendor %s, family %u, model %u); vpmc.7 lists those that it has\n",
		       boot_cpu_data.x86_vendor_id, boot_cpu_data.x86,
		       boot_cpu_data.x86_model);
	return -ENODEV;
}

static void __init main_say_lease(void)
{
	const unsigned long leased = vpmc_pmu->leased;

	if (leased)
		pr_info("perf_event keeps all counters but %*pbl, which the driver uses for user mode\n",
			BITS_PER_LONG, &leased);
}

static int __init main_init(void)
{
	int err;

	if (!vpmc_register || !cr4_update_pce || !perf_clear_dirty_counters) {
		pr_err("this kernel lacks the vpmc patch series; boot one that was built with it\n");
		return -EOPNOTSUPP;
	}
	err = main_find_pmu();
	if (err)
		return err;
	vpmc_rotate_init();
	vpmc_cpu_init();
	vpmc_review_init();
	err = vpmc_process_init();
	if (err)
		return err;
	/* The proof of a processor interrupts. */
	err = vpmc_sample_init();
	if (err)
		goto out_process;
	err = vpmc_prove_init();
	if (err)
		goto out_sample;
	err = vpmc_reserve_init();
	if (err)
		goto out_prove;
	err = vpmc_system_init();
	if (err)
		goto out_prove;
	err = vpmc_register(&main_hooks);
	if (err)
		goto out_system;
	err = vpmc_device_init();
	if (err)
		goto out_hooks;
	vpmc_suspend_init();
	pr_info("%s: %u counters and %u fixed ones of %u bits\n",
		vpmc_pmu->name, vpmc_pmu->nr_counters - vpmc_pmu->nr_fixed,
		vpmc_pmu->nr_fixed, vpmc_pmu->counter_bits);
	main_say_lease();
	return 0;

out_hooks:
	vpmc_unregister();
out_system:
	vpmc_system_exit();
out_prove:
	vpmc_prove_exit();
out_sample:
	vpmc_sample_exit();
out_process:
	vpmc_process_exit();
	return err;
}
module_init(main_init);

static void __exit main_exit(void)
{
	vpmc_suspend_exit();
	vpmc_device_exit();
	vpmc_review_exit();
	vpmc_process_release_all();
	/* Give the counters back while the hooks still hide their values. */
	vpmc_reserve_exit();
	vpmc_unregister();
	vpmc_guard_exit();
	vpmc_system_exit();
	/*
	 * Give the counters back again, because a process that had them may have been
	 * released in the meantime.
	 */
	vpmc_reserve_exit();
	vpmc_prove_exit();
	vpmc_sample_exit();
	vpmc_process_exit();
}
module_exit(main_exit);

MODULE_DESCRIPTION("Virtual performance counters");
MODULE_LICENSE("GPL");
