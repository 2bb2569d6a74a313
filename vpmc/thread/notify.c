// SPDX-License-Identifier: GPL-2.0-only
/* This file notices that counts pass multiples of a period. */
#include <linux/bits.h>
#include <linux/lockdep.h>
#include <linux/math64.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "kernel/compat.h"
#include "cpu/cpu.h"
#include "thread/notify.h"
#include "thread/thread_counters.h"

/*
 * Return the first multiple of @period that is larger than @count, or U64_MAX if the
 * multiple overflows. Counts stay far below 2^63, so a larger multiple is never reached.
 */
static u64 notify_multiple_beyond(u64 count, u64 period)
{
	u64 multiple = (div64_u64(count, period) + 1) * period;

	return multiple > count ? multiple : U64_MAX;
}

static void notify_note(struct vpmc_watch *w, u64 count)
{
	w->count = count;
	w->next = notify_multiple_beyond(count, w->period);
}

/*
 * This may run in a context switch, because queuing a task work takes no lock. A
 * refused signal is tried again at the next check.
 */
void vpmc_notify_check(struct vpmc_thread *t)
{
	const struct vpmc_events *events = t->events;
	struct vpmc_signals *s = t->signals;
	u64 count;
	u32 i;

	lockdep_assert_irqs_disabled();
	for (i = 0; i < events->nr; i++) {
		count = vpmc_thread_count(t, i);
		if (s->armed & BIT(i) && count >= s->watch[i].next) {
			notify_note(&s->watch[i], count);
			s->due |= BIT(i);
			s->refused &= ~BIT(i);
		}
	}
	if (s->due && !s->queued)
		s->queued = !task_work_add(s->task, &s->tell,
					   TWA_RESUME | TWAF_NO_ALLOC);
}

bool vpmc_notify_is_pending(struct task_struct *tsk, int signo)
{
	return signo < SIGRTMIN && sigismember(&tsk->pending.signal, signo);
}

/* Return whether a due signal has not been refused and is not pending already. */
static bool notify_has_news(const struct vpmc_signals *s)
{
	u32 news = s->due & ~s->refused, i;

	for (i = 0; i < vpmc_pmu->nr_counters; i++) {
		if (news & BIT(i) &&
		    !vpmc_notify_is_pending(s->task, s->watch[i].signo))
			return true;
	}
	return false;
}

/*
 * Return whether the thread has a signal to send and can be interrupted. A dying thread
 * is not interrupted, because it may be writing its core dump.
 */
static bool notify_may_interrupt(const struct vpmc_signals *s)
{
	return !(s->task->flags & (PF_EXITING | PF_SIGNALED)) &&
	       notify_has_news(s);
}

static void notify_interrupt(struct vpmc_signals *s)
{
	if (READ_ONCE(s->queued) && !test_and_set_bit(0, &s->waking) &&
	    task_work_add(s->task, &s->wake, TWA_SIGNAL))
		clear_bit(0, &s->waking);
}

/*
 * A thread that falls asleep may be waiting for the signal that has just become due.
 * Wake it up, as any signal would, so that it sends itself the signal.
 */
void vpmc_notify_unload(struct vpmc_thread *t)
{
	struct vpmc_signals *s = t->signals;

	lockdep_assert_irqs_disabled();
	if (READ_ONCE(s->task->__state) & TASK_INTERRUPTIBLE &&
	    notify_may_interrupt(s))
		irq_work_queue(&s->wake_irq);
}

/*
 * A switch ignores a thread that has been stopped, so it does not notice that the
 * thread falls asleep. Interrupt the thread whether it sleeps or not.
 */
void vpmc_notify_stopped(struct vpmc_thread *t)
{
	struct vpmc_signals *s = t->signals;

	if (t->task != current && notify_may_interrupt(s))
		notify_interrupt(s);
}

static void notify_wake_irq(struct irq_work *work)
{
	notify_interrupt(container_of(work, struct vpmc_signals, wake_irq));
}

/*
 * Note that the system call has been interrupted. The thread also runs the task work
 * @tell, which sends the signals.
 */
static void notify_woken(struct callback_head *work)
{
	struct vpmc_signals *s = container_of(work, struct vpmc_signals, wake);

	clear_bit(0, &s->waking);
}

/* This function is empty, because the interrupt itself makes the thread run its works. */
static void notify_enter(struct irq_work *work)
{
}

struct vpmc_signals *vpmc_notify_create(struct vpmc_thread *t,
					task_work_func_t tell)
{
	struct vpmc_signals *s;

	s = kzalloc(struct_size(s, watch, vpmc_pmu->nr_counters) +
			    (vpmc_pmu->nr_counters + vpmc_pmu->nr_extra) * sizeof(u64),
		    GFP_KERNEL_ACCOUNT);
	if (!s)
		return NULL;
	s->select = (u64 *)&s->watch[vpmc_pmu->nr_counters];
	s->thread = t;
	s->task = current;
	init_task_work(&s->tell, tell);
	init_task_work(&s->wake, notify_woken);
	init_irq_work(&s->wake_irq, notify_wake_irq);
	init_irq_work(&s->enter, notify_enter);
	return s;
}

/* Interrupts are off because a tick or an IPI must find either both fields set or both clear. */
void vpmc_notify_install(struct vpmc_thread *t, struct vpmc_signals *s)
{
	unsigned long flags;

	local_irq_save(flags);
	t->alarmed = false;
	t->signals = s;
	t->has_signals = s;
	local_irq_restore(flags);
}

void vpmc_notify_free(struct vpmc_signals *s)
{
	if (!s)
		return;
	irq_work_sync(&s->wake_irq);
	irq_work_sync(&s->enter);
	kfree(s);
}

void vpmc_notify_arm(struct vpmc_thread *t, u32 i, u32 signo, u64 period)
{
	struct vpmc_signals *s = t->signals;
	struct vpmc_watch *w = &s->watch[i];

	lockdep_assert_irqs_disabled();
	s->due &= ~BIT(i);
	s->refused &= ~BIT(i);
	s->armed &= ~BIT(i);
	if (!signo)
		return;
	w->signo = signo;
	w->period = period;
	w->next = notify_multiple_beyond(vpmc_thread_count(t, i), period);
	s->armed |= BIT(i);
}

void vpmc_notify_drop(struct vpmc_thread *t)
{
	unsigned long flags;

	local_irq_save(flags);
	t->alarmed = false;
	t->signals->armed = 0;
	t->signals->due = 0;
	local_irq_restore(flags);
}
