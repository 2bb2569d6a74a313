// SPDX-License-Identifier: GPL-2.0-only
/* This file implements system mode, and takes the counters from all threads. */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/workqueue.h>

#include <asm/tsc.h>

#include "thread/count.h"
#include "cpu/cpu.h"
#include "process/process.h"
#include "cpu/rdpmc.h"
#include "cpu/reserve.h"
#include "system/system.h"

/*
 * Counters are read at least once in this time, so that they do not wrap twice between two reads.
 */
#define FOLD_PERIOD	(60 * HZ)

/**
 * struct system_cpu - the counts of a processor in system mode
 * @counts: whether it has taken part
 * @tsc_start: time stamp counter when @tsc was last updated
 * @tsc: clocks for which it had counted at @tsc_start
 * @counter: one entry per hardware counter in use
 */
struct system_cpu {
	bool counts;
	u64 tsc_start;
	u64 tsc;
	struct vpmc_counter counter[VPMC_MAX_COUNTERS];
};

/*
 * Its processor writes the structure with interrupts off. Other processors write it only while
 * system mode is off.
 */
static DEFINE_PER_CPU(struct system_cpu, system_cpu);

/*
 * This lock protects the following variables. It is taken inside cpus_read_lock().
 * vpmc_system_release() compares the owner without this lock.
 */
static DEFINE_MUTEX(system_lock);
static const struct vpmc_handle *system_owner;
static struct vpmc_events *system_events;
static u64 system_generation;
static u8 system_reservation;

/*
 * This says whether another program has written to registers since this generation began.
 * Any processor sets the flag. It is cleared under the lock.
 */
static bool system_overwritten;

static enum cpuhp_state system_hotplug_state;

bool vpmc_system_is_active(void)
{
	return vpmc_epoch_check() == -EBUSY;
}

/* Let this processor count for system mode from now on. */
static void system_begin_cpu(void *unused)
{
	struct system_cpu *s = this_cpu_ptr(&system_cpu);
	u64 now[VPMC_MAX_COUNTERS];
	u32 i;

	lockdep_assert_irqs_disabled();
	/* A thread that counts here loses the counters, and its page becomes invalid. */
	vpmc_count_pause();
	vpmc_pmu->read_counters(system_events->load.used, now);
	vpmc_cpu_load(&system_events->load, system_events->load.used, now);
	vpmc_cpu_add_cleared(now);
	for (i = 0; i < system_events->nr_counters; i++)
		s->counter[i].start = now[system_events->counter[i]];
	s->tsc_start = rdtsc();
	s->counts = true;
	vpmc_rdpmc_update();
}

/*
 * Check this processor's registers. If they have changed, note the change, and write them
 * again, so that later counts are right.
 */
static void system_check_cpu(void)
{
	if (vpmc_cpu_is_intact())
		return;
	WRITE_ONCE(system_overwritten, true);
	vpmc_cpu_reset();
	system_begin_cpu(NULL);
}

/* Bring this processor's counts up to date. */
static void system_fold_cpu(void *unused)
{
	struct system_cpu *s = this_cpu_ptr(&system_cpu);
	u64 now[VPMC_MAX_COUNTERS], mask = vpmc_pmu->counter_mask, tsc = rdtsc();
	u32 i;

	lockdep_assert_irqs_disabled();
	vpmc_pmu->read_counters(system_events->load.used, now);
	vpmc_cpu_add_cleared(now);
	for (i = 0; i < system_events->nr_counters; i++) {
		struct vpmc_counter *c = &s->counter[i];

		vpmc_counter_exchange(c, c, now[system_events->counter[i]],
				      mask);
	}
	s->tsc += tsc - s->tsc_start;
	s->tsc_start = tsc;
	system_check_cpu();
}

/* Let tasks that may execute RDPMC execute it again. */
static void system_end_cpu(void *unused)
{
	vpmc_rdpmc_update();
}

static void system_fold_all(struct work_struct *unused);
static DECLARE_DELAYED_WORK(system_fold_work, system_fold_all);

static void system_stop_counting(void)
{
	lockdep_assert_held(&system_lock);
	if (!vpmc_system_is_active())
		return;
	on_each_cpu(system_fold_cpu, NULL, 1);
	/* The epoch is never 0, because @run is 0 in threads that are not to count. */
	WRITE_ONCE(vpmc_epoch, vpmc_epoch + 1 ?: 2);
	on_each_cpu(system_end_cpu, NULL, 1);
	vpmc_unreserve(system_reservation);
}

