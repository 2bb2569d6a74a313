// SPDX-License-Identifier: GPL-2.0-only
/* The driver's init and exit. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/processor.h>

#include "count.h"
#include "cpu.h"
#include "device.h"
#include "fold.h"
#include "kernel.h"
#include "life.h"
#include "process.h"
#include "rdpmc.h"
#include "reserve.h"
#include "suspend.h"
#include "system.h"

static const struct vpmc_hooks main_hooks = {
	.owner = THIS_MODULE,
	.switch_to = vpmc_count_switch,
	.rdpmc = vpmc_count_rdpmc,
	.fixup = vpmc_count_fixup,
	.tick = vpmc_count_tick,
	.fork = vpmc_life_fork,
	.exec = vpmc_life_exec,
	.exit = vpmc_life_exit,
	.wait = vpmc_fold_wait,
	.release = vpmc_process_release,
};

static const struct vpmc_pmu *__init main_find_pmu(void)
{
	const struct vpmc_family *const *family;
	const struct vpmc_pmu *pmu = NULL;

	for (family = vpmc_families; *family && !pmu; family++)
		pmu = (*family)->probe();
	return pmu;
}

static int __init main_init(void)
{
	int err;

	if (!vpmc_register || !cr4_update_pce || !perf_clear_dirty_counters) {
		pr_err("this kernel lacks the vpmc patch series; boot one that was built with it\n");
		return -EOPNOTSUPP;
	}
	vpmc_pmu = main_find_pmu();
	if (!vpmc_pmu) {
		pr_err("no support for the counters of this processor (vendor %s, family %u, model %u); vpmc.7 lists those that it has\n",
		       boot_cpu_data.x86_vendor_id, boot_cpu_data.x86,
		       boot_cpu_data.x86_model);
		return -ENODEV;
	}
	vpmc_reserve_init();
	err = vpmc_process_init();
	if (err)
		return err;
	err = vpmc_cpu_init();
	if (err)
		goto out_process;
	err = vpmc_system_init();
	if (err)
		goto out_cpu;
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
	return 0;

out_hooks:
	vpmc_unregister();
out_system:
	vpmc_system_exit();
out_cpu:
	vpmc_cpu_exit();
out_process:
	vpmc_process_exit();
	return err;
}
module_init(main_init);

static void __exit main_exit(void)
{
	vpmc_suspend_exit();
	vpmc_device_exit();
	vpmc_process_release_all();
	/* The hooks hide what still counts, until they are gone. */
	vpmc_reserve_exit();
	vpmc_unregister();
	vpmc_system_exit();
	/* For a process that has been released meanwhile. */
	vpmc_reserve_exit();
	vpmc_cpu_exit();
	vpmc_process_exit();
}
module_exit(main_exit);

MODULE_DESCRIPTION("Virtual performance counters");
MODULE_LICENSE("GPL");
