// SPDX-License-Identifier: GPL-2.0-only
/* This file gives counters to threads without counters. */
#include <linux/irqflags.h>
#include <linux/lockdep.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "thread/count.h"
#include "kernel/kernel.h"
#include "calls/populate.h"
#include "process/prealloc.h"
#include "cpu/rdpmc.h"
#include "process/thread.h"
#include "process/work.h"

static void populate_arrive(struct callback_head *work);

/*
 * Give @tsk counters from @spare if it has none. Returns whether @tsk still needs
 * counters.
 */
static bool populate_give(struct vpmc_process *p, struct task_struct *tsk,
			  struct list_head *spare)
{
	struct vpmc_thread *t;

	lockdep_assert_held(&p->lock);
	if (tsk->thread.vpmc || tsk->flags & PF_KTHREAD)
		return false;
	t = list_first_entry_or_null(spare, struct vpmc_thread, node);
	if (!t)
		return !(tsk->flags & PF_EXITING);
	if (tsk != current && !vpmc_work_queue(t, tsk, populate_arrive))
		return false;
	list_del(&t->node);
	t->late = true;
	task_lock(tsk);
	/*
	 * perf's attribute "rdpmc" is system-wide, so checking it on this processor is
	 * enough.
	 */
	local_irq_disable();
	t->isolated = vpmc_rdpmc_is_possible(tsk->mm);
	local_irq_enable();
	task_unlock(tsk);
	vpmc_process_use(p);
	vpmc_thread_adopt(tsk, t);
	return false;
}

/* Return whether @tsk has no counters and can have some. */
static bool populate_wants(const struct task_struct *tsk)
{
	return !READ_ONCE(tsk->thread.vpmc) &&
	       !(tsk->flags & (PF_KTHREAD | PF_EXITING));
}

/* These are the numbers of threads that get counters, and that are checked, in one step. */
#define POPULATE_GIVES	8
#define POPULATE_LOOKS	128

/**
 * struct populate_walk - a walk over the threads of a process
 * @at: the thread where the walk continues, with a reference; NULL at the end
 * @nr: number of entries in @found
 * @found: threads that need counters, with references
 */
struct populate_walk {
	struct task_struct *at;
	unsigned int nr;
	struct task_struct *found[POPULATE_GIVES];
};

/*
 * Find more threads that need counters. New threads are at the end of the list. If the
 * thread where the walk continues has exited, start over, because threads that have
 * counters by now take little time.
 */
static void populate_find(struct populate_walk *w)
{
	struct task_struct *at = w->at, *tsk = at;
	unsigned int left = POPULATE_LOOKS;

	w->nr = 0;
	rcu_read_lock();
	if (!pid_alive(at))
		tsk = vpmc_first_thread(at);
	for (; tsk && --left; tsk = vpmc_next_thread(tsk)) {
		if (likely(!populate_wants(tsk)))
			continue;
		if (w->nr == POPULATE_GIVES)
			break;
		w->found[w->nr++] = get_task_struct(tsk);
	}
	w->at = tsk ? get_task_struct(tsk) : NULL;
	rcu_read_unlock();
	put_task_struct(at);
}

/*
 * Give counters to the threads that were found. Returns the number of threads that still
 * need counters, or -EINTR.
 */
static int populate_give_found(struct vpmc_process *p,
			       const struct populate_walk *w,
			       struct list_head *spare)
{
	unsigned int i;
	int missing = 0;

	if (vpmc_process_lock_killable(p)) {
		for (i = 0; i < w->nr; i++)
			missing += populate_give(p, w->found[i], spare);
	} else {
		missing = -EINTR;
	}
	vpmc_process_unlock(p);
	return missing;
}

static int populate_make_spare(struct vpmc_process *p, unsigned int nr,
			       struct list_head *spare)
{
	struct vpmc_thread *t;

	while (nr--) {
		t = vpmc_thread_create(p);
		if (!t)
			return -ENOMEM;
		list_add(&t->node, spare);
	}
	return 0;
}