/* End a generation whose counts another program has made wrong. */
static void system_drop_overwritten(void)
{
	lockdep_assert_held(&system_lock);
	if (!READ_ONCE(system_overwritten))
		return;
	system_stop_counting();
	WRITE_ONCE(system_overwritten, false);
	system_generation = vpmc_process_new_number();
}

static void system_fold_all(struct work_struct *unused)
{
	cpus_read_lock();
	mutex_lock(&system_lock);
	if (vpmc_system_is_active()) {
		on_each_cpu(system_fold_cpu, NULL, 1);
		schedule_delayed_work(&system_fold_work, FOLD_PERIOD);
	}
	system_drop_overwritten();
	mutex_unlock(&system_lock);
	cpus_read_unlock();
}

static void system_note_counting(void *any)
{
	if (__this_cpu_read(vpmc_loaded))
		WRITE_ONCE(*(bool *)any, true);
}

/* Return whether a thread that counts is on a processor now. */
static bool system_anybody_counts(void)
{
	bool any = false;

	on_each_cpu(system_note_counting, &any, 1);
	return any;
}

static void system_take_over(const struct vpmc_handle *owner,
			     struct vpmc_events *events)
{
	int cpu;

	lockdep_assert_held(&system_lock);
	/* Only system_begin_cpu() and system_fold_cpu() use the events, under this lock. */
	vpmc_events_put(system_events);
	system_events = events;
	WRITE_ONCE(system_owner, owner);
	system_generation = vpmc_process_new_number();
	WRITE_ONCE(system_overwritten, false);
	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(&system_cpu, cpu), 0,
		       sizeof(struct system_cpu));
	if (!vpmc_system_is_active())
		WRITE_ONCE(vpmc_epoch, vpmc_epoch + 1);
	on_each_cpu(system_begin_cpu, NULL, 1);
	mod_delayed_work(system_wq, &system_fold_work, FOLD_PERIOD);
}

int vpmc_system_start(const struct vpmc_handle *owner, struct vpmc_events *events,
		      bool force, u64 *generation)
{
	bool was_active;
	u8 reservation;
	int err;

	err = vpmc_reserve(&reservation);
	if (err)
		return err;
	cpus_read_lock();
	mutex_lock(&system_lock);
	was_active = vpmc_system_is_active();
	if (vpmc_epoch_holds || !vpmc_reserve_is_valid(reservation))
		err = -EADDRINUSE;
	else if (was_active ? system_owner != owner :
			      !force && system_anybody_counts())
		err = -EBUSY;
	else
		system_take_over(owner, events);
	if (!err && !was_active)
		system_reservation = reservation;
	*generation = system_generation;
	mutex_unlock(&system_lock);
	cpus_read_unlock();
	/* System mode is one user of the counters, even if it is started several times. */
	if (err || was_active)
		vpmc_unreserve(reservation);
	return err;
}

/* Stop counting for the thread on this processor. */
static void system_halt_cpu(void *unused)
{
	vpmc_count_pause();
	vpmc_rdpmc_update();
}

void vpmc_system_hold(void)
{
	cpus_read_lock();
	mutex_lock(&system_lock);
	if (vpmc_system_is_active()) {
		system_stop_counting();
		system_generation = vpmc_process_new_number();
	}
	WRITE_ONCE(vpmc_epoch_holds, vpmc_epoch_holds + 1);
	/* Pairs with vpmc_epoch_refusal(). */
	smp_wmb();
	if (vpmc_epoch_holds == 1)
		WRITE_ONCE(vpmc_epoch, vpmc_epoch + 1);
	on_each_cpu(system_halt_cpu, NULL, 1);
	mutex_unlock(&system_lock);
	cpus_read_unlock();
}

void vpmc_system_unhold(void)
{
	cpus_read_lock();
	mutex_lock(&system_lock);
	if (vpmc_epoch_holds == 1)
		WRITE_ONCE(vpmc_epoch, vpmc_epoch + 1 ?: 2);
	/* Pairs with vpmc_epoch_refusal(). */
	smp_wmb();
	WRITE_ONCE(vpmc_epoch_holds, vpmc_epoch_holds - 1);
	on_each_cpu(system_end_cpu, NULL, 1);
	mutex_unlock(&system_lock);
	cpus_read_unlock();
}

