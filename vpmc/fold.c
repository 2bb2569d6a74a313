// SPDX-License-Identifier: GPL-2.0-only
/* What a process counted becomes its parent's. See fold.h. */
#include <linux/capability.h>
#include <linux/err.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "fold.h"
#include "kernel.h"
#include "prealloc.h"
#include "thread.h"

/* Adds a sum to another. */
typedef void fold_adder(struct vpmc_sum *sum, const struct vpmc_sum *more);

/* If these are other events, what is in the sums is missing from now on. */
static void fold_set_events(struct vpmc_process *p, struct vpmc_events *events,
			    struct vpmc_prealloc *pre)
{
	u32 i;

	if (!vpmc_events_equal(p->events, events)) {
		for (i = 0; i < VPMC_PROCESS_SUMS; i++)
			pre->process[i] = vpmc_sum_change(&p->sums[i],
							  pre->process[i],
							  events);
	}
	vpmc_events_get(events);
	vpmc_events_put(p->events);
	p->events = events;
}

void vpmc_fold_begin(struct vpmc_process *p, struct vpmc_events *events,
		     struct vpmc_prealloc *pre)
{
	fold_set_events(p, events, pre);
}

void vpmc_fold_restart(struct vpmc_process *p, struct vpmc_events *events,
		       struct vpmc_access *access, struct vpmc_prealloc *pre)
{
	struct vpmc_thread *t;

	lockdep_assert_held(&p->lock);
	vpmc_process_for_each_present(t, p)
		vpmc_thread_keep(t, VPMC_RECORD_RESTARTED, pre);
	/* Those who may see what comes may not see all that was. */
	if (vpmc_process_has_counts(p) &&
	    !vpmc_access_covers(access, &p->access))
		p->before_closed = true;
	vpmc_sum_add(&p->before, &p->exited);
	vpmc_sum_add(&p->before, &p->children);
	vpmc_sum_clear(&p->exited);
	vpmc_sum_clear(&p->children);
	fold_set_events(p, events, pre);
	vpmc_access_free(&p->access);
	p->access = *access;
	p->generation = vpmc_process_new_number();
}

/* Of a process that is gone, or about to be: nobody changes its sums any more. */
static void fold_add_sums(struct vpmc_process *p, const struct vpmc_process *c,
			  bool may, bool capable)
{
	fold_adder *add = vpmc_events_equal(p->events, c->events) ?
			  vpmc_sum_add : vpmc_sum_miss;
	fold_adder *self = add, *before = add;

	if (!vpmc_access_add(&p->access, &c->access, may, VPMC_ACCESS_OWN))
		self = vpmc_sum_hide;
	if (self == vpmc_sum_hide || (c->before_closed && !capable))
		before = vpmc_sum_hide;
	else if (c->before_closed)
		p->access.level = max_t(u8, p->access.level, VPMC_ACCESS_OWN);
	self(&p->children, &c->exited);
	self(&p->children, &c->children);
	before(&p->children, &c->before);
}

/*
 * Add the process @c, with what it had reaped itself, to @p's children. A
 * process without events of its own takes those of its first child. If there
 * is no memory for that, the child is missing in its sum. @may: who collects may
 * see @c's; @capable: and everything. Returns whether it was added: not to one
 * that has itself been folded.
 */
static bool fold_add_child(struct vpmc_process *p, struct task_struct *parent,
			   const struct vpmc_process *c, bool may, bool capable)
{
	struct vpmc_prealloc pre = VPMC_PREALLOC_INIT(pre);
	bool has_room = !vpmc_prealloc_sums(&pre, c->events);
	bool fit;

	vpmc_process_lock(p);
	fit = !p->folded;
	if (fit) {
		if (!p->nr_busy)
			vpmc_access_collect(&p->access, parent);
		if (!p->events && c->events && has_room)
			fold_set_events(p, c->events, &pre);
		fold_add_sums(p, c, may, capable);
	}
	vpmc_process_unlock(p);
	vpmc_prealloc_free(&pre);
	return fit;
}

/*
 * Mark @c as folded. From then on its own children that fold at exit go to its
 * parent, and its sums do not change. Returns whether it was not yet.
 */
static bool fold_claim(struct vpmc_process *c)
{
	bool claimed;

	vpmc_process_lock(c);
	claimed = !c->folded && vpmc_process_has_counts(c);
	if (claimed)
		c->folded = true;
	vpmc_process_unlock(c);
	return claimed;
}

static void fold_give_up(struct vpmc_process *c)
{
	vpmc_process_lock(c);
	c->folded = false;
	vpmc_process_unlock(c);
}

/*
 * What a process that never counted has collected is followed only while
 * somebody counts, or has the device open: else the hooks are not even live.
 */
void vpmc_fold_wait(struct task_struct *child)
{
	struct vpmc_process *c = child->signal->vpmc;
	struct vpmc_process *p;

	if (!vpmc_process_anybody() || !fold_claim(c))
		return;
	p = vpmc_process_get_or_create(current);
	if (p)
		fold_add_child(p, current, c,
			       vpmc_access_may_see(&c->access, false),
			       c->before_closed && perfmon_capable());
}

/*
 * The parent of @tsk, or whoever inherited it, with a reference; NULL if @tsk
 * has been released, and its children have another one.
 */
static struct task_struct *fold_get_parent(struct task_struct *tsk)
{
	struct task_struct *parent = NULL;

	rcu_read_lock();
	if (pid_alive(tsk))
		parent = get_task_struct(rcu_dereference(tsk->real_parent));
	rcu_read_unlock();
	return parent;
}

/*
 * Add @c to @parent's children. Returns 0, -ESRCH if that has been released,
 * -EEXIST if it has itself been folded, or -ENOMEM.
 */
static int fold_into(struct task_struct *parent, const struct vpmc_process *c)
{
	struct vpmc_process *p = vpmc_process_obtain(parent);
	int err;

	if (IS_ERR(p))
		return PTR_ERR(p);
	err = fold_add_child(p, parent, c,
			     vpmc_access_task_may_see(parent, &c->access),
			     false) ? 0 : -EEXIST;
	vpmc_process_put(p);
	return err;
}

/*
 * The parent may have been folded at this moment, too, and not be known as gone
 * yet: then its parent is the one. That ends with the first process of all. Or
 * it is released while we look: then current has another one.
 */
void vpmc_fold_at_exit(struct vpmc_process *c)
{
	struct task_struct *tsk, *parent;
	int err;

	if (!fold_claim(c))
		return;
	tsk = get_task_struct(current);
	do {
		parent = fold_get_parent(tsk);
		err = parent ? fold_into(parent, c) : -ESRCH;
		put_task_struct(tsk);
		if (err == -ESRCH) {
			if (parent)
				put_task_struct(parent);
			parent = get_task_struct(current);
		}
		tsk = parent;
	} while (err == -ESRCH || err == -EEXIST);
	put_task_struct(tsk);
	/* Perhaps there is memory when somebody waits. */
	if (err)
		fold_give_up(c);
}
