// SPDX-License-Identifier: GPL-2.0-only
/* This file takes the hardware counters for the driver and gives them back. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu.h>
#include <linux/errno.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/smp.h>
#include <linux/workqueue.h>

#include "cpu/cpu.h"
#include "kernel/compat.h"
#include "kernel/hooks.h"
#include "kernel/kernel.h"
#include "cpu/prove.h"
#include "cpu/rdpmc.h"
#include "cpu/reserve.h"

/*
 * The counters are given back RESERVE_DELAY after the last user has gone. A transfer of
 * the counters interrupts every processor, so a user must not be able to cause transfers
 * at an arbitrary rate.
 */
#define RESERVE_DELAY	HZ

atomic_t vpmc_reserve_closed = ATOMIC_INIT(0);

/* This lock is held while the counters are taken or given back. */
static DEFINE_MUTEX(reserve_lock);

/* The round changes, and its number of users changes from 0 to 1, only under reserve_lock. */
u8 vpmc_reserve_round = 1;
atomic_t vpmc_reserve_users[VPMC_RESERVE_ROUNDS + 1];

/*
 * These are the rounds that have ended but whose users keep the hooks live. Protected by
 * reserve_lock.
 */
static bool reserve_ended[VPMC_RESERVE_ROUNDS + 1];

/*
 * Exclude all other users of the counters: perf_event by its reservation, and guests that KVM hands
 * the counters to.
 */
static int reserve_exclude(void)
{
	int err;

	lockdep_assert_held(&reserve_lock);
	err = vpmc_exclude_guests();
	if (err)
		return err;
	err = vpmc_pmu->reserve();
	if (err)
		vpmc_admit_guests();
	return err;
}

static void reserve_admit(void)
{
	lockdep_assert_held(&reserve_lock);
	vpmc_pmu->release();
	vpmc_admit_guests();
}

static void reserve_reset_cpu(void *unused)
{
	vpmc_cpu_reset();
}

/* Restore CR4.PCE for perf_event, even if the driver has refused RDPMC on this processor. */
static void reserve_leave_cpu(void *unused)
{
	vpmc_cpu_reset();
	vpmc_rdpmc_update();
}

/*
 * Take over the counters, which no other user has. Online processors are proved here. Other
 * processors are proved when they come online.
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
 * Reserve the counters and take them over. The hooks are live as long as the driver has
 * the counters. They hide the values of the previous user and the counts of the driver
 * from RDPMC.
 */
static int reserve_take(void)
{
	int err;

	lockdep_assert_held(&reserve_lock);
	vpmc_hooks_use();
	if (reserve_exclude()) {
		vpmc_hooks_unuse();
		return -EADDRINUSE;
	}
	err = reserve_own();
	if (err) {
		reserve_admit();
		vpmc_hooks_unuse();
	}
	return err;
}

/*
 * Give the counters back. When this returns, no processor writes to them any more. The hooks stay
 * live for users of a round that has ended.
 */
static void reserve_give_back(void)
{
	lockdep_assert_held(&reserve_lock);
	on_each_cpu(reserve_reset_cpu, NULL, 1);
	WRITE_ONCE(vpmc_cpu_owned, false);
	on_each_cpu(reserve_leave_cpu, NULL, 1);
	reserve_admit();
	vpmc_hooks_unuse();
}

/*
 * Start the NMI watchdog if it was switched on while the driver had all counters. The
 * watchdog could not get a counter at that time. The caller must not hold the lock,
 * because this waits for all processors. If the driver has taken the counters again, the
 * watchdog starts when the driver gives them back. If perf_event leases counters, the watchdog
 * always has its own.
 */
static void reserve_start_watchdog(void)
{
	if (vpmc_pmu->leased || !vpmc_watchdog_is_on())
		return;
	pr_info("start the NMI watchdog, which was switched on while the counters were taken\n");
	vpmc_watchdog_start();
}

static bool reserve_is_used(u8 round)
{
	return atomic_read(&vpmc_reserve_users[round]);
}

/* Release the hooks for rounds that have ended and have no users any more. */
static void reserve_clean_up(void)
{
	u8 round;

	lockdep_assert_held(&reserve_lock);
	for (round = 1; round <= VPMC_RESERVE_ROUNDS; round++) {
		if (!reserve_ended[round] || reserve_is_used(round))
			continue;
		reserve_ended[round] = false;
		vpmc_hooks_unuse();
	}
}

