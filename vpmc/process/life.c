// SPDX-License-Identifier: GPL-2.0-only
/* This file handles fork, exec, mmap and exit of threads that have counters. */
#include <linux/err.h>
#include <linux/lockdep.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "thread/count.h"
#include "cpu/due.h"
#include "process/fold.h"
#include "kernel/hooks.h"
#include "process/life.h"
#include "thread/large.h"
#include "thread/mapping.h"
#include "thread/notify.h"
#include "thread/page.h"
#include "process/prealloc.h"
#include "cpu/rdpmc.h"
#include "cpu/reserve.h"
#include "thread/sample.h"
#include "process/session.h"
#include "process/thread.h"

/*
 * Let the records of @t, the first thread of a process that current forks, begin with the
 * mappings of current's process. The process has no id yet.
 */
static void life_fork_samples(struct vpmc_thread *t)
{
	t->large->samples->born = vpmc_process_new_number();
	t->is_new = true;
	vpmc_sample_fork(t->events->rings, t->large->samples->born);
}

/*
 * Let the new thread @t of @p count the events of @parent, starting at zero. @t has the
 * present generation, and its thread does not run yet. Takes over a reference to
 * @events.
 */
static __always_inline void life_inherit(struct vpmc_thread *t,
					 struct vpmc_process *p,
					 const struct vpmc_thread *parent,
					 struct vpmc_events *events,
					 struct vpmc_prealloc *pre)
{
	t->events = events;
	t->identity = parent->identity;
	if (unlikely(events->kind)) {
		vpmc_prealloc_take_thread(pre, t);
		vpmc_thread_open_samples(t);
		vpmc_large_inherit(t, parent);
		if (events->rings && p != parent->process)
			life_fork_samples(t);
	}
	p->nr_busy++;
	t->state = VPMC_STATE_RUNNING;
	t->run = p->epoch;
	vpmc_count_watch(t);
}

/*
 * Return the events that a thread created by @parent is to count, or NULL. @from is @parent's
 * process.
 */
static struct vpmc_events *life_inherited(struct vpmc_thread *parent,
					  struct vpmc_process *from)
{
	vpmc_process_enforce_epoch(from);
	if (likely(parent->state == VPMC_STATE_RUNNING))
		return parent->events;
	vpmc_process_note_gap(parent);
	return NULL;
}

/*
 * Allocate memory for a thread that @parent creates and that inherits @events, which are
 * large. The lock is released to allocate, so the events may change. Returns the events
 * to inherit after the allocation, or ERR_PTR(-ENOMEM).
 */
static struct vpmc_events *life_prealloc(struct vpmc_thread *parent,
					 struct vpmc_events *events,
					 struct vpmc_prealloc *pre)
	__must_hold(&parent->process->session->lock)
	__must_hold(&parent->process->lock)
{
	struct vpmc_events *fit = NULL;
	int err = 0;

	while (!err && vpmc_events_are_large(events) && events != fit) {
		vpmc_events_get(events);
		vpmc_process_unlock(parent->process);
		vpmc_events_put(fit);
		fit = events;
		vpmc_prealloc_free(pre);
		err = vpmc_prealloc_sums(pre, fit) ?:
		      vpmc_prealloc_threads(pre, fit, 1);
		vpmc_process_lock(parent->process);
		events = life_inherited(parent, parent->process);
	}
	vpmc_events_put(fit);
	return err ? ERR_PTR(err) : events;
}

/*
 * Lock @from, @parent's process, and allocate memory for a thread that @parent creates.
 * Returns the events that the new thread is to count, NULL if it is not to count, or
 * ERR_PTR(-ENOMEM). The lock is held in all cases.
 */
static __always_inline struct vpmc_events *
life_lock_parent(struct vpmc_thread *parent, struct vpmc_process *from,
		 struct vpmc_prealloc *pre)
	__acquires(&from->session->lock) __acquires(&from->lock)
{
	struct vpmc_events *events;

	vpmc_process_lock(from);
	events = life_inherited(parent, from);
	if (likely(!vpmc_events_are_large(events)))
		return events;
	return life_prealloc(parent, events, pre);
}

/*
 * Give counters to a new thread of the same process, even if it does not count. A start of the
 * process must find these counters while the thread is not visible yet.
 */
