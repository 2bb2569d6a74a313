// SPDX-License-Identifier: GPL-2.0-only
/* This file implements the fast paths of a thread that stops itself and starts again. */
#include <linux/lockdep.h>
#include <linux/sched.h>
#include <linux/spinlock.h>

#include "process/access.h"
#include "calls/control.h"
#include "thread/count.h"
#include "cpu/cpu.h"
#include "cpu/due.h"
#include "calls/own.h"
#include "process/process.h"

/*
 * Return whether @p has no session, is not occupied, and has the present epoch.
 * @p->lock must be held.
 */
static bool own_is_simple(const struct vpmc_process *p)
{
	lockdep_assert_held(&p->lock);
	return !p->special && p->epoch == READ_ONCE(vpmc_epoch);
}

/*
 * Return whether a start would only change the numbers of the counts, and keep the counts
 * of @t alone. With @force, @t may be counting.
 */
static __always_inline bool own_may_start(const struct vpmc_thread *t,
					  const struct vpmc_event *event,
					  u32 nr, bool force)
{
	const struct vpmc_process *p = t->process;

	return own_is_simple(p) && !vpmc_epoch_is_system(p->epoch) &&
	       p->reserved &&
	       list_is_singular(&p->threads) &&
	       (t->state == VPMC_STATE_STOPPED ||
		(force && t->state == VPMC_STATE_RUNNING)) &&
	       t->generation == p->generation && t->events == p->events &&
	       !(t->stopped | t->extras) && vpmc_events_match(t->events, event, nr) &&
	       vpmc_sum_is_empty(&p->exited) &&
	       (!p->children || vpmc_sum_is_empty(p->children)) &&
	       vpmc_access_start_keeps(&p->access);
}

/*
 * Stop @t if it counts, so that its counts are complete. Returns false if system mode has
 * already taken the counters, because any kind of start then fails.
 */
static __always_inline bool own_halt(struct vpmc_thread *t)
{
	if (t->state != VPMC_STATE_RUNNING)
		return true;
	vpmc_count_stop_own(t);
	vpmc_process_enforce_epoch(t->process);
	return t->state == VPMC_STATE_RUNNING;
}

/* Begin a new generation of the same events at zero. */
static __always_inline void own_start(struct vpmc_thread *t)
{
	struct vpmc_process *p = t->process;

	vpmc_count_add(&p->before, t);
	p->how = VPMC_PROCESS_OWN;
	p->inherited = 0;
	vpmc_access_date(&p->access);
	p->generation = vpmc_process_new_number();
	p->identity = p->generation;
	t->generation = p->generation;
	t->identity = p->generation;
	t->tsc = 0;
	memset(t->counter, 0, sizeof(t->counter));
	vpmc_process_set_state(t, VPMC_STATE_RUNNING);
	vpmc_count_start_own(t, t->process->epoch);
}

/* Return the calling thread's counters if this path may start the events, or NULL. */
static __always_inline struct vpmc_thread *
own_that_may_count(const struct vpmc_event *event, u32 nr)
{
	struct vpmc_thread *t = current->thread.vpmc;
	bool kernel = false;
	u32 i;

	/*
	 * Only the thread itself changes its page. own_may_start() and own_may_resume()
	 * check for signals, because @extras includes them.
	 */
	if (!t || t->page)
		return NULL;
	for (i = 0; i < nr; i++)
		kernel |= event[i].modes & VPMC_MODE_KERNEL;
	return vpmc_access_may_count(kernel) ? NULL : t;
}

static __always_inline bool own_try_start(const struct vpmc_event *event,
					  u32 nr, bool force, u64 *number)
{
	struct vpmc_thread *t = own_that_may_count(event, nr);
	bool started;

	if (!t)
		return false;
	spin_lock(&t->process->lock);
	started = own_may_start(t, event, nr, force) &&
		  (!force || own_halt(t));
	if (likely(started)) {
		own_start(t);
		*number = t->identity;
	}
	spin_unlock(&t->process->lock);
	return started;
}

bool vpmc_own_start(const struct vpmc_event *event, u32 nr, u64 *number)
{
	return own_try_start(event, nr, false, number);
}

bool vpmc_own_restart(const struct vpmc_event *event, u32 nr, u64 *number)
{
	return own_try_start(event, nr, true, number);
}

/* Return whether a resumption would change only the state and the gaps of @t. */
static bool own_may_resume(const struct vpmc_thread *t,
			   const struct vpmc_event *event, u32 nr)
{
	const struct vpmc_process *p = t->process;

	return own_is_simple(p) && !vpmc_epoch_is_system(p->epoch) &&
	       p->reserved &&
	       t->state == VPMC_STATE_STOPPED &&
	       t->generation == p->generation && t->events && !t->extras &&
	       vpmc_events_match(t->events, event, nr) &&
	       vpmc_access_may_see(&p->access, true);
}

static void own_resume(struct vpmc_thread *t)
{
	vpmc_process_end_gap(t);
	t->process->how |= VPMC_PROCESS_OWN;
	vpmc_process_set_state(t, VPMC_STATE_RUNNING);
	vpmc_count_start_own(t, t->process->epoch);
}

bool vpmc_own_resume(const struct vpmc_event *event, u32 nr,
		     struct vpmc_answer *answer)
{
	struct vpmc_thread *t = own_that_may_count(event, nr);
	bool resumed;

	if (!t)
		return false;
	spin_lock(&t->process->lock);
	resumed = own_may_resume(t, event, nr);
	if (likely(resumed)) {
		own_resume(t);
		answer->generation = t->generation;
		answer->identity = t->identity;
		answer->self = t->process->identity;
	}
	spin_unlock(&t->process->lock);
	return resumed;
}

/* Stop @t. If system mode has already taken the counters, @t is revoked. */
static __always_inline void own_stop(struct vpmc_thread *t)
{
	if (unlikely(!vpmc_thread_is_busy(t))) {
		vpmc_process_note_gap(t);
		return;
	}
	vpmc_count_stop_own(t);
	vpmc_process_enforce_epoch(t->process);
	if (unlikely(!vpmc_thread_is_busy(t)))
		return;
	vpmc_process_set_state(t, VPMC_STATE_STOPPED);
	vpmc_count_forget(t);
	vpmc_due_note();
}

bool vpmc_own_stop(struct vpmc_answer *answer)
{
	struct vpmc_thread *t = current->thread.vpmc;
	bool stopped;

	if (!t)
		return false;
	spin_lock(&t->process->lock);
	stopped = own_is_simple(t->process) && t->events &&
		  vpmc_access_may_see(&t->process->access, true);
	if (likely(stopped)) {
		own_stop(t);
		answer->generation = t->generation;
		answer->identity = t->identity;
	}
	spin_unlock(&t->process->lock);
	return stopped;
}
