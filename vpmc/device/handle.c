// SPDX-License-Identifier: GPL-2.0-only
/* This file binds an open file to a process or thread. */
#include <linux/err.h>
#include <linux/lockdep.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "kernel/account.h"
#include "calls/cgroup.h"
#include "kernel/compat.h"
#include "cpu/due.h"
#include "cpu/rings.h"
#include "device/handle.h"
#include "kernel/kernel.h"
#include "calls/populate.h"
#include "calls/read.h"
#include "process/session.h"
#include "process/thread.h"

/*
 * Return a thread of @leader's process that has not exited, or @leader if all threads
 * have exited. Takes a reference.
 */
static struct task_struct *handle_living_thread(struct task_struct *leader)
{
	struct task_struct *tsk;

	rcu_read_lock();
	tsk = get_task_struct(vpmc_thread_find_living(leader) ?: leader);
	rcu_read_unlock();
	return tsk;
}

/* Return the task that @h is attached to, with a reference, or NULL if it has exited. */
static struct task_struct *handle_attached_task(const struct vpmc_handle *h)
{
	struct task_struct *tsk, *leader;
	bool may_look;

	if (h->thread) {
		/* The thread's id may change at exec, so do not look it up. */
		may_look = vpmc_process_lock_killable(h->process);
		tsk = may_look ? h->thread->task : NULL;
		if (tsk)
			get_task_struct(tsk);
		vpmc_process_unlock(h->process);
		return tsk;
	}
	if (h->alone)
		return get_pid_task(h->pid, PIDTYPE_PID);
	leader = get_pid_task(h->pid, PIDTYPE_TGID);
	if (!leader)
		return NULL;
	tsk = handle_living_thread(leader);
	put_task_struct(leader);
	return tsk;
}

/*
 * Check whether current may access @tsk. If so, hold exec_update_lock, so that @tsk
 * cannot exec. Returns 0, -EINTR or -EPERM.
 */
static int handle_lock_exec(struct task_struct *tsk, bool control)
{
	if (down_read_killable(&tsk->signal->exec_update_lock))
		return -EINTR;
	if (vpmc_may_access(tsk, control))
		return 0;
	up_read(&tsk->signal->exec_update_lock);
	return -EPERM;
}

int vpmc_handle_get_target(struct vpmc_handle *h, struct vpmc_target *target)
{
	int err;

	lockdep_assert_held(&h->lock);
	target->whole = h->pid && !h->alone;
	if (!h->pid) {
		if (!vpmc_handle_is_own(h))
			return -EXDEV;
		target->task = current;
		return 0;
	}
	target->task = handle_attached_task(h);
	if (!target->task)
		return -ESRCH;
	err = handle_lock_exec(target->task, true);
	if (err)
		put_task_struct(target->task);
	return err;
}

void vpmc_handle_put_target(const struct vpmc_handle *h,
			    const struct vpmc_target *target)
{
	if (!h->pid)
		return;
	up_read(&target->task->signal->exec_update_lock);
	put_task_struct(target->task);
}

static struct pid *handle_get_pid(const struct vpmc_attach *args)
{
	unsigned int unused;
	struct pid *pid;

	if (args->flags & VPMC_ATTACH_PIDFD)
		return vpmc_pidfd_pid(args->id, &unused);
	pid = find_get_pid(args->id);
	return pid ?: ERR_PTR(-ESRCH);
}

/* Return the counters of @tsk, a thread of @p, with a reference, or NULL. */
static struct vpmc_thread *handle_get_thread(struct vpmc_process *p,
					     struct task_struct *tsk)
{
	struct vpmc_thread *t, *found = NULL;

	if (vpmc_process_lock_killable(p)) {
		list_for_each_entry(t, &p->threads, node) {
			if (t->task == tsk) {
				found = vpmc_thread_get(t);
				break;
			}
		}
	}
	vpmc_process_unlock(p);
	return found;
}

/*
 * Return whether current's user may not keep the sums of @p, because files already keep the sums of
 * too many ended processes.
 */
static bool handle_is_over_limit(struct vpmc_process *p)
{
	bool large;

	spin_lock(&p->lock);
	large = vpmc_sum_large(&p->exited);
	spin_unlock(&p->lock);
	return large && vpmc_account_is_exceeded();
}

/*
 * Bind @h to the process of @tsk, and give counters to all its threads. So counts that a
 * thread starts later can be read after it has exited, and each exec is noticed.
 */
