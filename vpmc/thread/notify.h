/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Notice that a thread's count of an event has reached or passed a multiple of
 * a period, for which the thread wants a signal.
 *
 * This happens wherever counters are read, even in a context switch, where no
 * signal can be sent. So it queues a task work: the thread sends itself the
 * signal on its way back to user mode (signal.c). The signal comes before the
 * thread executes anything more in user mode, and none comes after a stop has
 * returned.
 */
#ifndef VPMC_NOTIFY_H
#define VPMC_NOTIFY_H

#include <linux/irq_work.h>
#include <linux/task_work.h>

#include "pmu/pmu.h"

struct task_struct;
struct vpmc_thread;

/**
 * struct vpmc_watch - the signals for one event
 * @signo: the signal
 * @period: events from one to the next
 * @next: the next multiple
 * @count: the count when a multiple was last noticed
 */
struct vpmc_watch {
	u32 signo;
	u64 period;
	u64 next;
	u64 count;
};

/**
 * struct vpmc_signals - the signals of a thread
 * @thread: its counters, and @task: the thread
 * @tell: sends what is due; a task work
 * @wake: interrupts a system call; a task work. @wake_irq: queues it, outside
 *	of the scheduler's locks
 * @waking: @wake is queued
 * @queued: @tell is queued. Written, like what follows, with interrupts off on
 *	the thread's processor, or while the thread does not count.
 * @armed: the events that have a signal, one bit each. Changes, like signo and
 *	period, only with the process's lock held.
 * @due: the events with a multiple that was noticed and not sent yet
 * @refused: the events in @due whose signal could not be queued
 * @watch: one per event, of which there are no more than counters
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
	struct vpmc_watch watch[];
};

/*
 * Create signals for current, whose counters are @t. @tell is the task work.
 * Returns NULL if memory is short. May sleep.
 */
struct vpmc_signals *vpmc_notify_create(struct vpmc_thread *t,
					task_work_func_t tell);

/*
 * Set the signals of @t to @s, or to none if @s is NULL. The caller frees the
 * old ones. @t is the calling thread's, or never ran. @t->process->lock held.
 */
void vpmc_notify_install(struct vpmc_thread *t, struct vpmc_signals *s);

/* Free @s, which no thread has any more. @s may be NULL. May sleep. */
void vpmc_notify_free(struct vpmc_signals *s);

/* Is @signo pending, and can only one of it be? Any context. */
bool vpmc_notify_is_pending(struct task_struct *tsk, int signo);

/*
 * Signal multiples of @period of event @i by @signo, or not at all if it is 0.
 */
void vpmc_notify_arm(struct vpmc_thread *t, u32 i, u32 signo, u64 period);

/*
 * Notice multiples in the counts of @t, which has signals and is up to date.
 * Interrupts off, on the processor that counts for @t; it may be switching from
 * @t.
 */
void vpmc_notify_check(struct vpmc_thread *t);

/* This processor has stopped counting for @t, which has signals. Likewise. */
void vpmc_notify_unload(struct vpmc_thread *t);

/*
 * @t, which has signals, has been stopped. If somebody else did that: send what
 * is due even if it falls asleep. May sleep; @t->process->lock held.
 */
void vpmc_notify_stopped(struct vpmc_thread *t);

/*
 * End the signals of @t, which has some, and is the calling thread's or does not
 * count. What was noticed and not sent is dropped. @t->process->lock held.
 */
void vpmc_notify_drop(struct vpmc_thread *t);

#endif /* VPMC_NOTIFY_H */
