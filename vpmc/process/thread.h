/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares how a thread gets counters, begins at zero, and leaves its counts in
 * sums.
 */
#ifndef VPMC_THREAD_H
#define VPMC_THREAD_H

#include <linux/module.h>

#include "thread/count.h"
#include "process/process.h"
#include "process/session.h"
#include "thread/sample.h"

struct vpmc_prealloc;

/*
 * Create counters for a thread of @p's process, with one reference. Returns NULL if
 * memory is short. May sleep.
 */
struct vpmc_thread *vpmc_thread_create(struct vpmc_process *p);

/*
 * Return the counters that are part of @p, with one reference, or NULL if they have
 * already been taken. Any context.
 */
struct vpmc_thread *vpmc_thread_first(struct vpmc_process *p);

static inline struct vpmc_thread *vpmc_thread_get(struct vpmc_thread *t)
{
	kref_get(&t->ref);
	return t;
}

/* Only vpmc_thread_put() uses this. */
void vpmc_thread_free(struct kref *ref);

/* Drop a reference. Any context. */
static inline void vpmc_thread_put(struct vpmc_thread *t)
{
	kref_put(&t->ref, vpmc_thread_free);
}

/*
 * Return a thread of @tsk's process that executes its program and is not exiting, or NULL if there
 * is none. Workers of io_uring and vhost count like threads, but a file cannot be attached to a
 * worker, and workers may exist longer than all other threads. rcu_read_lock() held.
 */
struct task_struct *vpmc_thread_find_living(struct task_struct *tsk);

/* Return whether vpmc_thread_find_living() finds a thread. */
bool vpmc_thread_any_lives(struct task_struct *tsk);

/*
 * Give the counters @t to @tsk, which has no counters and cannot exit during the call.
 * This takes over the caller's reference. @t->process keeps the hooks live
 * (vpmc_process_use()), and its lock is held.
 */
void vpmc_thread_adopt(struct task_struct *tsk, struct vpmc_thread *t);

/*
 * Like vpmc_thread_adopt(), without the lock, for a thread of @p. The process @p is being
 * forked, and is already a member of its session.
 */
static __always_inline void vpmc_thread_adopt_new(struct task_struct *tsk,
						  struct vpmc_thread *t,
						  struct vpmc_process *p)
{
	/* The caller of the exit hook drops this reference. */
	__module_get(THIS_MODULE);
	list_add_tail(&t->node, &p->threads);
	t->task = tsk;
	WRITE_ONCE(tsk->thread.vpmc, t);
}

/*
 * Set @t, whose @run is 0, to zero counts of @events. The counts belong to the process's
 * present generation and to the start @identity. This takes memory from @pre, which was
 * allocated for @events. @t->process->lock must be held.
 */
void vpmc_thread_reset(struct vpmc_thread *t, struct vpmc_events *events,
		       u64 identity, struct vpmc_prealloc *pre);

/*
 * Decide whether samples of @t may be shown, because its process's access or its large events
 * have changed. @t->process->lock must be held, or no other task knows @t.
 */
static inline void vpmc_thread_open_samples(struct vpmc_thread *t)
{
	const struct vpmc_access *a = &t->process->access;
	struct vpmc_thread_samples *samples;

	if (!vpmc_sample_is_used() || !t->kind || !t->large->samples)
		return;
	samples = t->large->samples;
	WRITE_ONCE(samples->privileged, a->privileged);
	WRITE_ONCE(samples->hidden, a->level != VPMC_ACCESS_OPEN && !a->privileged);
}

/*
 * Like vpmc_thread_keep() for a process that is not in a session. Returns whether @t
 * has counts of the present generation.
 */
static __always_inline bool vpmc_thread_keep_alone(struct vpmc_thread *t,
						   struct vpmc_process *p)
{
	bool present = t->events && t->generation == p->generation;

	lockdep_assert_held(&p->lock);
	if (present)
		vpmc_count_add_to(&p->exited, t, p->events);
	return present;
}

/* Only vpmc_thread_keep() uses this. */
void vpmc_thread_collect(struct vpmc_thread *t, bool exits, bool present,
			 struct vpmc_prealloc *pre);

/*
 * Add the counts of @t in the present generation of its process @p to the sum of exited
 * threads and to the session, with a record from @pre. @t does not count in this
 * generation any more. @exits is true if @t exits, and false if the process is started
 * again. vpmc_process_lock() must be held.
 */
static __always_inline void vpmc_thread_keep(struct vpmc_thread *t,
					     struct vpmc_process *p, bool exits,
					     struct vpmc_prealloc *pre)
{
	bool present = vpmc_thread_keep_alone(t, p);

	if (unlikely(p->session))
		vpmc_thread_collect(t, exits, present, pre);
}

/*
 * Add the counts of @t to @sum, a sum of the session of its process, or note the counts as missing.
 * @may says whether the reader of @sum may see @t's counts. The locks of the process and of the
 * session are held. Returns whether the counts were added.
 */
bool vpmc_thread_add_to_session(struct vpmc_sum *sum,
				const struct vpmc_thread *t,
				struct vpmc_session *s, bool may);

#endif /* VPMC_THREAD_H */
