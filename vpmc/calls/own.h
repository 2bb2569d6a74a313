/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the fast paths of a thread that reads its counts, stops itself, and starts the
 * same events again, as programs do around each part that they count. A read then does not take a
 * lock, and each of the other calls takes only one lock, and takes it once. The results are the
 * same as with the functions of read.h and control.h.
 */
#ifndef VPMC_OWN_H
#define VPMC_OWN_H

#include <linux/irqflags.h>
#include <linux/uaccess.h>

#include "process/access.h"
#include "thread/count.h"
#include "process/process.h"

struct vpmc_answer;

/**
 * vpmc_own_start() - let the calling thread start again from zero, without flags
 * @event: the events to count
 * @nr: number of events
 * @number: receives the generation, which is also the identity of the start
 *
 * This succeeds only in the common case: no other thread of the process has counters,
 * the thread has stopped, it counted the same events in the present generation, and the
 * access to the counts does not change.
 *
 * Context: may sleep. Return: true if the thread has started. If not, nothing has
 * changed, and the caller uses vpmc_control_start().
 */
bool vpmc_own_start(const struct vpmc_event *event, u32 nr, u64 *number);

/*
 * Like vpmc_own_start() with VPMC_START_FORCE: the thread may be counting. If system
 * mode has taken the counters, this revokes the thread, as vpmc_control_start() would
 * before it fails.
 */
bool vpmc_own_restart(const struct vpmc_event *event, u32 nr, u64 *number);

/**
 * vpmc_own_resume() - let the calling thread continue its stopped counts
 * @event: the events that the thread counts
 * @nr: number of events
 * @answer: receives the answer of VPMC_START
 *
 * This succeeds only if the thread may count the events, has stopped, and has counts of
 * the process's present generation.
 *
 * Context: may sleep. Return: true if the thread counts again. If not, nothing has
 * changed, and the caller uses vpmc_control_start().
 */
bool vpmc_own_resume(const struct vpmc_event *event, u32 nr,
		     struct vpmc_answer *answer);

/**
 * vpmc_own_begin() - begin to read the calling thread's counts without a lock
 * @p: the counters of its process, or NULL for any process
 *
 * If this processor counts for the thread, the read does not need a lock. Before a task changes the
 * thread's events, generation or start, it stops the thread, and waits until this processor has
 * stopped counting, which happens when interrupts are on again. A thread that continues to count
 * keeps its generation and start, even if system mode takes the counters from other threads. All
 * threads of a process have the same epoch. The thread's state changes after its stop, or after a
 * change of the epoch. Other tasks can also restrict the access to the counts during the read. The
 * result is then the same as that of a read before the restriction.
 *
 * Until vpmc_own_end(), interrupts are off and page faults are disabled. The fault
 * handler checks this before it would enable interrupts, so unsafe_put_user() fails on a
 * page fault.
 *
 * Return: the thread, if it is counting and its events are not large. It is up to date.
 * NULL if this is not the common case. After NULL, the caller uses vpmc_read_own(), and
 * does not call vpmc_own_end().
 */
static __always_inline const struct vpmc_thread *
vpmc_own_begin(const struct vpmc_process *p)
{
	struct vpmc_thread *t;

	lockdep_assert_irqs_enabled();
	local_irq_disable();
	t = __this_cpu_read(vpmc_loaded);
	if (likely(t && !t->extras && (!p || p == t->process) &&
		   vpmc_access_may_see_own(&t->process->access))) {
		vpmc_loaded_advance(t, t->counter);
		/* If the epochs differ, the thread is being stopped, or system mode begins. */
		if (likely(READ_ONCE(t->run) == READ_ONCE(vpmc_epoch))) {
			pagefault_disable();
			return t;
		}
	}
	local_irq_enable();
	return NULL;
}

/*
 * Return a pointer to the count of event @i. vpmc_own_begin() has returned @t, and
 * @events is its set.
 */
static __always_inline const u64 *
vpmc_own_sum(const struct vpmc_thread *t, const struct vpmc_events *events, u32 i)
{
	return &t->counter[vpmc_events_index(events, i)].sum;
}

static __always_inline void vpmc_own_end(void)
{
	pagefault_enable();
	local_irq_enable();
}

/*
 * Stop the calling thread. Returns true, with @answer, if it was stopped. If not, nothing
 * has changed, and the caller uses vpmc_control_stop().
 */
bool vpmc_own_stop(struct vpmc_answer *answer);

#endif /* VPMC_OWN_H */