static int life_fork_thread(struct task_struct *child,
			    struct vpmc_thread *parent)
{
	struct vpmc_process *p = parent->process;
	struct vpmc_thread *t = vpmc_thread_create(p);
	struct vpmc_events *events;
	struct vpmc_prealloc pre __uninitialized;
	int err;

	if (!t)
		return -ENOMEM;
	vpmc_prealloc_init(&pre);
	events = life_lock_parent(parent, p, &pre);
	err = PTR_ERR_OR_ZERO(events);
	if (!err)
		vpmc_thread_adopt(child, t);
	/* Both threads have the same mm, so a switch between them does not set this. */
	t->isolated = parent->isolated;
	t->late = parent->late && !parent->events;
	if (!IS_ERR_OR_NULL(events)) {
		vpmc_process_add_present(p, t);
		life_inherit(t, p, parent, vpmc_events_get(events), &pre);
	}
	vpmc_process_unlock(p);
	if (err)
		vpmc_thread_put(t);
	vpmc_prealloc_free(&pre);
	return err;
}

/* Let @s, which collects the parent, collect the new process @p, which is about to get a thread. */
static void life_join(struct vpmc_process *p, struct vpmc_session *s)
{
	lockdep_assert_held(&s->lock);
	WRITE_ONCE(p->session, vpmc_session_get(s));
	p->special = VPMC_PROCESS_COLLECTED;
	list_add_tail(&p->member, &s->members);
}

/*
 * Set up @p, a new process that @parent forks, like @from, the process of @parent. Its
 * sums of @events are empty. Takes over a reference to @events.
 */
static void life_inherit_process(struct vpmc_process *p,
				 const struct vpmc_thread *parent,
				 struct vpmc_process *from,
				 struct vpmc_events *events,
				 struct vpmc_prealloc *pre)
{
	lockdep_assert_held(&from->lock);
	if (unlikely(from->session))
		life_join(p, from->session);
	vpmc_access_fork(&p->access, &from->access, events->load.kernel);
	/* The parent counts, so its process has a reservation. */
	p->reserved = vpmc_reserve_more(from->reserved);
	p->identity = parent->identity;
	p->inherited = from->inherited;
	p->epoch = from->epoch;
	/* This is undone when a process waits for the child. */
	from->unwaited++;
	p->events = events;
	if (unlikely(events->kind))
		vpmc_fold_begin(p, pre);
}

/*
 * Fork a process of a thread that counts. The new process is not visible before its
 * parent's locks are released, so its own lock is not needed.
 */
static int life_fork_process(struct task_struct *child,
			     struct vpmc_thread *parent)
{
	struct vpmc_process *from = parent->process;
	struct vpmc_process *p = vpmc_process_fork(child->signal, from);
	struct vpmc_events *events;
	struct vpmc_prealloc pre __uninitialized;

	if (!p)
		return -ENOMEM;
	vpmc_prealloc_init(&pre);
	events = life_lock_parent(parent, from, &pre);
	if (!IS_ERR_OR_NULL(events)) {
		vpmc_events_get_several(events, 2);
		life_inherit_process(p, parent, from, events, &pre);
		vpmc_thread_adopt_new(child, &p->first, p);
		p->first.generation = p->generation;
		life_inherit(&p->first, p, parent, events, &pre);
	}
	vpmc_process_unlock(from);
	if (IS_ERR_OR_NULL(events)) {
		vpmc_thread_put(&p->first);
		vpmc_process_release(child->signal);
	}
	vpmc_prealloc_free(&pre);
	return PTR_ERR_OR_ZERO(events);
}

/*
 * Return whether @parent counts. If @parent is started after this, its child does not
 * inherit. A start by force first stops @parent, but holds the lock until @parent counts
 * again.
 */
static bool life_counts(struct vpmc_thread *parent)
{
	bool counts = READ_ONCE(parent->state) == VPMC_STATE_RUNNING;

	if (likely(counts))
		return true;
	vpmc_process_lock(parent->process);
	counts = parent->state == VPMC_STATE_RUNNING;
	if (!counts)
		vpmc_process_note_gap(parent);
	vpmc_process_unlock(parent->process);
	return counts;
}

/* Let @child, a new process, count like @parent if @parent counts. */
static __always_inline int life_fork_like(struct task_struct *child,
					  struct vpmc_thread *parent)
{
	return life_counts(parent) ? life_fork_process(child, parent) : 0;
}

/*
 * Give counters to @child, a new process that @parent forks, if it has none. Returns 0
 * or -ENOMEM.
 */
