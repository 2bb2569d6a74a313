// SPDX-License-Identifier: GPL-2.0-only
/* This file controls the hardware counters of the current processor. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitops.h>
#include <linux/cpufeature.h>
#include <linux/irqflags.h>
#include <linux/kconfig.h>
#include <linux/lockdep.h>
#include <linux/mmu_context.h>
#include <linux/moduleparam.h>
#include <linux/printk.h>
#include <linux/smp.h>

#include <asm/tlbflush.h>

#include "cpu/cpu.h"
#include "kernel/kernel.h"

static unsigned int test_seed;
module_param(test_seed, uint, 0444);
MODULE_PARM_DESC(test_seed,
		 "For tests: set the counters this far below their wrap whenever a task gets them that another one has not had (0: never)");

static unsigned int lease;
module_param(lease, uint, 0444);
MODULE_PARM_DESC(lease,
		 "Number of counters that perf_event leases to this driver. The kernel itself must be booted with vpmc.lease=NUMBER.");

const struct vpmc_pmu *vpmc_pmu;
bool vpmc_cpu_owned;
bool vpmc_cpu_silent;

DEFINE_PER_CPU(u64, vpmc_cpu_control);
DEFINE_PER_CPU(bool, vpmc_cpu_kernel);
DEFINE_PER_CPU(bool, vpmc_cpu_refuses);
DEFINE_PER_CPU(bool, vpmc_cpu_permits);
DEFINE_PER_CPU(bool, vpmc_cpu_proved);
DEFINE_STATIC_KEY_FALSE(vpmc_cpu_seeded);

/* This is the sum of the values that vpmc_cpu_clear() cleared in system mode. */
static DEFINE_PER_CPU(u64 [VPMC_MAX_COUNTERS], cpu_cleared);

void vpmc_cpu_seed(u32 begin, u64 *now)
{
	unsigned int i;

	for (i = 0; i < vpmc_pmu->nr_counters; i++) {
		if (!(begin & BIT(i)))
			continue;
		now[i] = (0 - (u64)test_seed) & vpmc_pmu->counter_mask;
		vpmc_pmu->write_counter(i, now[i]);
	}
}

void vpmc_cpu_permit_rdpmc(bool permit)
{
	lockdep_assert_irqs_disabled();
	if (permit) {
		/*
		 * cr4_update_pce() decides about CR4.PCE, because only the kernel knows
		 * perf's attribute "rdpmc".
		 */
		__this_cpu_write(vpmc_cpu_permits, true);
		cr4_update_pce(NULL);
		__this_cpu_write(vpmc_cpu_permits, false);
	} else {
		cr4_clear_bits_irqsoff(X86_CR4_PCE);
	}
	__this_cpu_write(vpmc_cpu_refuses, !permit);
}

bool vpmc_cpu_change_kernel(const struct vpmc_load *load)
{
	bool kernel = __this_cpu_read(vpmc_cpu_kernel);

	lockdep_assert_irqs_disabled();
	if (load->kernel && cr4_read_shadow() & X86_CR4_PCE)
		vpmc_cpu_permit_rdpmc(false);
	vpmc_pmu->write_control(load);
	__this_cpu_write(vpmc_cpu_control, load->control);
	__this_cpu_write(vpmc_cpu_kernel, load->kernel);
	return kernel;
}

static noinline void cpu_keep_values(void)
{
	u64 now[VPMC_MAX_COUNTERS];
	unsigned int i;

	vpmc_pmu->read_counters(BIT(vpmc_pmu->nr_counters) - 1, now);
	for (i = 0; i < vpmc_pmu->nr_counters; i++)
		__this_cpu_add(cpu_cleared[i], now[i]);
}

void vpmc_cpu_clear(void)
{
	static const u64 zero[VPMC_MAX_COUNTERS];

	lockdep_assert_irqs_disabled();
	if (vpmc_epoch_is_system(READ_ONCE(vpmc_epoch)))
		cpu_keep_values();
	vpmc_pmu->write_counters(zero);
}

void vpmc_cpu_stop(void)
{
	static const struct vpmc_load nothing;

	lockdep_assert_irqs_disabled();
	vpmc_pmu->write_control(&nothing);
	__this_cpu_write(vpmc_cpu_control, 0);
	__this_cpu_write(vpmc_cpu_kernel, false);
}

bool vpmc_cpu_is_intact(void)
{
	lockdep_assert_irqs_disabled();
	if (likely(vpmc_pmu->holds(__this_cpu_read(vpmc_cpu_control))))
		return true;
	pr_err_ratelimited("another program has written to the registers of the counters of processor %u, so all counts end: see vpmc.7, \"Programs that write the registers themselves\"\n",
			   smp_processor_id());
	return false;
}

void vpmc_cpu_add_cleared(u64 *now)
{
	unsigned int i;

	for (i = 0; i < vpmc_pmu->nr_counters; i++)
		now[i] += __this_cpu_read(cpu_cleared[i]);
}

static void cpu_reset_owned(void)
{
	/* Without this, perf would later set the counters that it has used to zero. */
	if (vpmc_pmu->reserve)
		perf_clear_dirty_counters();
	vpmc_pmu->init_cpu();
	vpmc_cpu_clear();
}

void vpmc_cpu_reset(void)
{
	lockdep_assert_irqs_disabled();
	if (READ_ONCE(vpmc_cpu_owned) && __this_cpu_read(vpmc_cpu_proved))
		cpu_reset_owned();
	__this_cpu_write(vpmc_cpu_control, 0);
	__this_cpu_write(vpmc_cpu_kernel, false);
}

u32 vpmc_cpu_interrupts(void)
{
	if (READ_ONCE(vpmc_cpu_silent))
		return 0;
	if (vpmc_pmu->lvt && !(IS_ENABLED(CONFIG_X86_LOCAL_APIC) &&
			       boot_cpu_has(X86_FEATURE_APIC)))
		return 0;
	return vpmc_pmu->interrupts;
}

/* modprobe passes the kernel's parameter vpmc.lease to the module, too. */
static void cpu_check_lease(void)
{
	const unsigned int leased = hweight32(vpmc_pmu->leased);

	if (lease > leased)
		pr_warn("lease=%u: the driver gets %u counters beside perf_event: see what the kernel has logged of vpmc.lease when it booted\n",
			lease, leased);
	lease = leased;
}

void vpmc_cpu_init(void)
{
	cpu_check_lease();
	if (test_seed)
		static_branch_enable(&vpmc_cpu_seeded);
}