/*
 * Give counters to the threads that were found, and drop the references. Returns 0,
 * -ENOMEM or -EINTR.
 */
static int populate_found(struct vpmc_process *p, struct populate_walk *w,
			  struct list_head *spare)
{
	int missing, err = 0;

	while (w->nr && !err) {
		missing = populate_give_found(p, w, spare);
		if (!missing)
			break;
		err = missing < 0 ? missing :
				    populate_make_spare(p, missing, spare);
	}
	while (w->nr)
		put_task_struct(w->found[--w->nr]);
	return err;
}

/* Give counters to one thread. Returns 0, -ENOMEM or -EINTR. */
static int populate_one(struct vpmc_process *p, struct task_struct *tsk,
			struct list_head *spare)
{
	bool missing;
	int err = 0;

	do {
		err = vpmc_process_lock_killable(p) ? 0 : -EINTR;
		missing = !err && populate_give(p, tsk, spare);
		vpmc_process_unlock(p);
		if (unlikely(missing))
			err = populate_make_spare(p, 1, spare);
	} while (missing && !err);
	return err;
}

/*
 * Give counters to all threads of the process of @tsk. Returns 0, -ENOMEM, or -EINTR if
 * current is being killed.
 */
static noinline int populate_all(struct vpmc_process *p,
				 struct task_struct *tsk,
				 struct list_head *spare)
{
	struct populate_walk w = {};
	int err = 0;

	rcu_read_lock();
	w.at = get_task_struct(vpmc_first_thread(tsk) ?: tsk);
	rcu_read_unlock();
	/*
	 * Also call cond_resched() before the first step, because the caller may have
	 * created a set of events, which takes long. Threads that come and go all the
	 * time can make the walk start over again and again.
	 */
	while (w.at && !err) {
		cond_resched();
		populate_find(&w);
		err = populate_found(p, &w, spare);
		if (unlikely(fatal_signal_pending(current)))
			err = -EINTR;
	}
	cond_resched();
	if (w.at)
		put_task_struct(w.at);
	return err;
}

/* Return a thread of @p that counts since a start of the whole process, or NULL. */
static const struct vpmc_thread *populate_leader(struct vpmc_process *p)
{
	const struct vpmc_thread *t = NULL;

	lockdep_assert_held(&p->lock);
	while (p->how & VPMC_PROCESS_WHOLE && (t = vpmc_process_next_present(p, t))) {
		if (vpmc_thread_is_busy(t) && t->identity == p->identity)
			return t;
	}
	return NULL;
}

/*
 * Return whether a start of the whole process has missed @t. Its creator then had no
 * counters yet, or was missed, too. Every other thread got its counters from its creator,
 * and counts if its creator did.
 */
static bool populate_was_missed(const struct vpmc_thread *t)
{
	return !t->events && t->late;
}

/*
 * Count the threads that a start has missed. Threads that never started are at the end
 * of the list.
 */
static u32 populate_nr_missed(const struct vpmc_process *p)
{
	const struct vpmc_thread *t;
	u32 nr = 0;

	lockdep_assert_held(&p->lock);
	list_for_each_entry_reverse(t, &p->threads, node) {
		if (t->events)
			break;
		nr += populate_was_missed(t);
	}
	return nr;
}

/* Let the missed threads count like @leader. */
static void populate_start_missed(struct vpmc_process *p,
				  const struct vpmc_thread *leader,
				  struct vpmc_prealloc *pre)
{
	struct vpmc_thread *t, *before;
	struct cpumask *mask;

	lockdep_assert_held(&p->lock);
	mask = vpmc_count_sync_begin();
	list_for_each_entry_safe_reverse(t, before, &p->threads, node) {
		if (t->events)
			break;
		if (!populate_was_missed(t))
			continue;
		vpmc_thread_reset(t, leader->events, leader->identity, pre);
		vpmc_process_set_state(t, leader->state);
		vpmc_count_set_run(t, leader->run ? p->epoch : 0, mask);
	}
	vpmc_count_sync(mask, p);
}

