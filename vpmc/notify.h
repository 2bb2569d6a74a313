/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Noticing that a thread's count of an event has reached or passed a multiple of
 * a period, for which it wants a signal.
 *
 * It is noticed wherever the counters are looked at, be it in the midst of a
 * context switch, where nothing can be sent. There a task work is queued: the
 * thread itself sends the signal on its way back to user mode (signal.c). So
 * whatever was noticed is told before the thread executes anything more, and
 * after a stop there is nothing left to tell.
 */
#ifndef VPMC_NOTIFY_H
#define VPMC_NOTIFY_H

#include <linux/irq_work.h>
#include <linux/task_work.h>

#include "pmu.h"

struct task_struct;
struct vpmc_thread;

/**
 * struct vpmc_watch - the signals for one event
 * @signo: the signal
 * @period: events from one to the next
 * @next: the count that is the next to be noticed
 * @count: what the count was when that happened last
 */
struct vpmc_watch {
	u32 signo;
	u64 period;
	u64 next;
	u64 count;
};

/**
 * struct vpmc_signals - what a thread wants to be told
 * @thread: its counters, and @task: the thread
 * @tell: tells what is due; a task work
 * @wake: interrupts a system call; a task work. @wake_irq: queues it, out of
 *	the reach of the scheduler's locks
 * @waking: @wake is queued
 * @queued: @tell is queued. Written, like what follows, with interrupts off on
 *	the thread's processor, or while the thread does not count.
 * @armed: the events that have a signal, one bit each. Changes, like signo and
 *	period, only with the process's lock held.
 * @due: those of which a multiple was noticed and has not been told
 * @refused: those of them of which the signal could not be queued
 * @watch: one per event
 */
struct vpmc_signals {
	struct vpmc_thread *thread;
	struct task_struct *task;
	struct callback_head tell;
	struct callback_head wake;
	struct irq_work wake_irq;
	unsigned long waking;
	bool queued;
	u32 armed;
	u32 due;
	u32 refused;
	struct vpmc_watch watch[VPMC_MAX_COUNTERS];
};

/* Those of current, whose counters are @t; @tell is the task work. May sleep. */
struct vpmc_signals *vpmc_notify_create(struct vpmc_thread *t,
					task_work_func_t tell);

/*
 * Let @t have @s or, with @s NULL, none; what it had is the caller's. @t is the
 * calling thread's, or never ran. @t->process->lock held.
 */
void vpmc_notify_install(struct vpmc_thread *t, struct vpmc_signals *s);

/* Nothing leads to @s any more. May be NULL. May sleep. */
void vpmc_notify_free(struct vpmc_signals *s);

/* Is such a signal pending of which there can be one only? Any context. */
bool vpmc_notify_is_pending(struct task_struct *tsk, int signo);

/* Notice the multiples of @period of event @i, if @signo is not 0, or no more. */
void vpmc_notify_arm(struct vpmc_thread *t, u32 i, u32 signo, u64 period);

/*
 * The counts of @t, which has signals, have been brought up to date. Interrupts
 * off, on the processor that counts for @t; it may be switching from @t.
 */
void vpmc_notify_check(struct vpmc_thread *t);

/* This processor counts no more for @t, which has signals. Likewise. */
void vpmc_notify_unload(struct vpmc_thread *t);

/*
 * @t has been stopped by somebody else: what is due is told also if it falls
 * asleep. May sleep; @t->process->lock held.
 */
void vpmc_notify_stopped(struct vpmc_thread *t);

/*
 * No signals any more for @t, which is the calling thread's or does not count.
 * What was noticed and not told is forgotten. @t->process->lock held.
 */
void vpmc_notify_drop(struct vpmc_thread *t);

#endif /* VPMC_NOTIFY_H */
