// SPDX-License-Identifier: GPL-2.0-only
/* This file adds the counts of a process to those of its parent's children. */
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

/* Adds a sum to another. */
typedef void fold_adder(struct vpmc_sum *sum, const struct vpmc_sum *more);

/* Large events: all sums have memory for them, that of the children, too. */
static void fold_have_children(struct vpmc_process *p,
			       struct vpmc_prealloc *pre)
{
	if (!p->children)
		swap(p->children, pre->children);
}

/* Make @sum one of other events, with memory from *@large if these are large. */
static void fold_change_sum(struct vpmc_sum *sum, struct vpmc_events *events,
			    struct vpmc_large_counts **large)
{
	if (vpmc_events_are_large(events) || !vpmc_sum_is_initial(sum))
		*large = vpmc_sum_change(sum, *large, events);
}

static void fold_change_sums(struct vpmc_process *p, struct vpmc_events *events,
			     struct vpmc_prealloc *pre)
{
	vpmc_prealloc_use(pre);
	if (vpmc_events_are_large(events))
		fold_have_children(p, pre);
	fold_change_sum(&p->exited, events, &pre->process[0]);
	fold_change_sum(&p->before, events, &pre->process[1]);
	if (p->children)
		fold_change_sum(p->children, events, &pre->process[2]);
}

/* If the events change, what is in the sums is missing from now on. */
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

/* Where nothing has been added, there may be gaps of threads that live. */
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
		/* Not everybody who may see the new counts may see the old ones. */
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
 * Add what @c has counted before its present generation, by @add like the counts since. These
 * may have more readers. Seldom needed: inlined, it would be part of each wait.
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
 * @c is gone, or about to be: nobody changes its sums any more. @may: the counts of
 * its present generation may be added.
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
 * Add the process @c, with what it had reaped itself, to @p's children. A
 * process without events of its own takes those of the first child that it may
 * see. If there is no memory for that, the child is missing in its sum.
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
 * Is the process of @tsk being reaped? If that had no counts before, whoever
 * reaps does not look for some any more.
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
 * The process @p has been found, or made, before we look whether it is being
 * reaped. Whoever reaps does it the other way round, so that one of the two
 * notices the other.
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
 * Have a sum of children for @p, whose events were not large when we looked: if they are by
 * now, it has one. A wait cannot fail, so neither can this.
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

/* Returns whether @c was added: not to one that has itself been folded. */
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
 * Mark @c as folded. From then on its own children that fold at exit go to its
 * parent, and its sums do not change. Returns whether there is something to add.
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
 * The parent of @tsk, or its reaper, with a reference. NULL if @tsk has been
 * released: its children have another parent then.
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
	err = fold_add_child(p, parent, c) ? 0 : -EEXIST;
	vpmc_process_put(p);
	return err;
}

/*
 * Add @c, which is claimed, to the children of current's parent. That may have been
 * folded already, and not be gone yet. Then try its parent, and so on up to the
 * first process. If the parent is released meanwhile, current has another one.
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
	/* If there is no memory, a wait may still add the counts. */
	if (fold_claim(c) && fold_into_ancestor(c))
		fold_give_up(c);
}

/*
 * Who reaps may have been folded itself: the first process of a PID namespace reaps
 * when it has exited. The counts may have been another driver's, which was unloaded
 * before this one was loaded; this one is not unloaded meanwhile.
 */
void vpmc_fold_wait(struct task_struct *child)
{
	struct vpmc_process *c = READ_ONCE(child->signal->vpmc);

	if (c && fold_claim(c) && !fold_add_child(vpmc_process_own(), current, c))
		fold_into_ancestor(c);
}
