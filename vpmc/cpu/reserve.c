// SPDX-License-Identifier: GPL-2.0-only
/* Who has the hardware counters. See reserve.h. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu.h>
#include <linux/errno.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/smp.h>
#include <linux/workqueue.h>

#include "cpu/cpu.h"
#include "kernel/hooks.h"
#include "kernel/kernel.h"
#include "cpu/prove.h"
#include "cpu/rdpmc.h"
#include "cpu/reserve.h"

/*
 * They are given back this much later than the last user has gone: both ways
 * interrupt every processor, which a user must not do at will.
 */
#define RESERVE_DELAY	HZ

/* How many calls of vpmc_reserve_close() are not over. */
static atomic_t reserve_closed = ATOMIC_INIT(0);

/* Held to take the counters and to give them back. */
static DEFINE_MUTEX(reserve_lock);

/* From 0 to 1 only under the lock. */
atomic_t vpmc_reserve_users = ATOMIC_INIT(0);

static void reserve_reset_cpu(void *unused)
{
	vpmc_cpu_reset();
}

/* RDPMC in user mode is as perf_event has it, even if it was refused here. */
static void reserve_leave_cpu(void *unused)
{
	vpmc_cpu_reset();
	vpmc_rdpmc_update();
}

/*
 * Nobody else has the counters. A processor that comes on line before this is proved
 * here, one that comes later when it comes.
 */
static int reserve_own(void)
{
	int err;

	lockdep_assert_held(&reserve_lock);
	cpus_read_lock();
	err = vpmc_prove_all();
	if (!err) {
		WRITE_ONCE(vpmc_cpu_owned, true);
		on_each_cpu(reserve_reset_cpu, NULL, 1);
	}
	cpus_read_unlock();
	return err;
}

/*
 * What has used them before has left something in them, and what has counted here goes on
 * until they are given back. As long, the hooks hide that from RDPMC.
 */
static int reserve_take(void)
{
	int err;

	lockdep_assert_held(&reserve_lock);
	vpmc_hooks_use();
	if (vpmc_pmu->reserve()) {
		vpmc_hooks_unuse();
		return -EADDRINUSE;
	}
	err = reserve_own();
	if (err) {
		vpmc_pmu->release();
		vpmc_hooks_unuse();
	}
	return err;
}

/* No processor writes to them any more when this returns. */
static void reserve_give_back(void)
{
	lockdep_assert_held(&reserve_lock);
	on_each_cpu(reserve_reset_cpu, NULL, 1);
	WRITE_ONCE(vpmc_cpu_owned, false);
	on_each_cpu(reserve_leave_cpu, NULL, 1);
	vpmc_pmu->release();
	vpmc_hooks_unuse();
}

/*
 * The NMI watchdog cannot have a counter while the driver has all of them: it has been
 * switched on, and does not run. The caller does not hold the lock, because this waits
 * for all processors. If somebody has taken the counters again, the watchdog starts
 * when these are given back.
 */
static void reserve_start_watchdog(void)
{
	if (!vpmc_watchdog_is_on())
		return;
	pr_info("start the NMI watchdog, which was switched on while the counters were taken\n");
	vpmc_watchdog_start();
}

bool vpmc_reserve_return(void)
{
	bool unused, returned;

	mutex_lock(&reserve_lock);
	unused = !atomic_read(&vpmc_reserve_users);
	returned = unused && vpmc_pmu->reserve && vpmc_cpu_owned;
	if (returned)
		reserve_give_back();
	mutex_unlock(&reserve_lock);
	if (returned)
		reserve_start_watchdog();
	return unused;
}

static void reserve_end(struct work_struct *unused)
{
	vpmc_reserve_return();
}

static DECLARE_DELAYED_WORK(reserve_work, reserve_end);

/* Where they are never given back, it is the users who keep the hooks live. */
static int reserve_first(void)
{
	int err = 0;

	if (!vpmc_pmu->reserve)
		vpmc_hooks_use();
	else if (!vpmc_cpu_owned)
		err = reserve_take();
	if (!err)
		atomic_inc(&vpmc_reserve_users);
	return err;
}

int vpmc_reserve(void)
{
	int err = 0;

	if (atomic_read(&reserve_closed))
		return -EADDRINUSE;
	if (atomic_inc_not_zero(&vpmc_reserve_users))
		return 0;
	mutex_lock(&reserve_lock);
	if (!atomic_inc_not_zero(&vpmc_reserve_users))
		err = reserve_first();
	mutex_unlock(&reserve_lock);
	return err;
}

void vpmc_reserve_close(void)
{
	atomic_inc(&reserve_closed);
}

void vpmc_reserve_open(void)
{
	atomic_dec(&reserve_closed);
}

void vpmc_reserve_leave(void)
{
	if (vpmc_pmu->reserve)
		schedule_delayed_work(&reserve_work, RESERVE_DELAY);
	else
		vpmc_hooks_unuse();
}

/* Have the counters for as long as the proof takes, if nobody else has them. */
static int reserve_prove(void)
{
	int err;

	lockdep_assert_held(&reserve_lock);
	if (vpmc_pmu->reserve())
		return vpmc_prove_look();
	cpus_read_lock();
	err = vpmc_prove_all();
	cpus_read_unlock();
	vpmc_pmu->release();
	return err;
}

int vpmc_reserve_init(void)
{
	int err;

	mutex_lock(&reserve_lock);
	err = vpmc_pmu->reserve ? reserve_prove() : reserve_own();
	mutex_unlock(&reserve_lock);
	return err ? -ENODEV : 0;
}

void vpmc_reserve_exit(void)
{
	flush_delayed_work(&reserve_work);
}