static int handle_bind_task(struct vpmc_handle *h, struct task_struct *tsk)
{
	struct vpmc_process *p = vpmc_process_obtain(tsk);
	int err;

	if (IS_ERR(p))
		return PTR_ERR(p);
	err = handle_is_over_limit(p) ? -ENOMEM : vpmc_populate_whole(p, tsk);
	if (!err && h->alone) {
		h->thread = handle_get_thread(p, tsk);
		/* The thread has exited, and its id may be reused by another thread. */
		if (!h->thread)
			err = -ESRCH;
	}
	if (err) {
		vpmc_process_put(p);
		return err;
	}
	vpmc_process_add_file(p);
	/* Pairs with vpmc_handle_reads_own(), which must see @pid if it sees @process. */
	smp_store_release(&h->process, p);
	return 0;
}

static int handle_bind_if_may(struct vpmc_handle *h, struct task_struct *tsk)
{
	int err;

	if (tsk->flags & (PF_KTHREAD | PF_USER_WORKER))
		return -EPERM;
	err = handle_lock_exec(tsk, false);
	if (err)
		return err;
	err = handle_bind_task(h, tsk);
	up_read(&tsk->signal->exec_update_lock);
	return err;
}

static int handle_attach_pid(struct vpmc_handle *h, bool alone)
{
	struct task_struct *tsk;
	int err;

	h->alone = alone;
	tsk = handle_attached_task(h);
	if (!tsk)
		return -ESRCH;
	err = handle_bind_if_may(h, tsk);
	put_task_struct(tsk);
	return err;
}

static void handle_detach(struct vpmc_handle *h)
{
	put_pid(h->pid);
	WRITE_ONCE(h->pid, NULL);
	h->alone = false;
}

int vpmc_handle_attach(struct vpmc_handle *h, struct vpmc_attach *args)
{
	struct pid *pid;
	int err;

	lockdep_assert_held(&h->lock);
	if (h->process || h->pid)
		return -EXDEV;
	pid = handle_get_pid(args);
	if (IS_ERR(pid))
		return PTR_ERR(pid);
	WRITE_ONCE(h->pid, pid);
	err = handle_attach_pid(h, args->flags & VPMC_ATTACH_THREAD);
	if (err) {
		handle_detach(h);
		return err;
	}
	vpmc_read_numbers(h->process, h->thread, &args->generation,
			  &args->start);
	return 0;
}

void vpmc_handle_bind(struct vpmc_handle *h, const struct vpmc_target *target)
{
	struct vpmc_process *p;

	lockdep_assert_held(&h->lock);
	if (h->process)
		return;
	p = vpmc_process_find(target->task);
	if (!p)
		return;
	vpmc_process_add_file(p);
	/* vpmc_handle_reads_own() may read this without the lock. */
	WRITE_ONCE(h->process, p);
}

struct vpmc_process *vpmc_handle_process(const struct vpmc_handle *h)
{
	return h->process ?: current->signal->vpmc;
}

bool vpmc_handle_is_own(const struct vpmc_handle *h)
{
	return !h->pid && vpmc_handle_process(h) == current->signal->vpmc;
}

int vpmc_handle_subject(const struct vpmc_handle *h, u32 scope,
			struct vpmc_subject *subject)
{
	switch (scope) {
	case VPMC_SCOPE_THREAD:
		subject->thread = h->alone ? h->thread : current->thread.vpmc;
		return h->alone || vpmc_handle_is_own(h) ? 0 : -EXDEV;
	case VPMC_SCOPE_SELF:
	case VPMC_SCOPE_CHILDREN:
		subject->process = vpmc_handle_process(h);
		return h->alone ? -EXDEV : 0;
	case VPMC_SCOPE_ALL:
		subject->session = h->session;
		return 0;
	default:
		return -EINVAL;
	}
}

void vpmc_handle_release(struct vpmc_handle *h)
{
	if (unlikely(h->pid)) {
		if (h->thread)
			vpmc_thread_put(h->thread);
		put_pid(h->pid);
	}
	if (h->process) {
		vpmc_process_drop_file(h->process);
		vpmc_process_put(h->process);
		vpmc_due_note();
	}
	if (h->session) {
		vpmc_group_end(h->session->group);
		vpmc_session_close(h->session);
		vpmc_due_note();
	}
	vpmc_rings_close(h->rings);
}
