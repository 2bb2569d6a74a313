// SPDX-License-Identifier: GPL-2.0-only
/* This file collects the processes of cgroups. */
#ifdef CONFIG_CGROUPS
#include <linux/cgroup.h>
#include <linux/kref.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/xarray.h>

#include "kernel/compat.h"
#include "calls/control.h"
#include "kernel/hooks.h"
#include "kernel/kernel.h"
#include "process/process.h"
#include "process/session.h"
#include "calls/cgroup.h"
#include "thread/sample.h"

/**
 * struct vpmc_group - a cgroup whose processes are collected
 * @ref: reference count. The list and each task that is being started hold a reference.
 * @node: entry in group_list
 * @number: unique number of the group. Later entries have larger numbers.
 * @cgroup: the cgroup, with a reference
 * @session: the session that collects its processes, with a reference
 * @missing: for each thread that is missing in the sum of @session, by its id, the sum of its start
 *	time and the identity of the start in which it is missing
 */
struct vpmc_group {
	struct kref ref;
	struct list_head node;
	u64 number;
	struct cgroup *cgroup;
	struct vpmc_session *session;
	struct xarray missing;
};

/*
 * These are the cgroups of open files. The list is changed under the lock, and read under RCU. A
 * task that has entered a cgroup does not stay in an RCU read-side critical section while it starts
 * its process. A start takes as long as its owner likes, because the task may have many threads, a
 * low priority, or a cgroup without memory or time. The close() of a file must not wait for such a
 * task.
 */
static LIST_HEAD(group_list);
static DEFINE_SPINLOCK(group_lock);
static u64 group_last_number;

/* Return whether @cgroup is threaded, so that it can have only some threads of a process. */
static bool group_is_threaded(const struct cgroup *cgroup)
{
	return READ_ONCE(cgroup->dom_cgrp) != cgroup;
}

/* Return whether @tsk can be collected and is in the cgroup. RCU read lock held. */
static bool group_contains(const struct vpmc_group *g, struct task_struct *tsk)
{
	return !(tsk->flags & (PF_KTHREAD | PF_USER_WORKER | PF_EXITING)) &&
	       cgroup_is_descendant(task_dfl_cgroup(tsk), g->cgroup);
}

/*
 * Return whether current is already noted as missing in the start @identity, and note it. Current
 * may have left the cgroup and entered it again. An entry of an earlier thread with the same id is
 * replaced, so there are no more entries than ids. A later thread has a larger start time, and a
 * later start has a larger identity, so the sums differ.
 */
static bool group_misses(struct vpmc_group *g, u64 identity)
{
	u64 number = current->start_boottime + identity;
	void *value = xa_mk_value((unsigned long)number & LONG_MAX);
	struct mem_cgroup *old = set_active_memcg(g->session->memcg);
	void *was = xa_store(&g->missing, current->pid, value, GFP_KERNEL);

	set_active_memcg(old);
	return was == value;
}

/*
 * Start current's process for the present start of the session. @identity receives the identity of
 * this start. Wait first for another start that is under way. Returns the result of
 * vpmc_control_enter(), -EINTR if current is being killed, or -EOPNOTSUPP if the cgroup has become
 * threaded after VPMC_CGROUP.
 */
static int group_try(const struct vpmc_group *g, u64 *identity)
{
	struct vpmc_session *s = g->session;
	struct vpmc_events *events;
	bool lives;
	int err;

	lives = vpmc_session_lock(s);
	events = vpmc_events_get(s->events);
	*identity = s->identity;
	spin_unlock(&s->lock);
	if (unlikely(!lives))
		err = -EINTR;
	else if (unlikely(group_is_threaded(g->cgroup)))
		err = -EOPNOTSUPP;
	else
		err = vpmc_control_enter(s, events);
	vpmc_events_put(events);
	return err;
}

/*
 * Return whether current is being killed. Such a task does not return to user mode, so none of its
 * counts are missing.
 */
static bool group_is_killed(void)
{
	return fatal_signal_pending(current);
}

/* Let current's process be collected, or note that current is missing. */
static void group_start(struct vpmc_group *g)
{
	u64 identity;
	int err;

	if (unlikely(group_is_killed()))
		return;
	do {
		err = group_try(g, &identity);
	} while (err == -ESTALE);
	if (!err)
		vpmc_sample_present();
	/* Current may have been killed in the meantime, possibly because memory was short. */
	if (err && err != -EALREADY && err != -ESRCH && !group_is_killed() &&
	    !group_misses(g, identity))
		vpmc_session_miss(g->session, identity);
}

