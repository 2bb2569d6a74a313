// SPDX-License-Identifier: GPL-2.0-only
/* Signals when counts pass multiples of a period. See signals.h. */
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/irq_work.h>
#include <linux/math64.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/task_work.h>

#include "process.h"
#include "signals.h"
#include "thread.h"

/* Where siginfo_t has si_addr, si_pid and so on, there the message goes. */
static_assert(sizeof(struct vpmc_siginfo) <=
	      sizeof_field(struct kernel_siginfo, _sifields));
static_assert(VPMC_SI_CODE == SI_KERNEL);

/**
 * struct watch - the signals for one event
 * @signo: the signal
 * @period: events from one to the next
 * @next: the count that is the next to be noticed
 * @count: what the count was when that happened last
 */
struct watch {
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
	struct watch watch[VPMC_MAX_COUNTERS];
};

/*
 * The first multiple of @period beyond @count. No overflow: no count comes near
 * 2^63.
 */
static u64 multiple_beyond(u64 count, u64 period)
{
	return (div64_u64(count, period) + 1) * period;
}

static void note(struct watch *w, u64 count)
{
	w->count = count;
	w->next += w->period;
	if (w->next <= count)
		w->next = multiple_beyond(count, w->period);
}

/*
 * The scheduler's locks may be held, so that nothing can be sent here, nor the
 * thread be woken. To queue a task work takes no lock. What could not be told
 * before is tried again whenever this is called.
 */
void vpmc_signals_notice(struct vpmc_thread *t)
{
	struct vpmc_signals *s = t->signals;
	u32 i;

	for (i = 0; i < t->events->nr; i++) {
		if (s->armed & BIT(i) &&
		    t->counter[i].sum >= s->watch[i].next) {
			note(&s->watch[i], t->counter[i].sum);
			s->due |= BIT(i);
			s->refused &= ~BIT(i);
		}
	}
	if (s->due && !s->queued)
		s->queued = !task_work_add(s->task, &s->tell, TWA_RESUME);
}

/* Is such a signal pending of which there can be one only? */
static bool is_taken(struct task_struct *tsk, int signo)
{
	return signo < SIGRTMIN && sigismember(&tsk->pending.signal, signo);
}

/* Is there something to tell that was not tried in vain? */
static bool has_news(const struct vpmc_signals *s)
{
	u32 news = s->due & ~s->refused, i;

	for (i = 0; i < VPMC_MAX_COUNTERS; i++) {
		if (news & BIT(i) && !is_taken(s->task, s->watch[i].signo))
			return true;
	}
	return false;
}

/*
 * A thread that falls asleep may be waiting for the very signal that has just
 * been found to be due. It is woken to tell itself, as by any signal; unless it
 * is dying, when it must write its core dump in peace.
 */
void vpmc_signals_switch_out(struct vpmc_thread *t)
{
	struct vpmc_signals *s = t->signals;

	if (READ_ONCE(s->task->__state) & TASK_INTERRUPTIBLE &&
	    !(s->task->flags & (PF_EXITING | PF_SIGNALED)) && has_news(s))
		irq_work_queue(&s->wake_irq);
}

static void wake_irq(struct irq_work *work)
{
	struct vpmc_signals *s =
		container_of(work, struct vpmc_signals, wake_irq);

	if (READ_ONCE(s->queued) && !test_and_set_bit(0, &s->waking))
		task_work_add(s->task, &s->wake, TWA_SIGNAL);
}

/* The system call has been interrupted. @tell runs, too. */
static void woken(struct callback_head *work)
{
	struct vpmc_signals *s = container_of(work, struct vpmc_signals, wake);

	clear_bit(0, &s->waking);
}

static spinlock_t *siglock(void)
{
	return &rcu_dereference_protected(current->sighand, true)->siglock;
}

/* struct vpmc_siginfo has no field that must be aligned otherwise. */
static struct vpmc_siginfo *message(const struct kernel_siginfo *info)
{
	return (struct vpmc_siginfo *)&info->_sifields;
}

static bool is_of_same_event(const struct kernel_siginfo *a,
			     const struct kernel_siginfo *b)
{
	return a->si_signo == b->si_signo && a->si_code == b->si_code &&
	       message(a)->event == message(b)->event;
}

/*
 * If the signal for the same event is pending, let it say what @info says.
 * Returns whether it is.
 */
static bool update_pending(const struct kernel_siginfo *info)
{
	struct sigqueue *q;
	bool found = false;

	spin_lock_irq(siglock());
	list_for_each_entry(q, &current->pending.list, list) {
		found = is_of_same_event(&q->info, info);
		if (found) {
			copy_siginfo(&q->info, info);
			break;
		}
	}
	spin_unlock_irq(siglock());
	return found;
}

/*
 * Send the signal to the calling thread, or bring it up to date if it is still
 * pending. Returns whether it has what @info says, or ignores it.
 */