int vpmc_system_stop(const struct vpmc_handle *owner, u64 *generation)
{
	int err = -ENODATA;

	cpus_read_lock();
	mutex_lock(&system_lock);
	if (system_owner == owner) {
		system_stop_counting();
		system_drop_overwritten();
		*generation = system_generation;
		err = 0;
	}
	mutex_unlock(&system_lock);
	cpus_read_unlock();
	return err;
}

static void system_add_counts_of(struct vpmc_system_read *read, int cpu)
{
	const struct system_cpu *s = per_cpu_ptr(&system_cpu, cpu);
	const struct vpmc_events *events = system_events;
	u32 i;

	for (i = 0; i < events->nr; i++)
		read->count[i] += s->counter[vpmc_events_index(events, i)].sum;
	read->tsc += s->tsc;
	read->cpus += s->counts;
}

static void system_add_counts(struct vpmc_system_read *read)
{
	int cpu;

	lockdep_assert_held(&system_lock);
	if (read->cpu != VPMC_ALL_CPUS) {
		system_add_counts_of(read, read->cpu);
		return;
	}
	for_each_possible_cpu(cpu)
		system_add_counts_of(read, cpu);
}

int vpmc_system_read(const struct vpmc_handle *owner,
		     struct vpmc_system_read *read)
{
	int err = -ENODATA;

	if (read->cpu != VPMC_ALL_CPUS &&
	    (read->cpu < 0 || read->cpu >= nr_cpu_ids ||
	     !cpu_possible(read->cpu)))
		return -EINVAL;

	cpus_read_lock();
	mutex_lock(&system_lock);
	if (system_owner == owner) {
		if (vpmc_system_is_active())
			on_each_cpu(system_fold_cpu, NULL, 1);
		system_drop_overwritten();
		system_add_counts(read);
		read->state = vpmc_system_is_active() ? VPMC_STATE_RUNNING :
					 VPMC_STATE_STOPPED;
		read->nr_counts = system_events->nr;
		read->generation = system_generation;
		err = 0;
	}
	mutex_unlock(&system_lock);
	cpus_read_unlock();
	return err;
}

void vpmc_system_release(const struct vpmc_handle *owner)
{
	/*
	 * Only a call on the file @owner makes this file the owner, and no such call is running any
	 * more.
	 */
	if (READ_ONCE(system_owner) != owner)
		return;
	cpus_read_lock();
	mutex_lock(&system_lock);
	if (system_owner == owner) {
		system_stop_counting();
		WRITE_ONCE(system_owner, NULL);
		vpmc_events_put(system_events);
		system_events = NULL;
	}
	mutex_unlock(&system_lock);
	cpus_read_unlock();
}

/*
 * Let a processor that comes online count. Its earlier counts have been kept, and
 * continue.
 */
static int system_cpu_online(unsigned int cpu)
{
	mutex_lock(&system_lock);
	if (vpmc_system_is_active()) {
		local_irq_disable();
		system_begin_cpu(NULL);
		local_irq_enable();
	}
	mutex_unlock(&system_lock);
	return 0;
}

static int system_cpu_offline(unsigned int cpu)
{
	mutex_lock(&system_lock);
	if (vpmc_system_is_active()) {
		local_irq_disable();
		system_fold_cpu(NULL);
		local_irq_enable();
	}
	mutex_unlock(&system_lock);
	return 0;
}

void vpmc_system_pause(void)
{
	lockdep_assert_irqs_disabled();
	if (vpmc_system_is_active())
		system_fold_cpu(NULL);
}

void vpmc_system_continue(void)
{
	lockdep_assert_irqs_disabled();
	if (vpmc_system_is_active())
		system_begin_cpu(NULL);
}

int vpmc_system_init(void)
{
	int state;

	state = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "vpmc:system",
					  system_cpu_online,
					  system_cpu_offline);
	if (state < 0)
		return state;
	system_hotplug_state = state;
	return 0;
}

void vpmc_system_exit(void)
{
	cpuhp_remove_state_nocalls(system_hotplug_state);
	cancel_delayed_work_sync(&system_fold_work);
}