/*
 * Wait until no start of @p has memory for threads, and allocate memory for @nr threads. Without
 * this wait, each task that waits for the lock would have memory for all threads. Callers of
 * vpmc_populate() do not have a turn. Returns 0, -ENOMEM, or -EINTR if current is being killed.
 */
static int populate_prealloc(struct vpmc_process *p, struct vpmc_turn *turn,
			     struct vpmc_prealloc *pre,
			     struct vpmc_events *events, u32 nr)
{
	if (!turn->task && !vpmc_process_take_turn(p, turn))
		return -EINTR;
	return vpmc_prealloc_threads(pre, events, nr);
}

/*
 * If the threads of @p were started together, also start the threads that were being
 * created at that time. If memory is short, note these threads as missing in the sum.
 */
static void populate_follow(struct vpmc_process *p)
{
	const struct vpmc_thread *leader;
	struct vpmc_events *fit = NULL;
	struct vpmc_prealloc pre __uninitialized;
	struct vpmc_turn turn = {};
	u32 nr, spare = 0;
	int err = 0;

	vpmc_prealloc_init(&pre);
	vpmc_process_lock(p);
	for (;;) {
		vpmc_process_enforce_epoch(p);
		leader = populate_leader(p);
		nr = leader ? populate_nr_missed(p) : 0;
		if (!nr || err || !vpmc_events_are_large(leader->events) ||
		    (leader->events == fit && nr <= spare))
			break;
		vpmc_events_put(fit);
		fit = vpmc_events_get(leader->events);
		spare = nr;
		vpmc_process_unlock(p);
		vpmc_prealloc_free(&pre);
		err = populate_prealloc(p, &turn, &pre, fit, spare);
		vpmc_process_lock(p);
	}
	if (nr && err)
		vpmc_sum_add_missing(&p->exited, nr, 0);
	else if (nr)
		populate_start_missed(p, leader, &pre);
	vpmc_process_unlock(p);
	vpmc_prealloc_free(&pre);
	if (unlikely(turn.task))
		vpmc_process_end_turn(p, &turn);
	vpmc_events_put(fit);
}

int vpmc_populate(struct vpmc_process *p, const struct vpmc_target *target)
{
	struct vpmc_thread *t, *next;
	LIST_HEAD(spare);
	int err;

	if (!target->whole && target->task->thread.vpmc)
		return 0;
	t = vpmc_thread_first(p);
	if (t)
		list_add(&t->node, &spare);
	err = target->whole ? populate_all(p, target->task, &spare) :
			      populate_one(p, target->task, &spare);

	list_for_each_entry_safe(t, next, &spare, node)
		vpmc_thread_put(t);
	/* From here on, a start of the whole process finds these threads. */
	if (READ_ONCE(p->how) & VPMC_PROCESS_WHOLE)
		populate_follow(p);
	return err;
}

int vpmc_populate_whole(struct vpmc_process *p, struct task_struct *tsk)
{
	struct vpmc_target all = { .task = tsk, .whole = true };

	return vpmc_populate(p, &all);
}

/*
 * Look for threads without counters. The calling thread may have been creating another
 * thread while it got its counters. This new thread did not inherit counters, and the
 * starter could not see it yet.
 */
static void populate_arrive(struct callback_head *work)
{
	struct vpmc_process *p = vpmc_work_begin(work)->process;
	struct task_struct *tsk;
	bool wanted = false;

	rcu_read_lock();
	vpmc_for_each_thread(current, tsk)
		wanted |= populate_wants(tsk);
	rcu_read_unlock();
	if (wanted && vpmc_populate_whole(p, current)) {
		vpmc_process_lock(p);
		vpmc_sum_add_missing(&p->exited, 1, 0);
		vpmc_process_unlock(p);
	}
}