static int life_fork_idle(struct task_struct *child,
			  const struct vpmc_thread *parent)
{
	struct vpmc_process *p;

	if (child->thread.vpmc)
		return 0;
	p = vpmc_process_fork_idle(child->signal, parent->process);
	if (!p)
		return -ENOMEM;
	/* The parent's counters keep the hooks live until here. */
	vpmc_hooks_use();
	p->used = true;
	vpmc_thread_adopt_new(child, &p->first, p);
	return 0;
}

/*
 * Return whether @child, which current creates, may see its counts. The child's counts
 * can have VPMC_ACCESS_CLOSED even if current may see its own counts.
 */
static bool life_may_see(const struct task_struct *child)
{
	return vpmc_access_may_see(&child->thread.vpmc->process->access, true);
}

/* Fork a process of a thread that has a page. The child gets its own page. */
static int life_fork_with_page(struct task_struct *child,
			       struct vpmc_thread *parent)
{
	struct vpmc_user_page *u = vpmc_page_create();
	int err = u ? life_fork_like(child, parent) : -ENOMEM;

	if (!err)
		err = life_fork_idle(child, parent);
	if (err)
		vpmc_page_put(u);
	else
		vpmc_mapping_inherit(child, u, life_may_see(child));
	return err;
}

/* Handle all cases but the common one. */
static noinline int life_fork_any(struct task_struct *child,
				  struct vpmc_thread *parent)
{
	/* A new task with the same memory may execute RDPMC, although it does not have a page. */
	if (parent->page && child->mm == current->mm)
		vpmc_mapping_need(parent);
	if (child->signal == current->signal)
		return life_fork_thread(child, parent);
	if (!parent->page)
		return life_fork_like(child, parent);
	if (child->mm != current->mm)
		return life_fork_with_page(child, parent);
	vpmc_mapping_suspend(parent);
	return life_fork_like(child, parent);
}

int vpmc_life_fork(struct task_struct *child)
{
	struct vpmc_thread *parent = current->thread.vpmc;

	if (likely(child->signal != current->signal && !parent->page &&
		   READ_ONCE(parent->state) == VPMC_STATE_RUNNING))
		return life_fork_process(child, parent);
	return life_fork_any(child, parent);
}

/*
 * Change the state of the calling thread, whose counters are @t. This is not inlined,
 * because it would cost registers in each exec.
 */
static noinline void life_change(struct vpmc_thread *t, enum vpmc_state state)
{
	struct cpumask *mask;

	lockdep_assert_held(&t->process->lock);
	mask = vpmc_count_sync_begin();
	vpmc_process_set_state(t, state);
	vpmc_count_set_run(t, state == VPMC_STATE_RUNNING ? t->process->epoch : 0,
			   mask);
	vpmc_count_sync(mask, t->process);
	if (state != VPMC_STATE_RUNNING)
		vpmc_count_forget(t);
}

/*
 * Stop counting and begin a new generation. The new program has rights that the old
 * program lacked, and the starter may not watch it. This is rare, so it is not inlined.
 */
static noinline void life_revoke(struct vpmc_thread *t)
{
	struct vpmc_process *p = t->process;

	life_change(t, VPMC_STATE_REVOKED);
	p->generation = vpmc_process_new_number();
	vpmc_process_add_present(p, t);
	vpmc_due_note();
}

static bool life_has_counted(const struct vpmc_thread *t,
			     const struct vpmc_process *p)
{
	return t->state != VPMC_STATE_ARMED || t->tsc || p->exited.added ||
	       (p->children && p->children->added);
}

static __always_inline bool life_exec_may_go_on(struct vpmc_thread *t,
						struct vpmc_process *p,
						bool raised)
{
	return vpmc_access_exec(&p->access, raised, life_has_counted(t, p),
				t->events->load.kernel);
}

/*
 * Like life_exec_may_go_on() for a process with counts of earlier starts. The access to these
 * counts may become more restricted.
 */
static noinline bool life_exec_restarted(struct vpmc_thread *t,
					 struct vpmc_process *p, bool raised)
{
	struct vpmc_access was = {};
	bool may;

	vpmc_access_copy(&was, &p->access);
	may = life_exec_may_go_on(t, p, raised);
	if (!vpmc_access_covers(&p->access, &was))
		p->before_closed = true;
	vpmc_access_free(&was);
	return may;
}

