// SPDX-License-Identifier: GPL-2.0-only
/* This file gives counters to threads, resets them, and keeps their counts. */
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "kernel/compat.h"
#include "thread/count.h"
#include "kernel/kernel.h"
#include "process/prealloc.h"
#include "process/session.h"
#include "process/thread.h"

struct vpmc_thread *vpmc_thread_create(struct vpmc_process *p)
{
	struct vpmc_thread *t = kzalloc(sizeof(*t), GFP_KERNEL_ACCOUNT);

	if (t)
		vpmc_thread_init(t, vpmc_process_get(p));
	return t;
}

struct vpmc_thread *vpmc_thread_first(struct vpmc_process *p)
{
	/* The value VPMC_PROCESS_BORN stays. */
	if (cmpxchg(&p->first_taken, 0, true))
		return NULL;
	vpmc_thread_init(&p->first, vpmc_process_get(p));
	return &p->first;
}

void vpmc_thread_free(struct kref *ref)
{
	struct vpmc_thread *t = container_of(ref, struct vpmc_thread, ref);
	struct vpmc_process *p = t->process;

	vpmc_events_put(t->events);
	if (t->kind)
		kfree(t->large);
	if (t != &p->first)
		kfree(t);
	vpmc_process_put(p);
}

struct task_struct *vpmc_thread_find_living(struct task_struct *tsk)
{
	struct task_struct *one;

	vpmc_for_each_thread(tsk, one) {
		if (!(READ_ONCE(one->flags) & (PF_EXITING | PF_USER_WORKER)))
			return one;
	}
	return NULL;
}

bool vpmc_thread_any_lives(struct task_struct *tsk)
{
	bool lives;

	rcu_read_lock();
	lives = vpmc_thread_find_living(tsk);
	rcu_read_unlock();
	return lives;
}

void vpmc_thread_adopt(struct task_struct *tsk, struct vpmc_thread *t)
{
	struct vpmc_process *p = t->process;

	lockdep_assert_held(&p->lock);
	if (p->session && list_empty(&p->threads))
		list_add_tail(&p->member, &p->session->members);
	vpmc_thread_adopt_new(tsk, t, p);
}

void vpmc_thread_reset(struct vpmc_thread *t, struct vpmc_events *events,
		       u64 identity, struct vpmc_prealloc *pre)
{
	struct vpmc_events *old = t->events;

	lockdep_assert_held(&t->process->lock);
	t->events = vpmc_events_get(events);
	vpmc_events_put(old);
	vpmc_process_add_present(t->process, t);
	t->identity = identity;
	t->stopped = 0;
	vpmc_process_set_state(t, VPMC_STATE_STOPPED);
	t->tsc = 0;
	vpmc_prealloc_take_thread(pre, t);
	vpmc_thread_open_samples(t);
	if (t->signals)
		vpmc_count_drop_signals(t);
}

/*
 * Return whether @t's counts may be added to its session. This may restrict the access to
 * the session.
 */
static bool thread_widen(struct vpmc_access *access,
			 const struct vpmc_thread *t)
{
	return vpmc_access_add(access, &t->process->access, NULL);
}

/* Add the gaps of @t to @sum, unless its counts are of other events. */
static void thread_add_stopped(struct vpmc_sum *sum,
			       const struct vpmc_thread *t,
			       const struct vpmc_session *s)
{
	if (unlikely(t->stopped) && vpmc_events_equal(t->events, s->events))
		vpmc_sum_add_stopped(sum, vpmc_thread_stopped(t));
}

bool vpmc_thread_add_to_session(struct vpmc_sum *sum,
				const struct vpmc_thread *t,
				struct vpmc_session *s, bool may)
{
	lockdep_assert_held(&s->lock);
	if (t->state == VPMC_STATE_REVOKED || !thread_widen(&s->access, t) ||
	    !may) {
		vpmc_sum_add_missing(sum, 0, 1);
		return false;
	}
	vpmc_count_add_to(sum, t, s->events);
	thread_add_stopped(sum, t, s);
	return true;
}

static u32 thread_why_not_collected(const struct vpmc_session *s,
				    const struct vpmc_thread *t, bool may)
{
	if (t->state == VPMC_STATE_REVOKED || !may)
		return VPMC_RECORD_REVOKED;
	if (!t->events || vpmc_events_equal(t->events, s->events))
		return 0;
	return VPMC_RECORD_OTHER;
}

/*
 * Keep a record of @t. The record does not have counts of an earlier generation, because
 * these were recorded at the end of that generation.
 */
static noinline void thread_record(struct vpmc_session *s,
				   struct vpmc_thread *t, u32 what,
				   bool present, struct vpmc_prealloc *pre)
{
	bool may = thread_widen(&s->access, t);

	vpmc_prealloc_use(pre);
	vpmc_session_record(s, t->task,
			    what | thread_why_not_collected(s, t, may),
			    present && may ? t : NULL, t->events,
			    &t->process->access, &pre->records);
}

/* Return the flags of a record of @t, which is still in the list of threads. */
static u32 thread_record_flags(const struct vpmc_thread *t, bool exits)
{
	if (!exits)
		return VPMC_RECORD_RESTARTED;
	return list_is_singular(&t->process->threads) ? VPMC_RECORD_LAST : 0;
}

void vpmc_thread_collect(struct vpmc_thread *t, bool exits, bool present,
			 struct vpmc_prealloc *pre)
{
	struct vpmc_process *p = t->process;
	struct vpmc_session *s = p->session;
	u32 what = thread_record_flags(t, exits);

	lockdep_assert_held(&p->lock);
	if (present) {
		vpmc_thread_add_to_session(&s->sum, t, s, true);
		vpmc_access_note(&s->cred, &s->access, &p->access);
	}
	if (s->keep_records && (present || what & VPMC_RECORD_LAST))
		thread_record(s, t, what, present, pre);
}
