// SPDX-License-Identifier: GPL-2.0-only
/* System mode. See system.h. */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/workqueue.h>

#include <asm/msr.h>

#include "cpu.h"
#include "process.h"
#include "system.h"
#include "thread.h"

/* No hardware counter wraps twice in this time. */
#define FOLD_PERIOD	(60 * HZ)

/**
 * struct system_cpu - what a processor has counted in system mode
 * @counts: it has taken part
 * @tsc_start: time stamp counter when it was last looked at
 * @tsc: clocks before that
 * @counter: one per event
 */
struct system_cpu {
	bool counts;
	u64 tsc_start;
	u64 tsc;
	struct vpmc_counter counter[VPMC_MAX_COUNTERS];
};

/* Written by its processor, with interrupts off, or while system mode is off. */
static DEFINE_PER_CPU(struct system_cpu, system_cpu);

/* What its counters showed each time that they were set to zero; likewise. */
static DEFINE_PER_CPU(u64 [VPMC_MAX_COUNTERS], system_hidden);

unsigned int vpmc_epoch = 2;

/* Protects all that follows. Inside cpus_read_lock(). */
static DEFINE_MUTEX(system_lock);
static const struct vpmc_handle *system_owner;
static struct vpmc_events *system_events;
static u64 system_generation;

static enum cpuhp_state system_hotplug_state;

static bool active(void)
{
	return vpmc_epoch_is_system(vpmc_epoch);
}

/* What this processor's counters would show if none had been set to zero. */
static void add_hidden(u64 *now)
{
	unsigned int i;

	for (i = 0; i < vpmc_pmu->nr_counters; i++)
		now[i] += __this_cpu_read(system_hidden[i]);
}

/* This processor counts from now on. Interrupts off. */
static void begin_cpu(void *unused)
{
	struct system_cpu *s = this_cpu_ptr(&system_cpu);
	u64 now[VPMC_MAX_COUNTERS];
	u32 i;

	/* Who counts here loses the counters; its window has to say so. */
	vpmc_thread_pause();
	vpmc_pmu->read_counters(system_events->load.used, now);
	vpmc_cpu_load(&system_events->load, now);
	add_hidden(now);
	for (i = 0; i < system_events->nr; i++)
		s->counter[i].start = now[system_events->counter[i]];
	s->tsc_start = rdtsc();
	s->counts = true;
}

/* Bring this processor's counts up to date. Interrupts off. */
static void fold_cpu(void *unused)
{
	struct system_cpu *s = this_cpu_ptr(&system_cpu);
	u64 now[VPMC_MAX_COUNTERS], mask = vpmc_pmu->counter_mask, tsc = rdtsc();
	u32 i;

	vpmc_pmu->read_counters(system_events->load.used, now);
	add_hidden(now);
	for (i = 0; i < system_events->nr; i++) {
		struct vpmc_counter *c = &s->counter[i];
		u64 value = now[system_events->counter[i]];

		c->sum += vpmc_delta(value, c->start, mask);
		c->start = value;
	}
	s->tsc += tsc - s->tsc_start;
	s->tsc_start = tsc;
}

static void fold_all(struct work_struct *unused);
static DECLARE_DELAYED_WORK(fold_work, fold_all);

static void fold_all(struct work_struct *unused)
{
	cpus_read_lock();
	mutex_lock(&system_lock);
	if (active()) {
		on_each_cpu(fold_cpu, NULL, 1);
		schedule_delayed_work(&fold_work, FOLD_PERIOD);
	}
	mutex_unlock(&system_lock);
	cpus_read_unlock();
}

static void note_counting(void *any)
{
	if (vpmc_thread_is_on_cpu())
		WRITE_ONCE(*(bool *)any, true);
}

/* Is a thread that counts on a processor now? */
static bool anybody_counts(void)
{
	bool any = false;

	on_each_cpu(note_counting, &any, 1);
	return any;
}

