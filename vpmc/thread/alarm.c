// SPDX-License-Identifier: GPL-2.0-only
/* This file lets counters interrupt for signals. */
#include <linux/bits.h>
#include <linux/irq_work.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>

#include "cpu/cpu.h"
#include "kernel/msr.h"
#include "thread/alarm.h"
#include "thread/loaded.h"
#include "thread/notify.h"
#include "thread/thread_counters.h"

/* Return whether the counter of event @i can interrupt for its signal. */
static bool alarm_is_possible(const struct vpmc_events *events, const struct vpmc_signals *s,
			      u32 i)
{
	return s->armed & BIT(i) && s->watch[i].period >= VPMC_MIN_PERIOD &&
	       vpmc_cpu_interrupts() & BIT(events->slot[i].event.counter);
}

void vpmc_alarm_choose(struct vpmc_thread *t)
{
	const struct vpmc_events *events = t->events;
	struct vpmc_signals *s = t->signals;
	u32 i, nr = events->nr;

	lockdep_assert_irqs_disabled();
	s->alarms = 0;
	s->alarm_counters = 0;
	if (events->load.kernel || events->rings || events->cascades)
		nr = 0;
	for (i = 0; i < nr; i++) {
		if (!alarm_is_possible(events, s, i))
			continue;
		s->alarms |= BIT(i);
		s->alarm_counters |= BIT(events->slot[i].event.counter);
	}
	t->alarmed = s->alarms;
	if (t->alarmed)
		vpmc_events_compose_alarms(&s->load, s->select, events, s->alarms);
}

u32 vpmc_alarm_counters(const struct vpmc_thread *t)
{
	return t->signals->alarm_counters;
}

const struct vpmc_load *vpmc_alarm_load_of(const struct vpmc_thread *t)
{
	return &t->signals->load;
}

static struct vpmc_counter *alarm_counter_of(struct vpmc_thread *t, u32 i)
{
	return &vpmc_thread_counters(t)[vpmc_events_index(t->events, i)];
}

/* Let each counter overflow at the next multiple, or earlier if the multiple is far away. */
static void alarm_reload(struct vpmc_thread *t)
{
	const struct vpmc_signals *s = t->signals;
	struct vpmc_counter *c;
	u64 distance;
	u32 i;

	for (i = 0; i < t->events->nr; i++) {
		if (!(s->alarms & BIT(i)))
			continue;
		c = alarm_counter_of(t, i);
		distance = min_t(u64, s->watch[i].next - c->sum, S32_MAX);
		c->start = -distance & vpmc_pmu->counter_mask;
		wrmsrq(vpmc_pmu->counter_msr(t->events->slot[i].event.counter),
		       c->start & vpmc_pmu->write_mask);
	}
}

void vpmc_alarm_load(struct vpmc_thread *t, u64 *now)
{
	u32 i;

	lockdep_assert_irqs_disabled();
	alarm_reload(t);
	for (i = 0; i < t->events->nr; i++) {
		if (t->signals->alarms & BIT(i))
			now[t->events->slot[i].event.counter] = alarm_counter_of(t, i)->start;
	}
}

bool vpmc_alarm_fold(struct vpmc_thread *t, bool stays)
{
	const u64 top = BIT_ULL(vpmc_pmu->counter_bits - 1);
	bool overflowed = false;
	u32 i;

	for (i = 0; i < t->events->nr; i++) {
		if (t->signals->alarms & BIT(i) && !(alarm_counter_of(t, i)->start & top))
			overflowed = true;
	}
	if (stays)
		alarm_reload(t);
	return overflowed;
}

/*
 * Queuing a task work takes no lock. The return from an NMI does not run the work, but the return
 * from the next interrupt does.
 */
bool vpmc_alarm_advance(struct vpmc_thread *t)
{
	bool overflowed;

	vpmc_loaded_advance(t, vpmc_thread_counters(t));
	vpmc_notify_check(t);
	overflowed = vpmc_alarm_fold(t, true);
	if (t->signals->due)
		irq_work_queue(&t->signals->enter);
	return overflowed;
}