/* Let a thread that waited for the exec count, or note a gap of a thread that is stopped. */
static noinline void life_exec_idle(struct vpmc_thread *t)
{
	if (t->state == VPMC_STATE_ARMED)
		life_change(t, VPMC_STATE_RUNNING);
	else
		vpmc_process_note_gap(t);
}

/* Handle an exec of a thread that has started. */
static __always_inline void life_exec_counted(struct vpmc_thread *t,
					      struct vpmc_process *p,
					      bool raised)
{
	bool may = unlikely(p->before.added) ?
		   life_exec_restarted(t, p, raised) :
		   life_exec_may_go_on(t, p, raised);

	if (!may)
		life_revoke(t);
	else if (unlikely(t->state != VPMC_STATE_RUNNING))
		life_exec_idle(t);
}

/*
 * Drop the page of the old program, so that RDPMC does not show its counts to the new
 * program. Usually the new program cannot execute RDPMC, because its mm has no page yet.
 */
static void life_drop_page(struct vpmc_thread *t)
{
	local_irq_disable();
	vpmc_page_drop(t);
	t->isolated = vpmc_rdpmc_is_possible(current->mm);
	if (unlikely(t->isolated)) {
		vpmc_count_pause();
		vpmc_count_continue();
	}
	local_irq_enable();
}

/* Note that the process no longer executes the program that started it. */
static noinline void life_disown(struct vpmc_process *p)
{
	lockdep_assert_held(&p->lock);
	p->how &= ~VPMC_PROCESS_OWN;
	vpmc_due_note();
}

static __always_inline void life_exec(struct vpmc_thread *t,
				      struct vpmc_process *p, bool raised)
{
	lockdep_assert_held(&p->lock);
	/* Do this under the lock, because the list of holders checks the page. */
	if (t->page)
		life_drop_page(t);
	vpmc_process_enforce_epoch(p);
	if (t->signals)
		vpmc_count_drop_signals(t);
	if (t->events) {
		life_exec_counted(t, p, raised);
		vpmc_thread_open_samples(t);
	}
	if (unlikely(p->how & VPMC_PROCESS_OWN))
		life_disown(p);
}

/* Like life_exec(), if a session collects @p or a call occupies it. */
static noinline void life_exec_special(struct vpmc_thread *t,
				       struct vpmc_process *p, bool raised)
{
	vpmc_process_lock(p);
	life_exec(t, p, raised);
	vpmc_process_unlock(p);
}

void vpmc_life_exec(bool raised)
{
	struct vpmc_thread *t = current->thread.vpmc;
	struct vpmc_process *p = t->process;

	if (vpmc_process_lock_alone(p)) {
		life_exec(t, p, raised);
		vpmc_process_unlock_alone(p);
	} else {
		life_exec_special(t, p, raised);
	}
	if (vpmc_sample_is_used() && t->extras)
		vpmc_sample_exec();
}

void vpmc_life_mmap(struct vm_area_struct *vma)
{
	if (current->thread.vpmc->extras)
		vpmc_sample_mmap(vma);
}

/* Set the state of @t, which does not count, to exited. */
static noinline void life_set_exited(struct vpmc_thread *t)
{
	vpmc_process_note_gap(t);
	if (t->state != VPMC_STATE_REVOKED)
		vpmc_process_set_state(t, VPMC_STATE_EXITED);
}

/*
 * Detach @t from its thread and its process @p, and keep its counts if it @ran. @pre is
 * NULL if @p is not in a session. Returns whether to fold the process's counts into its
 * parent's now.
 */
static __always_inline bool life_leave(struct vpmc_thread *t,
				       struct vpmc_process *p, bool ran,
				       struct vpmc_prealloc *pre)
{
	struct task_struct *tsk = t->task;

	lockdep_assert_held(&p->lock);
	vpmc_count_end(t);
	vpmc_process_enforce_epoch(p);
	if (likely(t->state == VPMC_STATE_RUNNING))
		vpmc_process_set_state(t, VPMC_STATE_EXITED);
	else
		life_set_exited(t);
	if (ran && pre)
		vpmc_thread_keep(t, p, true, pre);
	else if (ran)
		vpmc_thread_keep_alone(t, p);
	list_del(&t->node);
	t->task = NULL;
	/* The children get another parent, which may be unable to show their counts. */
	if (unlikely(ran && !list_empty(&tsk->children)))
		vpmc_due_note();
	if (!list_empty(&p->threads)) {
		if (!p->nr_busy)
			vpmc_due_note();
		return false;
	}
	/* The process does not count any more. A zombie must not keep the counters. */
	vpmc_process_unuse(p);
	if (unlikely(p->files))
		vpmc_process_charge(p);
	if (pre && unlikely(p->session)) {
		list_del_init(&p->member);
		vpmc_session_left(p->session);
	}
	return ran && p->inherited & VPMC_START_FOLD &&
	       !vpmc_thread_any_lives(tsk);
}