static void take_over(const struct vpmc_handle *owner, struct vpmc_events *events)
{
	int cpu;

	/* Only begin_cpu() and fold_cpu() look at it, under our lock. */
	vpmc_events_put(system_events);
	system_events = events;
	system_owner = owner;
	system_generation = vpmc_new_generation();
	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(&system_cpu, cpu), 0,
		       sizeof(struct system_cpu));
	if (!active())
		WRITE_ONCE(vpmc_epoch, vpmc_epoch + 1);
	on_each_cpu(begin_cpu, NULL, 1);
	mod_delayed_work(system_wq, &fold_work, FOLD_PERIOD);
}

int vpmc_system_start(const struct vpmc_handle *owner, struct vpmc_events *events,
		      bool force, u64 *generation)
{
	int err = 0;

	cpus_read_lock();
	mutex_lock(&system_lock);
	if (active() ? system_owner != owner : !force && anybody_counts())
		err = -EBUSY;
	else
		take_over(owner, events);
	*generation = system_generation;
	mutex_unlock(&system_lock);
	cpus_read_unlock();
	return err;
}

static void stop(void)
{
	if (!active())
		return;
	on_each_cpu(fold_cpu, NULL, 1);
	WRITE_ONCE(vpmc_epoch, vpmc_epoch + 1);
}

int vpmc_system_stop(const struct vpmc_handle *owner, u64 *generation)
{
	int err = -ENODATA;

	cpus_read_lock();
	mutex_lock(&system_lock);
	if (system_owner == owner) {
		stop();
		*generation = system_generation;
		err = 0;
	}
	mutex_unlock(&system_lock);
	cpus_read_unlock();
	return err;
}

static void add_counts_of(struct vpmc_system_read *read, int cpu)
{
	const struct system_cpu *s = per_cpu_ptr(&system_cpu, cpu);
	u32 i;

	for (i = 0; i < system_events->nr; i++)
		read->count[i] += s->counter[i].sum;
	read->tsc += s->tsc;
	read->cpus += s->counts;
}

static void add_counts(struct vpmc_system_read *read)
{
	int cpu;

	if (read->cpu != VPMC_ALL_CPUS) {
		add_counts_of(read, read->cpu);
		return;
	}
	for_each_possible_cpu(cpu)
		add_counts_of(read, cpu);
}

int vpmc_system_read(const struct vpmc_handle *owner, struct vpmc_system_read *read)
{
	int err = -ENODATA;

	if (read->cpu != VPMC_ALL_CPUS &&
	    (read->cpu < 0 || read->cpu >= nr_cpu_ids ||
	     !cpu_possible(read->cpu)))
		return -EINVAL;

	cpus_read_lock();
	mutex_lock(&system_lock);
	if (system_owner == owner) {
		if (active())
			on_each_cpu(fold_cpu, NULL, 1);
		add_counts(read);
		read->state = active() ? VPMC_STATE_RUNNING :
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
	cpus_read_lock();
	mutex_lock(&system_lock);
	if (system_owner == owner) {
		stop();
		system_owner = NULL;
		vpmc_events_put(system_events);
		system_events = NULL;
	}
	mutex_unlock(&system_lock);
	cpus_read_unlock();
}

/* A processor's counts stay when it goes, and go on when it comes back. */
static int system_cpu_online(unsigned int cpu)
{
	mutex_lock(&system_lock);
	if (active()) {
		local_irq_disable();
		begin_cpu(NULL);
		local_irq_enable();
	}
	mutex_unlock(&system_lock);
	return 0;
}

static int system_cpu_offline(unsigned int cpu)
{
	mutex_lock(&system_lock);
	if (active()) {
		local_irq_disable();
		fold_cpu(NULL);
		local_irq_enable();
	}
	mutex_unlock(&system_lock);
	return 0;
}

/* Only the hardware is looked at: another processor may be changing the rest. */
void vpmc_system_hide(void)
{
	u64 now[VPMC_MAX_COUNTERS] = {};
	unsigned int i;

	if (!active())
		return;
	vpmc_pmu->read_counters(BIT(vpmc_pmu->nr_counters) - 1, now);
	for (i = 0; i < vpmc_pmu->nr_counters; i++)
		__this_cpu_add(system_hidden[i], now[i]);
}

void vpmc_system_pause(void)
{
	if (active())
		fold_cpu(NULL);
}

void vpmc_system_continue(void)
{
	if (active())
		begin_cpu(NULL);
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
	cancel_delayed_work_sync(&fold_work);
}
