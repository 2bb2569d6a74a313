// SPDX-License-Identifier: GPL-2.0-only
/* Counters for threads. See populate.h. */
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "control.h"
#include "multiplex.h"
#include "populate.h"
#include "process.h"
#include "thread.h"

static void arrive(struct callback_head *arrival);

/*
 * Let @tsk have one of the @spare counters if it has none. Returns whether it
 * still needs one. vpmc_process_lock() held.
 */
static bool give(struct task_struct *tsk, struct list_head *spare)
{
	struct vpmc_thread *t;

	if (tsk->thread.vpmc || tsk->flags & (PF_KTHREAD | PF_USER_WORKER))
		return false;
	t = list_first_entry_or_null(spare, struct vpmc_thread, node);
	if (!t)
		return !(tsk->flags & PF_EXITING);
	if (tsk != current) {
		init_task_work(&t->arrival, arrive);
		if (task_work_add(tsk, &t->arrival, TWA_RESUME))
			return false;
	}
	list_del(&t->node);
	vpmc_thread_adopt(tsk, t);
	return false;
}

/* Give to all of @target. Returns how many still need some. */
static unsigned int give_all(struct vpmc_process *p,
			     const struct vpmc_target *target,
			     struct list_head *spare)
{
	unsigned int missing = 0;
	struct task_struct *tsk;

	vpmc_process_lock(p);
	if (target->whole) {
		rcu_read_lock();
		for_each_thread(target->task, tsk)
			missing += give(tsk, spare);
		rcu_read_unlock();
	} else {
		missing = give(target->task, spare);
	}
	vpmc_process_unlock(p);
	return missing;
}

static int make_spare(struct vpmc_process *p, unsigned int nr,
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

	do {
		missing = give_all(p, target, &spare);
		err = make_spare(p, missing, &spare);
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
 * Let the calling thread's sibling @t do what @self does. Returns 0 or -ENOMEM.
 * vpmc_process_lock() held.
 */
static int follow_sibling(struct vpmc_thread *t, const struct vpmc_thread *self)
{
	struct vpmc_room room = {};
	int err;

	err = vpmc_room_add(&room, self->events, 1,
			    GFP_ATOMIC | __GFP_ACCOUNT);
	if (err)
		return err;
	vpmc_thread_reset(t, self->events, self->generation, &room);
	t->epoch = self->epoch;
	vpmc_thread_set_state(t, self->state);
	return 0;
}

/* Returns 0 or -ENOMEM. vpmc_process_lock() held, settled. */
static int follow_all(struct vpmc_process *p, const struct vpmc_thread *self)
{
	struct vpmc_thread *t;
	int err = 0;

	list_for_each_entry(t, &p->threads, node) {
		if (!t->events)
			err = follow_sibling(t, self) ?: err;
	}
	return err;
}

/*
 * While the calling thread was given its counters it may have been creating
 * another thread, too late to let it inherit, and too early for others to see.
 */
static void arrive(struct callback_head *arrival)
{
	struct vpmc_thread *self =
		container_of(arrival, struct vpmc_thread, arrival);
	struct vpmc_process *p = self->process;
	int err = vpmc_populate_whole(p, current);

	vpmc_process_lock(p);
	vpmc_process_settle(p);
	if (p->whole && vpmc_thread_is_busy(self)) {
		err = follow_all(p, self) ?: err;
		/* For want of memory there is one whose counts are missing. */
		if (err)
			p->exited.other_events++;
	}
	vpmc_process_unlock(p);
}