static bool send(struct kernel_siginfo *info)
{
	if (update_pending(info))
		return true;
	if (is_taken(current, info->si_signo) ||
	    send_sig_info(info->si_signo, info, current))
		return false;
	/* Somebody else may have been faster. */
	return update_pending(info) || !is_taken(current, info->si_signo);
}

static bool send_count(const struct vpmc_signals *s, u32 event, u64 count)
{
	u64 generation = s->thread->generation;
	struct kernel_siginfo info;

	clear_siginfo(&info);
	info.si_signo = s->watch[event].signo;
	info.si_code = VPMC_SI_CODE;
	*message(&info) = (struct vpmc_siginfo){
		.event = event,
		.count = { lower_32_bits(count), upper_32_bits(count) },
		.generation = { lower_32_bits(generation),
				upper_32_bits(generation) },
	};
	return send(&info);
}

/* Is the event due? Then it is no more, and *@count is what to tell. */
static bool take_due(struct vpmc_signals *s, u32 event, u64 *count)
{
	bool due;

	local_irq_disable();
	due = s->due & BIT(event);
	s->due &= ~BIT(event);
	*count = s->watch[event].count;
	local_irq_enable();
	return due;
}

static void put_back(struct vpmc_signals *s, u32 event)
{
	local_irq_disable();
	s->due |= BIT(event);
	if (!is_taken(current, s->watch[event].signo))
		s->refused |= BIT(event);
	local_irq_enable();
}

/* Tell the calling thread all that is due. @s->thread->process->lock held. */
static void tell_due(struct vpmc_signals *s)
{
	u64 count;
	u32 i;

	for (i = 0; i < VPMC_MAX_COUNTERS; i++) {
		if (take_due(s, i, &count) && !send_count(s, i, count))
			put_back(s, i);
	}
}

static void tell(struct callback_head *work)
{
	struct vpmc_signals *s = container_of(work, struct vpmc_signals, tell);

	/* From here on it can be queued again. */
	WRITE_ONCE(s->queued, false);
	vpmc_process_lock(s->thread->process);
	tell_due(s);
	vpmc_process_unlock(s->thread->process);
}

static struct vpmc_signals *create(struct vpmc_thread *t)
{
	struct vpmc_signals *s = kzalloc(sizeof(*s), GFP_KERNEL_ACCOUNT);

	if (!s)
		return NULL;
	s->thread = t;
	s->task = current;
	init_task_work(&s->tell, tell);
	init_task_work(&s->wake, woken);
	init_irq_work(&s->wake_irq, wake_irq);
	return s;
}

/* Nothing is due for the event. Interrupts off, vpmc_process_lock() held. */
static void arm(struct vpmc_thread *t, const struct vpmc_signal *args)
{
	struct vpmc_signals *s = t->signals;
	struct watch *w = &s->watch[args->event];

	s->due &= ~BIT(args->event);
	s->refused &= ~BIT(args->event);
	s->armed &= ~BIT(args->event);
	if (!args->signo)
		return;
	w->signo = args->signo;
	w->period = args->period;
	w->next = multiple_beyond(t->counter[args->event].sum, args->period);
	s->armed |= BIT(args->event);
}

/* What is passed before this is still told. vpmc_process_lock() held. */
static int set(struct vpmc_thread *t, struct vpmc_signal *args)
{
	if (!t->events || t->state == VPMC_STATE_REVOKED)
		return -ENODATA;
	if (args->event >= t->events->nr || vpmc_events_shared(t->events))
		return -EINVAL;
	args->generation = t->generation;
	if (!t->signals)
		return 0;

	local_irq_disable();
	vpmc_thread_fold(t->process);
	local_irq_enable();
	tell_due(t->signals);

	local_irq_disable();
	arm(t, args);
	local_irq_enable();
	return 0;
}

int vpmc_signals_set(struct vpmc_signal *args)
{
	struct vpmc_thread *t = current->thread.vpmc;
	struct vpmc_signals *s;
	int err;

	if (!valid_signal(args->signo) || (args->signo && !args->period))
		return -EINVAL;
	if (!t)
		return -ENODATA;
	s = t->signals;
	if (args->signo && !s) {
		s = create(t);
		if (!s)
			return -ENOMEM;
	}
	vpmc_process_lock(t->process);
	t->signals = s;
	t->has_signals = s;
	vpmc_process_settle(t->process);
	err = set(t, args);
	vpmc_process_unlock(t->process);
	return err;
}

void vpmc_signals_drop(struct vpmc_thread *t)
{
	if (!t->signals)
		return;
	local_irq_disable();
	t->signals->armed = 0;
	t->signals->due = 0;
	local_irq_enable();
}

/*
 * The task works have run, or could not be queued any more: the kernel runs
 * them for a thread that exits before it calls the exit hook.
 */
void vpmc_signals_exit(struct vpmc_thread *t)
{
	struct vpmc_signals *s = t->signals;

	if (!s)
		return;
	vpmc_process_lock(t->process);
	t->signals = NULL;
	t->has_signals = false;
	vpmc_process_unlock(t->process);
	irq_work_sync(&s->wake_irq);
	kfree(s);
}
