// SPDX-License-Identifier: GPL-2.0-only
/* Counters for threads. See populate.h. */
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "populate.h"
#include "prealloc.h"
#include "thread.h"

static void populate_arrive(struct callback_head *arrival);

/*
 * Let @tsk have one of the @spare counters if it has none. Returns whether it
 * still needs one. @p->lock held.
 */
static bool populate_give(struct task_struct *tsk, struct list_head *spare)
{
	struct vpmc_thread *t;

	if (tsk->thread.vpmc || tsk->flags & (PF_KTHREAD | PF_USER_WORKER))
		return false;
	t = list_first_entry_or_null(spare, struct vpmc_thread, node);
	if (!t)
		return !(tsk->flags & PF_EXITING);
	if (tsk != current) {
		init_task_work(&t->arrival, populate_arrive);
		if (task_work_add(tsk, &t->arrival, TWA_RESUME))
			return false;
	}
	list_del(&t->node);
	vpmc_thread_adopt(tsk, t);
	return false;
}

/* Give to all of @target. Returns how many still need some. */
static unsigned int populate_give_all(struct vpmc_process *p,
				      const struct vpmc_target *target,
				      struct list_head *spare)
{
	unsigned int missing = 0;
	struct task_struct *tsk;

	vpmc_process_lock(p);
	if (target->whole) {
		rcu_read_lock();
		for_each_thread(target->task, tsk)
			missing += populate_give(tsk, spare);
		rcu_read_unlock();
	} else {
		missing = populate_give(target->task, spare);
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

int vpmc_populate(struct vpmc_process *p, const struct vpmc_target *target)
{
	struct vpmc_thread *t, *next;
	unsigned int missing;
	LIST_HEAD(spare);
	int err = 0;

	if (!target->whole && target->task->thread.vpmc)
		return 0;
	vpmc_process_use(p);
	do {
		missing = populate_give_all(p, target, &spare);
		err = populate_make_spare(p, missing, &spare);
	} while (missing && !err);

	list_for_each_entry_safe(t, next, &spare, node)
		vpmc_thread_put(t);
	return err;
}

int vpmc_populate_whole(struct vpmc_process *p, struct task_struct *tsk)
{
	struct vpmc_target all = { .task = tsk, .whole = true };

	return vpmc_populate(p, &all);
}

/*
 * Let the threads of @p that never started count what @self counts, as far as
 * there is memory. Returns for how many there is none. @p->lock held.
 */
static u32 populate_follow_all(struct vpmc_process *p,
			       const struct vpmc_thread *self,
			       struct vpmc_prealloc *pre)
{
	bool multiplex = vpmc_events_multiplex(self->events);
	struct cpumask *mask = vpmc_count_sync_begin();
	struct vpmc_thread *t, *next;
	u32 missing = 0;

	list_for_each_entry_safe(t, next, &p->threads, node) {
		if (t->events)
			continue;
		if (multiplex && !pre->threads) {
			missing++;
			continue;
		}
		vpmc_thread_reset(t, self->events, self->identity, pre);
		t->epoch = self->epoch;
		vpmc_process_set_state(t, self->state);
		vpmc_count_set_run(t, self->run, mask);
	}
	vpmc_count_sync(mask, p);
	return missing;
}

/* Has @tsk no counters, but can have some? */
static bool populate_wants(const struct task_struct *tsk)
{
	return !READ_ONCE(tsk->thread.vpmc) &&
	       !(tsk->flags & (PF_KTHREAD | PF_USER_WORKER | PF_EXITING));
}

/*
 * Have all threads of current's process counters, and have all started if they
 * were started together? Those that never started are the last in the list.
 */
static bool populate_is_done(struct vpmc_process *p)
{
	const struct vpmc_thread *last;
	struct task_struct *tsk;
	bool done = true;

	rcu_read_lock();
	for_each_thread(current, tsk)
		done &= !populate_wants(tsk);
	rcu_read_unlock();
	vpmc_process_lock(p);
	last = list_last_entry(&p->threads, struct vpmc_thread, node);
	done &= !p->whole || last->events;
	vpmc_process_unlock(p);
	return done;
}

/* Allocate memory for the threads that populate_follow_all() is to start. */
static void populate_prealloc(struct vpmc_prealloc *pre,
			      const struct vpmc_thread *self)
{
	struct vpmc_process *p = self->process;
	struct vpmc_events *events = NULL;
	const struct vpmc_thread *t;
	u32 nr = 0;

	vpmc_process_lock(p);
	if (vpmc_events_multiplex(self->events)) {
		events = vpmc_events_get(self->events);
		list_for_each_entry(t, &p->threads, node)
			nr += !t->events;
	}
	vpmc_process_unlock(p);
	vpmc_prealloc_threads(pre, events, nr);
	vpmc_events_put(events);
}

/*
 * While the calling thread was given its counters, it may have been creating
 * another thread that did not inherit them, and that the starter could not see
 * yet.
 */
static void populate_arrive(struct callback_head *arrival)
{
	struct vpmc_thread *self =
		container_of(arrival, struct vpmc_thread, arrival);
	struct vpmc_prealloc pre = VPMC_PREALLOC_INIT(pre);
	struct vpmc_process *p = self->process;
	u32 missing;

	if (populate_is_done(p))
		return;
	missing = vpmc_populate_whole(p, current) ? 1 : 0;
	populate_prealloc(&pre, self);
	vpmc_process_lock(p);
	vpmc_process_enforce_epoch(p);
	if (p->whole && vpmc_thread_is_busy(self)) {
		missing += populate_follow_all(p, self, &pre);
		/* The counts of threads without memory are missing. */
		p->exited.other_events += missing;
	}
	vpmc_process_unlock(p);
	vpmc_prealloc_free(&pre);
}