/*
 * Return the next group of current after the group with @number, with a reference, or NULL. A group
 * in the list has a reference until the end of the RCU read-side critical section.
 */
static struct vpmc_group *group_get_next(u64 number)
{
	struct vpmc_group *g, *next = NULL;

	rcu_read_lock();
	list_for_each_entry_rcu(g, &group_list, node) {
		if (g->number > number && group_contains(g, current)) {
			kref_get(&g->ref);
			next = g;
			break;
		}
	}
	rcu_read_unlock();
	return next;
}

static void group_free(struct kref *ref)
{
	struct vpmc_group *g = container_of(ref, struct vpmc_group, ref);

	xa_destroy(&g->missing);
	cgroup_put(g->cgroup);
	vpmc_session_put(g->session);
	kfree(g);
}

static void group_put(struct vpmc_group *g)
{
	kref_put(&g->ref, group_free);
}

/* The file of a group may be closed in the meantime, so the file does not keep the hooks live. */
void vpmc_group_entered(void)
{
	struct vpmc_group *g;
	u64 number = 0;

	while ((g = group_get_next(number))) {
		number = g->number;
		vpmc_hooks_use();
		group_start(g);
		vpmc_hooks_unuse();
		group_put(g);
	}
}

/* Return whether @tsk, which current is creating, has inherited the session of @g. */
static bool group_inherits(const struct vpmc_group *g, struct task_struct *tsk)
{
	const struct vpmc_thread *t = tsk->thread.vpmc;

	return t && t->events && READ_ONCE(t->process->session) == g->session;
}

bool vpmc_group_enter(struct task_struct *tsk, struct cgroup *from)
{
	struct vpmc_group *g;
	bool enters = false;

	rcu_read_lock();
	list_for_each_entry_rcu(g, &group_list, node) {
		/* A move within the cgroup is not an entry. */
		if (from ? !cgroup_is_descendant(from, g->cgroup) :
			   !group_inherits(g, tsk))
			enters |= group_contains(g, tsk);
	}
	rcu_read_unlock();
	return enters;
}

/* Let the tasks that are already in the cgroup start their processes, like tasks that enter it. */
static void group_find(struct vpmc_group *g)
{
	struct task_struct *leader, *tsk;

	rcu_read_lock();
	for_each_process(leader) {
		vpmc_for_each_thread(leader, tsk) {
			if (group_contains(g, tsk))
				vpmc_call_entered(tsk);
		}
	}
	rcu_read_unlock();
}

/* Returns the cgroup of @fd, with a reference, ERR_PTR(-EBADF) or ERR_PTR(-EINVAL). */
static struct cgroup *group_cgroup(int fd)
{
	struct cgroup *cgroup = cgroup_get_from_fd(fd);

	if (IS_ERR(cgroup))
		return ERR_PTR(-EBADF);
	if (!group_is_threaded(cgroup))
		return cgroup;
	cgroup_put(cgroup);
	return ERR_PTR(-EINVAL);
}

static struct vpmc_group *group_create(struct vpmc_session *s, int fd)
{
	struct vpmc_group *g = kzalloc(sizeof(*g), GFP_KERNEL_ACCOUNT);
	struct cgroup *cgroup;

	if (!g)
		return ERR_PTR(-ENOMEM);
	cgroup = group_cgroup(fd);
	if (IS_ERR(cgroup)) {
		kfree(g);
		return ERR_CAST(cgroup);
	}
	kref_init(&g->ref);
	xa_init_flags(&g->missing, XA_FLAGS_ACCOUNT);
	g->cgroup = cgroup;
	g->session = vpmc_session_get(s);
	return g;
}

struct vpmc_group *vpmc_group_begin(struct vpmc_session *s, int fd)
{
	struct vpmc_group *g;

	if (!vpmc_call_entered)
		return ERR_PTR(-EOPNOTSUPP);
	g = group_create(s, fd);
	if (IS_ERR(g))
		return g;
	static_branch_inc(&vpmc_watched);
	spin_lock(&group_lock);
	g->number = ++group_last_number;
	list_add_tail_rcu(&g->node, &group_list);
	spin_unlock(&group_lock);
	/* A task whose hook did not see @g is already in the cgroup, and is found there. */
	synchronize_rcu();
	group_find(g);
	return g;
}

void vpmc_group_again(struct vpmc_group *g)
{
	group_find(g);
}

void vpmc_group_end(struct vpmc_group *g)
{
	if (!g)
		return;
	spin_lock(&group_lock);
	list_del_rcu(&g->node);
	spin_unlock(&group_lock);
	static_branch_dec(&vpmc_watched);
	synchronize_rcu();
	group_put(g);
}
#endif
