/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the fast paths of a thread that reads its counts, stops itself,
 * and starts the same events again, as programs do around each part that they count. A
 * read needs no lock in this case, and the other calls take one lock once. The results
 * are the same as those of read.h and control.h.
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
 * @event: what to count
 * @nr: how many
 * @number: receives the generation, which is the identity of the start, too
 *
 * It may, as far as the driver is asked, count them already: no other thread of
 * its process has counters, it stopped itself, it counted the same events in the
 * present generation, and who may see them stays the same.
 *
 * Context: may sleep.
 * Return: whether it has started. If not, nothing has changed: see
 * vpmc_control_start().
 */
bool vpmc_own_start(const struct vpmc_event *event, u32 nr, u64 *number);

/*
 * The same with VPMC_START_FORCE: it may count. If system mode has taken the counters, that
 * is found out, and so what vpmc_control_start() would change is changed before it fails.
 */
bool vpmc_own_restart(const struct vpmc_event *event, u32 nr, u64 *number);

/**
 * vpmc_own_resume() - let the calling thread go on from its stopped counts
 * @event: what it counts
 * @nr: how many
 * @answer: receives what VPMC_START returns
 *
 * It may count them as for vpmc_own_start(), has stopped, and its counts are of the
 * process's present generation.
 *
 * Context: may sleep.
 * Return: whether it counts again. If not, nothing has changed: see
 * vpmc_control_start().
 */
bool vpmc_own_resume(const struct vpmc_event *event, u32 nr,
		     struct vpmc_answer *answer);

/**
 * vpmc_own_begin() - look at the calling thread's counts where they are
 * @p: of its process, or NULL for any process
 *
 * Where this processor counts for the thread, that needs no lock: who changes its
 * events or numbers stops it first, and waits until this processor has done so, which it
 * does when interrupts are on again. A thread that goes on counting keeps its numbers even
 * if system mode takes the counters from others of its process: all have the same epoch. Its
 * state is changed behind its stop, or behind the epoch. Others only make stricter who may
 * see the counts meanwhile: then this came first.
 *
 * Until vpmc_own_end() interrupts are off, and a page fault fails: the kernel looks for that
 * before it would enable interrupts, and so unsafe_put_user() says that it failed.
 *
 * Return: the thread, which is running, whose events are not large, and which is up to
 * date; or NULL, with nothing begun, if this is not as simple: see vpmc_read_own().
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
		vpmc_count_advance(t, t->counter);
		/* Or it is being stopped, or system mode begins. */
		if (likely(READ_ONCE(t->run) == READ_ONCE(vpmc_epoch))) {
			pagefault_disable();
			return t;
		}
	}
	local_irq_enable();
	return NULL;
}

/* How often @t, which vpmc_own_begin() returned, has counted event @i of @events, its set. */
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
 * Stop the calling thread. Returns whether that was done, with @answer. If not, nothing
 * has changed: see vpmc_control_stop().
 */
bool vpmc_own_stop(struct vpmc_answer *answer);

#endif /* VPMC_OWN_H */
