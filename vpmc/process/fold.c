// SPDX-License-Identifier: GPL-2.0-only
/* This file adds the counts of a process to the children's sum of its parent. */
#include <linux/err.h>
#include <linux/lockdep.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "process/fold.h"
#include "kernel/kernel.h"
#include "process/prealloc.h"
#include "process/thread.h"

/* This is a function that adds one sum to another. */
typedef void fold_adder(struct vpmc_sum *sum, const struct vpmc_sum *more);

/*
 * Give @p a sum of children if it has none, because all sums of large events need memory
 * for these events.
 */
static void fold_have_children(struct vpmc_process *p,
			       struct vpmc_prealloc *pre)
{
	if (!p->children)
		swap(p->children, pre->children);
}

/* Make @sum a sum of other events, with memory from *@large if these events are large. */
static void fold_change_sum(struct vpmc_sum *sum, struct vpmc_events *events,
			    struct vpmc_large_counts **large)
{
	if (vpmc_events_are_large(events) || !vpmc_sum_is_initial(sum))
		*large = vpmc_sum_change(sum, *large, events);
}

/*
 * Return whether the sums of @p fit @events without a change. They fit at the first start of a
 * process.
 */
static bool fold_sums_fit(const struct vpmc_process *p,
			  const struct vpmc_events *events)
{
	return !vpmc_events_are_large(events) &&
	       vpmc_sum_is_initial(&p->exited) &&
	       vpmc_sum_is_initial(&p->before) &&
	       (!p->children || vpmc_sum_is_initial(p->children));
}

static void fold_change_sums(struct vpmc_process *p, struct vpmc_events *events,
			     struct vpmc_prealloc *pre)
{
	if (fold_sums_fit(p, events))
		return;
	vpmc_prealloc_use(pre);
	if (vpmc_events_are_large(events))
		fold_have_children(p, pre);
	fold_change_sum(&p->exited, events, &pre->process[0]);
	fold_change_sum(&p->before, events, &pre->process[1]);
	if (p->children)
		fold_change_sum(p->children, events, &pre->process[2]);
}

/*
 * Set the events of @p. If they change, the previous parts of the sums are noted as
 * missing.
 */
static void fold_set_events(struct vpmc_process *p, struct vpmc_events *events,
			    struct vpmc_prealloc *pre)
{
	lockdep_assert_held(&p->lock);
	if (!vpmc_events_equal(p->events, events))
		fold_change_sums(p, events, pre);
	vpmc_events_get(events);
	vpmc_events_put(p->events);
	p->events = events;
}

void vpmc_fold_begin(struct vpmc_process *p, struct vpmc_prealloc *pre)
{
	fold_change_sums(p, p->events, pre);
}

/*
 * Add @from to @sum, and clear @from. Even if @from has no counts, it may have gaps of
 * living threads.
 */
static void fold_move(struct vpmc_sum *sum, struct vpmc_sum *from)
{
	if (!vpmc_sum_is_empty(from))
		vpmc_sum_add(sum, from);
	else if (from->stopped)
		vpmc_sum_add_stopped(sum, from->stopped);
	else
		return;
	vpmc_sum_clear(from);
}

void vpmc_fold_restart(struct vpmc_process *p, struct vpmc_events *events,
		       struct vpmc_access *access, struct vpmc_prealloc *pre)
{
	lockdep_assert_held(&p->lock);
	if (vpmc_process_has_counts(p)) {
		/* Some tasks that may see the new counts may not see the old counts. */
		if (!vpmc_access_covers(access, &p->access))
			p->before_closed = true;
		fold_move(&p->before, &p->exited);
		if (p->children)
			fold_move(&p->before, p->children);
	}
	fold_set_events(p, events, pre);
	vpmc_access_free(&p->access);
	p->access = *access;
	p->generation = vpmc_process_new_number();
	p->identity = p->generation;
}

/*
 * By @add, add the counts that @c had before its present generation. If the access to these counts
 * is more restricted, hide them. This rare case is not inlined, because it would slow down each
 * wait.
 */
static noinline void fold_add_before(struct vpmc_process *p,
				     struct task_struct *parent,
				     const struct vpmc_process *c, bool may,
				     fold_adder *add)
{
	static const struct vpmc_access closed = {
		.level = VPMC_ACCESS_CLOSED,
	};

	if (may && c->before_closed &&
	    !vpmc_access_add(&p->access, &closed, parent))
		add = vpmc_sum_hide;
	add(p->children, &c->before);
}

/*
 * Add the sums of @c, which has exited or is about to, so that its sums do not change
 * any more. @may says whether the counts of its present generation may be added.
 */
static void fold_add_sums(struct vpmc_process *p, struct task_struct *parent,
			  const struct vpmc_process *c, bool may)
{
	fold_adder *add = vpmc_events_equal(p->events, c->events) ?
			  vpmc_sum_add : vpmc_sum_miss;

	if (!may)
		add = vpmc_sum_hide;
	if (!vpmc_sum_is_empty(&c->exited))
		add(p->children, &c->exited);
	if (unlikely(c->children))
		add(p->children, c->children);
	if (!vpmc_sum_is_empty(&c->before))
		fold_add_before(p, parent, c, may, add);
}

/*
 * Add the process @c, with the children that it has reaped itself, to @p's children. A
 * process without events takes the events of the first child that it may see. If memory
 * is short, the child is missing in the sum.
 */