/*
 * Take the lock of @t's process, and allocate memory for a record of @t if records are
 * kept. The size may change while the lock is released, so this may try again.
 */
static __always_inline void life_lock_with_record(const struct vpmc_thread *t,
						  struct vpmc_prealloc *pre)
	__acquires(&t->process->session->lock) __acquires(&t->process->lock)
{
	struct vpmc_process *p = t->process;
	struct vpmc_session *s;
	bool tried = false;
	u32 nr_large = 0;

	vpmc_process_lock(p);
	while (unlikely(p->session && p->session->keep_records) &&
	       (!tried || vpmc_session_nr_large(t->events) > nr_large)) {
		nr_large = vpmc_session_nr_large(t->events);
		s = vpmc_session_get(p->session);
		vpmc_process_unlock(p);
		vpmc_prealloc_records(pre, s, nr_large, 1);
		vpmc_session_put(s);
		tried = true;
		vpmc_process_lock(p);
	}
}

/*
 * Like life_leave(), for a thread that has signals or whose process a session may
 * collect. Returns the result of life_leave().
 */
static noinline bool life_exit_special(struct vpmc_thread *t, bool ran)
{
	struct vpmc_process *p = t->process;
	struct vpmc_signals *signals = t->signals;
	struct vpmc_prealloc pre __uninitialized;
	bool fold;

	vpmc_prealloc_init(&pre);
	life_lock_with_record(t, &pre);
	if (signals)
		vpmc_count_remove_signals(t);
	fold = life_leave(t, p, ran, &pre);
	vpmc_process_unlock(p);
	vpmc_prealloc_free(&pre);
	/*
	 * The task works have run, or cannot be queued any more, because the kernel
	 * runs the works of an exiting thread before it calls the exit hook.
	 */
	if (unlikely(signals))
		vpmc_notify_free(signals);
	return fold;
}

/*
 * Like life_leave(), for a thread that is not collected and has no signals. Most threads
 * are of this kind.
 */
static __always_inline bool life_exit_alone(struct vpmc_thread *t,
					    struct vpmc_process *p, bool ran)
{
	bool fold = life_leave(t, p, ran, NULL);

	vpmc_process_unlock_alone(p);
	return fold;
}

static void life_exit_page(struct vpmc_thread *t)
{
	local_irq_disable();
	vpmc_page_drop(t);
	local_irq_enable();
}

static __always_inline void life_exit(struct task_struct *tsk, bool ran)
{
	struct vpmc_thread *t = tsk->thread.vpmc;
	struct vpmc_process *p = t->process;
	bool fold;

	if (likely(!t->signals) && vpmc_process_lock_alone(p))
		fold = life_exit_alone(t, p, ran);
	else
		fold = life_exit_special(t, ran);
	if (unlikely(fold))
		vpmc_fold_at_exit(p);
	if (t->page)
		life_exit_page(t);
	/* After a failed fork, no task reaps the process. */
	if (!ran && tsk->signal != current->signal)
		vpmc_process_release(tsk->signal);
	vpmc_thread_put(t);
}

/* Undo a fork that has failed: current does not get a child. */
static noinline void life_exit_unborn(struct task_struct *tsk)
{
	struct vpmc_thread *parent = current->thread.vpmc;
	struct vpmc_process *p = parent->process;
	bool was_born = tsk->signal != current->signal &&
			tsk->signal->vpmc->first_taken == VPMC_PROCESS_BORN;

	spin_lock(&p->lock);
	vpmc_large_disinherit(tsk->thread.vpmc, parent);
	spin_unlock(&p->lock);
	life_exit(tsk, false);
	if (!was_born)
		return;
	spin_lock(&p->lock);
	p->unwaited--;
	spin_unlock(&p->lock);
}

void vpmc_life_exit(struct task_struct *tsk)
{
	if (likely(tsk == current))
		life_exit(tsk, true);
	else
		life_exit_unborn(tsk);
}
