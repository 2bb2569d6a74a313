/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares how the driver notices that counts pass multiples. A thread can ask for a
 * signal whenever its count of an event has reached or passed a multiple of a period.
 *
 * A counter that can interrupt does so at the next multiple (alarm.h). The driver also checks the
 * counts wherever it reads counters, even in a context switch. It cannot send a signal during a
 * switch. So it queues a task work, and the thread sends itself the signal when it returns to user
 * mode (signal.c). The thread gets the signal before it executes another instruction in user mode.
 * It does not get a signal after a stop has returned.
 */
#ifndef VPMC_NOTIFY_H
#define VPMC_NOTIFY_H

#include <linux/irq_work.h>
#include <linux/task_work.h>

#include "pmu/pmu.h"

struct task_struct;
struct vpmc_thread;

/**
 * struct vpmc_watch - the signal for one event
 * @signo: the signal
 * @period: number of events from one signal to the next
 * @next: the next multiple of @period
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
 * @thread: counters of the thread
 * @task: the thread
 * @tell: task work that sends the signals that are due
 * @wake: task work that interrupts a system call
 * @wake_irq: queues @wake outside of the scheduler's locks
 * @enter: interrupts the thread after an NMI, so that the thread runs @tell
 * @waking: bit 0 is set while @wake is queued
 * @queued: whether @tell is queued. This field and the following ones are written with
 *	interrupts off on the thread's processor, or while the thread does not count.
 * @armed: the events that have a signal, one bit each. It changes only with the process's
 *	lock held, like the signals' numbers and periods.
 * @due: the events whose signal is due and was not sent yet, one bit each
 * @refused: the events in @due whose signal could not be queued
 * @alarms: the events in @armed whose counters interrupt, one bit each
 * @alarm_counters: the counters of the events in @alarms, one bit each
 * @load: the registers' values for a processor that runs the thread, if @alarms is not 0
 * @select: the selects of @load, after @watch
 * @watch: one entry per event; there are at most as many events as counters
 */
struct vpmc_signals {
	struct vpmc_thread *thread;
	struct task_struct *task;
	struct callback_head tell;
	struct callback_head wake;
	struct irq_work wake_irq;
	struct irq_work enter;
	unsigned long waking;
	bool queued;
	u32 armed;
	u32 due;
	u32 refused;
	u32 alarms;
	u32 alarm_counters;
	struct vpmc_load load;
	u64 *select;
	struct vpmc_watch watch[];
};

/*
 * Create the signals of current, whose counters are @t. @tell is the task work that
 * sends them. Returns NULL if memory is short. May sleep.
 */
struct vpmc_signals *vpmc_notify_create(struct vpmc_thread *t,
					task_work_func_t tell);

/*
 * Set the signals of @t to @s, or remove them if @s is NULL. The caller frees the old
 * signals. @t belongs to the calling thread, or never ran. @t->process->lock must be
 * held.
 */
void vpmc_notify_install(struct vpmc_thread *t, struct vpmc_signals *s);

/* Free @s, which does not belong to a thread any more. @s may be NULL. May sleep. */
void vpmc_notify_free(struct vpmc_signals *s);

/* Return whether a pending @signo prevents another @signo from being queued. Any context. */
bool vpmc_notify_is_pending(struct task_struct *tsk, int signo);

/*
 * Send @signo at multiples of @period of event @i, or end its signals if @signo is 0.
 * Interrupts off.
 */
void vpmc_notify_arm(struct vpmc_thread *t, u32 i, u32 signo, u64 period);

/*
 * Check the counts of @t, which has signals and is up to date, and note the signals that are
 * due. This is called on the processor that counts for @t, which may be switching from @t.
 * Interrupts off.
 */
void vpmc_notify_check(struct vpmc_thread *t);

/*
 * Wake up @t if it falls asleep while a signal is due. This processor has stopped
 * counting for @t, which has signals. Interrupts off.
 */
void vpmc_notify_unload(struct vpmc_thread *t);

/*
 * Interrupt @t, which has been stopped, if a signal is due and @t is not current. The due
 * signals are then sent even if the thread falls asleep. May sleep. @t->process->lock
 * held.
 */
void vpmc_notify_stopped(struct vpmc_thread *t);

/*
 * End the signals of @t, which has signals. Due signals are dropped. @t belongs to the
 * calling thread or does not count. @t->process->lock must be held.
 */
void vpmc_notify_drop(struct vpmc_thread *t);

#endif /* VPMC_NOTIFY_H */