static void fold_add_locked(struct vpmc_process *p, struct task_struct *parent,
			    const struct vpmc_process *c, bool has_memory,
			    struct vpmc_prealloc *pre)
{
	bool may;

	lockdep_assert_held(&p->lock);
	if (!p->nr_busy)
		vpmc_access_collect(&p->access, parent);
	may = vpmc_access_add(&p->access, &c->access, parent);
	if (may && !p->events && c->events && has_memory)
		fold_set_events(p, c->events, pre);
	p->unwaited += c->unwaited;
	fold_add_sums(p, parent, c, may);
}

/*
 * Return whether the process of @tsk is being reaped. The task that reaps it does not
 * find counts that are added later.
 */
static bool fold_is_being_reaped(struct task_struct *tsk)
{
	bool reaped;

	rcu_read_lock();
	reaped = !pid_alive(tsk) ||
		 READ_ONCE(tsk->group_leader->exit_state) & EXIT_DEAD;
	rcu_read_unlock();
	return reaped;
}

/*
 * Return whether @p has been folded, or is being reaped, so that it is too late to add to it. The
 * caller has found or created @p, and this then checks whether @p is being reaped. A task that
 * reaps @p takes these two steps in the opposite order, so at least one of the two tasks notices
 * the other.
 */
static bool fold_comes_too_late(struct vpmc_process *p,
				struct task_struct *parent)
{
	if (parent != current && !vpmc_process_has_counts(p) &&
	    fold_is_being_reaped(parent))
		p->folded = true;
	return p->folded;
}

/*
 * Create a sum of children for @p, whose events were not large at the last check. If the events
 * have become large, @p already has a sum of children. A wait cannot fail, so this allocation must
 * not fail.
 */
static noinline void fold_create_children(struct vpmc_process *p)
{
	struct vpmc_sum *sum = vpmc_sum_create(GFP_KERNEL | __GFP_NOFAIL);

	spin_lock(&p->lock);
	if (!p->children) {
		WRITE_ONCE(p->children, sum);
		sum = NULL;
	}
	spin_unlock(&p->lock);
	vpmc_sum_free(sum);
}

/* Add @c to @p's children. Returns false if @p itself has been folded. */
static bool fold_add_child(struct vpmc_process *p, struct task_struct *parent,
			   const struct vpmc_process *c)
{
	struct vpmc_prealloc pre __uninitialized;
	bool has_memory, fit;

	vpmc_prealloc_init(&pre);
	has_memory = !vpmc_events_are_large(c->events) ||
		     !vpmc_prealloc_sums(&pre, c->events);
	if (unlikely(!READ_ONCE(p->children)))
		fold_create_children(p);
	spin_lock(&p->lock);
	fit = !fold_comes_too_late(p, parent);
	if (fit)
		fold_add_locked(p, parent, c, has_memory, &pre);
	spin_unlock(&p->lock);
	vpmc_prealloc_free(&pre);
	return fit;
}

/*
 * Mark @c as folded. From then on, its own children that fold at exit are added to its
 * parent, and its sums do not change. Returns whether @c has counts to add.
 */
static bool fold_claim(struct vpmc_process *c)
{
	bool claimed;

	spin_lock(&c->lock);
	claimed = !c->folded && vpmc_process_has_counts(c);
	c->folded = true;
	spin_unlock(&c->lock);
	return claimed;
}

static void fold_give_up(struct vpmc_process *c)
{
	spin_lock(&c->lock);
	c->folded = false;
	spin_unlock(&c->lock);
}

/*
 * Return the parent or reaper of @tsk, with a reference. Return NULL if @tsk has been
 * released, because its children then have another parent.
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
 * Add @c to @parent's children. Returns 0, -ESRCH if @parent has been released, -EEXIST
 * if it has itself been folded, or -ENOMEM.
 */
static int fold_into(struct task_struct *parent, const struct vpmc_process *c)
{
	struct vpmc_process *p = vpmc_process_obtain(parent);
	int err;

	if (IS_ERR(p))
		return PTR_ERR(p);
	err = fold_add_child(p, parent, c) ? 0 : -EEXIST;
	vpmc_process_put(p);
	return err;
}

/*
 * Add @c, which is claimed, to the children of current's parent. If the parent has been
 * folded already and is not released yet, try the parent's parent, and so on up to the
 * first process. If the parent is released in the meantime, current has another parent.
 * Returns 0 or -ENOMEM.
 */
static int fold_into_ancestor(const struct vpmc_process *c)
{
	struct task_struct *tsk = get_task_struct(current), *parent;
	int err;

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
	return err;
}

void vpmc_fold_at_exit(struct vpmc_process *c)
{
	/* If memory is short, a wait may still add the counts. */
	if (fold_claim(c) && fold_into_ancestor(c))
		fold_give_up(c);
}

/*
 * The process that reaps may have been folded itself, because the first process of a PID
 * namespace reaps after it has exited. Counts of a driver that was unloaded before this
 * driver was loaded are gone. This driver is not unloaded during the call.
 */
void vpmc_fold_wait(struct task_struct *child)
{
	struct vpmc_process *c = READ_ONCE(child->signal->vpmc);

	if (c && fold_claim(c) && !fold_add_child(vpmc_process_own(), current, c))
		fold_into_ancestor(c);
}
