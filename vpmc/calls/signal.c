// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file sends signals when counts pass multiples of a period. The thread sends them
 * to itself when it returns to user mode. notify.h explains how the driver notices the
 * multiples.
 */
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/lockdep.h>
#include <linux/nospec.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/vpmc_hooks.h>

#include "thread/alarm.h"
#include "thread/count.h"
#include "cpu/cpu.h"
#include "thread/notify.h"
#include "thread/sample.h"
#include "calls/signal.h"
#include "process/thread.h"

/* The message replaces si_addr, si_pid and so on in siginfo_t. */
static_assert(sizeof(struct vpmc_siginfo) <=
	      sizeof_field(struct kernel_siginfo, _sifields));
static_assert(sizeof(struct vpmc_siginfo) == VPMC_SIGINFO_SIZE);
static_assert(VPMC_SI_CODE == SI_KERNEL);

static spinlock_t *signal_lock(void)
{
	return &rcu_dereference_protected(current->sighand, true)->siglock;
}

/*
 * Return the message in @info. All fields of struct vpmc_siginfo have 32 bits, so they
 * are aligned in @info.
 */
static struct vpmc_siginfo *signal_message(const struct kernel_siginfo *info)
{
	return (struct vpmc_siginfo *)&info->_sifields;
}

static bool signal_is_of_same_event(const struct kernel_siginfo *a,
				    const struct kernel_siginfo *b)
{
	return a->si_signo == b->si_signo && a->si_code == b->si_code &&
	       signal_message(a)->event == signal_message(b)->event;
}

/*
 * Replace a pending signal for the same event by @info. Returns whether such a signal was pending.
 */
static bool signal_update_pending(const struct kernel_siginfo *info)
{
	struct sigqueue *q;
	bool found = false;

	spin_lock_irq(signal_lock());
	list_for_each_entry(q, &current->pending.list, list) {
		found = signal_is_of_same_event(&q->info, info);
		if (found) {
			copy_siginfo(&q->info, info);
			break;
		}
	}
	spin_unlock_irq(signal_lock());
	return found;
}

/*
 * Send the signal to the calling thread, or update the signal if it is still pending.
 * Returns false if the caller has to try again.
 */
static bool signal_send(struct kernel_siginfo *info)
{
	if (signal_update_pending(info))
		return true;
	if (vpmc_notify_is_pending(current, info->si_signo) ||
	    send_sig_info(info->si_signo, info, current))
		return false;
	/* Another task may have queued a signal with this number first. */
	return signal_update_pending(info) ||
	       !vpmc_notify_is_pending(current, info->si_signo);
}

static bool signal_send_count(const struct vpmc_signals *s, u32 event,
			      u64 count)
{
	u64 start = s->thread->identity;
	struct kernel_siginfo info;

	clear_siginfo(&info);
	info.si_signo = s->watch[event].signo;
	info.si_code = VPMC_SI_CODE;
	*signal_message(&info) = (struct vpmc_siginfo){
		.event = event,
		.count = { lower_32_bits(count), upper_32_bits(count) },
		.start = { lower_32_bits(start), upper_32_bits(start) },
	};
	return signal_send(&info);
}

/* Clear the due bit of the event and set *@count. Returns whether the bit was set. */
static bool signal_take_due(struct vpmc_signals *s, u32 event, u64 *count)
{
	bool due;

	local_irq_disable();
	vpmc_sample_begin();
	due = s->due & BIT(event);
	s->due &= ~BIT(event);
	*count = s->watch[event].count;
	vpmc_sample_end();
	local_irq_enable();
	return due;
}

static void signal_put_back(struct vpmc_signals *s, u32 event)
{
	local_irq_disable();
	vpmc_sample_begin();
	s->due |= BIT(event);
	if (!vpmc_notify_is_pending(current, s->watch[event].signo))
		s->refused |= BIT(event);
	vpmc_sample_end();
	local_irq_enable();
}

/* Send the calling thread all signals that are due. */
static void signal_tell_due(struct vpmc_signals *s)
{
	u64 count;
	u32 i;

	lockdep_assert_held(&s->thread->process->lock);
	for (i = 0; i < vpmc_pmu->nr_counters; i++) {
		if (signal_take_due(s, i, &count) &&
		    !signal_send_count(s, i, count))
			signal_put_back(s, i);
	}
}

static void signal_tell(struct callback_head *work)
{
	struct vpmc_signals *s = container_of(work, struct vpmc_signals, tell);

	/* The work can be queued again from here on. */
	WRITE_ONCE(s->queued, false);
	vpmc_process_lock(s->thread->process);
	signal_tell_due(s);
	vpmc_process_unlock(s->thread->process);
}

static int signal_check(const struct vpmc_thread *t,
			const struct vpmc_signal *args)
{
	if (!t->events || t->state == VPMC_STATE_REVOKED)
		return -ENODATA;
	/* Check this first, because -EINVAL would reveal how many events there are. */
	if (!vpmc_access_may_see(&t->process->access, true))
		return -EPERM;
	if (args->event >= t->events->nr || vpmc_events_multiplex(t->events))
		return -EINVAL;
	return 0;
}

/*
 * Set the signal of an event. If @t has no signals yet, it takes *@spare. Multiples that
 * the count has already passed are still signalled. The epoch of @t's process has been
 * enforced.
 */
static int signal_set_locked(struct vpmc_thread *t, struct vpmc_signal *args,
			     struct vpmc_signals **spare)
{
	int err = signal_check(t, args);
	u32 event;

	if (err)
		return err;
	event = array_index_nospec(args->event, t->events->nr);
	args->generation = t->generation;
	args->start = t->identity;
	if (!t->signals && *spare) {
		vpmc_notify_install(t, *spare);
		*spare = NULL;
	}
	if (!t->signals)
		return 0;

	vpmc_count_fold_own();
	signal_tell_due(t->signals);

	/* From here on, the processor counts for the thread with counters that interrupt. */
	local_irq_disable();
	vpmc_count_pause();
	vpmc_notify_arm(t, event, args->signo, args->period);
	vpmc_alarm_choose(t);
	vpmc_count_continue();
	local_irq_enable();
	return 0;
}

int vpmc_signal_set(struct vpmc_signal *args)
{
	struct vpmc_thread *t = current->thread.vpmc;
	struct vpmc_signals *spare = NULL;
	int err;

	if (!valid_signal(args->signo) || (args->signo && !args->period))
		return -EINVAL;
	if (!t)
		return -ENODATA;
	if (args->signo && !t->signals) {
		spare = vpmc_notify_create(t, signal_tell);
		if (!spare)
			return -ENOMEM;
		if (vpmc_cpu_interrupts())
			vpmc_sample_use();
	}
	err = -EINTR;
	if (vpmc_process_lock_killable(t->process)) {
		vpmc_process_enforce_epoch(t->process);
		err = signal_set_locked(t, args, &spare);
	}
	vpmc_process_unlock(t->process);
	vpmc_notify_free(spare);
	return err;
}
