/* SPDX-License-Identifier: GPL-2.0-only */
/* How a thread gets counters, begins at zero, and keeps what it counted. */
#ifndef VPMC_THREAD_H
#define VPMC_THREAD_H

#include <linux/module.h>

#include "count.h"
#include "process.h"
#include "session.h"

struct vpmc_prealloc;

/*
 * New counters, for a thread of @p's process, with one holder; NULL if memory
 * is short. May sleep.
 */
struct vpmc_thread *vpmc_thread_create(struct vpmc_process *p);

/* The same once for each process, without memory; then NULL. Any context. */
struct vpmc_thread *vpmc_thread_first(struct vpmc_process *p);

static inline struct vpmc_thread *vpmc_thread_get(struct vpmc_thread *t)
{
	kref_get(&t->ref);
	return t;
}

/* @t may be NULL. Any context. */
void vpmc_thread_put(struct vpmc_thread *t);

/*
 * A thread of @tsk's process that can have counters, and is not exiting; NULL if there
 * is none. What io_uring and vhost let work in a process are no such threads, and may be
 * there longer. rcu_read_lock() held.
 */
struct task_struct *vpmc_thread_find_living(struct task_struct *tsk);

/* Is there one? */
bool vpmc_thread_any_lives(struct task_struct *tsk);

/*
 * Give the counters @t to @tsk, which has none and cannot exit meanwhile. Takes
 * the caller's reference. @t->process keeps the hooks live, see
 * vpmc_process_use(); its lock is held.
 */
void vpmc_thread_adopt(struct task_struct *tsk, struct vpmc_thread *t);

/* The same for the first thread of who is forked, without the lock. */
static __always_inline void vpmc_thread_adopt_forked(struct task_struct *tsk,
						     struct vpmc_thread *t)
{
	struct vpmc_process *p = t->process;

	/* The caller of the exit hook puts it. */
	__module_get(THIS_MODULE);
	if (p->session && list_empty(&p->threads))
		list_add_tail(&p->member, &p->session->members);
	list_add_tail(&t->node, &p->threads);
	t->task = tsk;
	WRITE_ONCE(tsk->thread.vpmc, t);
}

/*
 * Set @t, whose @run is 0, to zero counts of @events in its process's
 * present generation, of the start @identity. Takes memory from @pre, which is
 * for such events. @t->process->lock held.
 */
void vpmc_thread_reset(struct vpmc_thread *t, struct vpmc_events *events,
		       u64 identity, struct vpmc_prealloc *pre);

/* Only for vpmc_thread_keep(). */
void vpmc_thread_collect(struct vpmc_thread *t, u32 what, bool present,
			 struct vpmc_prealloc *pre);

/*
 * @t will count no more in its process's present generation. Add what it
 * counted there to the exited threads and to the session, with a record from
 * @pre and its flags @what. vpmc_process_lock() held.
 */
static __always_inline void vpmc_thread_keep(struct vpmc_thread *t, u32 what,
					     struct vpmc_prealloc *pre)
{
	struct vpmc_process *p = t->process;
	bool present = t->events && t->generation == p->generation;

	lockdep_assert_held(&p->lock);
	if (present)
		vpmc_count_add_to(&p->exited, t, p->events);
	if (unlikely(p->session))
		vpmc_thread_collect(t, what, present, pre);
}

/*
 * Add what @t counted to @sum, which the session of its process collects, or
 * note there why not. @may: whoever reads @sum may see @t's counts. The locks of both
 * held.
 */
void vpmc_thread_add_to_session(struct vpmc_sum *sum,
				const struct vpmc_thread *t,
				struct vpmc_session *s, bool may);

#endif /* VPMC_THREAD_H */