/*
 * Give the counters back if the present round has no users. Returns whether the counters were given
 * back.
 */
static bool reserve_return(void)
{
	lockdep_assert_held(&reserve_lock);
	if (!vpmc_pmu->reserve || !vpmc_cpu_owned ||
	    reserve_is_used(vpmc_reserve_round))
		return false;
	reserve_give_back();
	return true;
}

static void reserve_end(struct work_struct *unused)
{
	bool returned;

	mutex_lock(&reserve_lock);
	reserve_clean_up();
	returned = reserve_return();
	mutex_unlock(&reserve_lock);
	if (returned)
		reserve_start_watchdog();
}

static DECLARE_DELAYED_WORK(reserve_work, reserve_end);

/* Return a round without users, other than the present round, or 0. */
static u8 reserve_find_round(void)
{
	u8 round;

	lockdep_assert_held(&reserve_lock);
	for (round = 1; round <= VPMC_RESERVE_ROUNDS; round++) {
		if (round != vpmc_reserve_round && !reserve_ended[round] &&
		    !reserve_is_used(round))
			return round;
	}
	return 0;
}

/* End the present round. Returns 0, or -EBUSY if no other round is free. */
static int reserve_end_round(void)
{
	u8 next = reserve_find_round();

	lockdep_assert_held(&reserve_lock);
	if (!next)
		return -EBUSY;
	/* If the counters are never given back, the users of each round keep the hooks live. */
	if (vpmc_pmu->reserve) {
		vpmc_hooks_use();
		reserve_ended[vpmc_reserve_round] = true;
	}
	WRITE_ONCE(vpmc_reserve_round, next);
	/* The last user may have gone before the round has ended. */
	if (vpmc_pmu->reserve)
		schedule_delayed_work(&reserve_work, RESERVE_DELAY);
	return 0;
}

int vpmc_reserve_take_back(void)
{
	bool returned;
	int err = 0;

	mutex_lock(&reserve_lock);
	reserve_clean_up();
	if (reserve_is_used(vpmc_reserve_round))
		err = reserve_end_round();
	returned = reserve_return();
	mutex_unlock(&reserve_lock);
	if (returned)
		reserve_start_watchdog();
	return err;
}

/*
 * Set the number of users to 1. If the counters are never given back, the users keep the
 * hooks live.
 */
static int reserve_first(void)
{
	int err = 0;

	lockdep_assert_held(&reserve_lock);
	if (!vpmc_pmu->reserve)
		vpmc_hooks_use();
	else if (!vpmc_cpu_owned)
		err = reserve_take();
	if (!err)
		atomic_inc(&vpmc_reserve_users[vpmc_reserve_round]);
	return err;
}

/*
 * Add a user to the present round. The round does not change, because the lock is held. While the
 * caller waited for the lock, the counters may have been given to perf_event for good.
 */
static int reserve_locked(void)
{
	lockdep_assert_held(&reserve_lock);
	if (atomic_read(&vpmc_reserve_closed))
		return -EADDRINUSE;
	if (atomic_inc_not_zero(&vpmc_reserve_users[vpmc_reserve_round]))
		return 0;
	return reserve_first();
}

int vpmc_reserve_wait(u8 *reservation)
{
	int err;

	mutex_lock(&reserve_lock);
	err = reserve_locked();
	if (!err)
		*reservation = vpmc_reserve_round;
	mutex_unlock(&reserve_lock);
	return err;
}

void vpmc_reserve_close(void)
{
	atomic_inc(&vpmc_reserve_closed);
}

void vpmc_reserve_open(void)
{
	/* Pairs with vpmc_reserve_again(). */
	smp_mb__before_atomic();
	atomic_dec(&vpmc_reserve_closed);
}

void vpmc_reserve_leave(void)
{
	if (vpmc_pmu->reserve)
		schedule_delayed_work(&reserve_work, RESERVE_DELAY);
	else
		vpmc_hooks_unuse();
}

/*
 * Prove the processors when the module is loaded. The counters are reserved while the
 * proof runs. If another user has the counters, the registers are only read.
 */
static int reserve_prove(void)
{
	int err;

	lockdep_assert_held(&reserve_lock);
	if (reserve_exclude())
		return vpmc_prove_look();
	cpus_read_lock();
	err = vpmc_prove_all();
	cpus_read_unlock();
	reserve_admit();
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
