// SPDX-License-Identifier: GPL-2.0-only
/* The driver's beginning and end. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/processor.h>

#include "cpu.h"
#include "device.h"
#include "kernel.h"
#include "process.h"
#include "suspend.h"
#include "system.h"
#include "thread.h"

const struct vpmc_pmu *vpmc_pmu;

static const struct vpmc_hooks vpmc_driver_hooks = {
	.owner = THIS_MODULE,
	.switch_to = vpmc_thread_switch,
	.rdpmc = vpmc_thread_rdpmc,
	.tick = vpmc_thread_tick,
	.fork = vpmc_thread_fork,
	.exec = vpmc_thread_exec,
	.exit = vpmc_thread_exit,
	.wait = vpmc_process_wait,
	.release = vpmc_process_release,
};

static int __init driver_init(void)
{
	int err;

	if (!vpmc_register || !cr4_update_pce) {
		pr_err("this kernel lacks the vpmc patch series; boot one that was built with it\n");
		return -EOPNOTSUPP;
	}
	vpmc_pmu = vpmc_p5_probe();
	if (!vpmc_pmu) {
		pr_err("no support for the counters of this processor (vendor %s, family %u, model %u); a Pentium (family 5) is needed\n",
		       boot_cpu_data.x86_vendor_id, boot_cpu_data.x86,
		       boot_cpu_data.x86_model);
		return -ENODEV;
	}
	err = vpmc_cpu_init();
	if (err)
		return err;
	err = vpmc_system_init();
	if (err)
		goto out_cpu;
	err = vpmc_register(&vpmc_driver_hooks);
	if (err)
		goto out_system;
	err = vpmc_device_init();
	if (err)
		goto out_hooks;
	vpmc_suspend_init();
	pr_info("%s: %u counters of %u bits\n", vpmc_pmu->name,
		vpmc_pmu->nr_counters, vpmc_pmu->counter_bits);
	return 0;

out_hooks:
	vpmc_unregister();
out_system:
	vpmc_system_exit();
out_cpu:
	vpmc_cpu_exit();
	return err;
}
module_init(driver_init);

static void __exit driver_exit(void)
{
	vpmc_suspend_exit();
	vpmc_device_exit();
	vpmc_process_release_all();
	vpmc_unregister();
	vpmc_system_exit();
	vpmc_cpu_exit();
}
module_exit(driver_exit);

MODULE_DESCRIPTION("Virtual performance counters");
MODULE_LICENSE("GPL");
