// SPDX-License-Identifier: GPL-2.0-only
/* Whom an open file stands for. See handle.h. */
#include <linux/err.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "control.h"
#include "handle.h"
#include "kernel.h"
#include "populate.h"
#include "process.h"
#include "session.h"
#include "thread.h"

/* A thread of @leader's process that has not exited, else @leader; to put. */
static struct task_struct *living_thread(struct task_struct *leader)
{
	struct task_struct *tsk, *found = leader;

	rcu_read_lock();
	for_each_thread(leader, tsk) {
		if (!(tsk->flags & PF_EXITING)) {
			found = tsk;
			break;
		}
	}
	get_task_struct(found);
	rcu_read_unlock();
	return found;
}

/* What @h is attached to, to put, or NULL if it is no more. */
static struct task_struct *attached_task(const struct vpmc_handle *h)
{
	struct task_struct *tsk, *leader;

	if (h->thread) {
		/* Its number changes if it executes a program. */
		vpmc_process_lock(h->process);
		tsk = h->thread->task;
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
	tsk = living_thread(leader);
	put_task_struct(leader);
	return tsk;
}

/* So that @tsk, once we may, has not executed another program meanwhile. */
static int lock_exec(struct task_struct *tsk, bool control)
{
	if (down_read_killable(&tsk->signal->exec_update_lock))
		return -EINTR;
	if (vpmc_may_access(tsk, control))
		return 0;
	up_read(&tsk->signal->exec_update_lock);
	return -EPERM;
}

int vpmc_handle_target(struct vpmc_handle *h, struct vpmc_target *target)
{
	int err;

	target->whole = h->pid && !h->alone;
	if (!h->pid) {
		if (h->process && h->process != current->signal->vpmc)
			return -EXDEV;
		target->task = get_task_struct(current);
		return 0;
	}
	target->task = attached_task(h);
	if (!target->task)
		return -ESRCH;
	err = lock_exec(target->task, true);
	if (err)
		put_task_struct(target->task);
	return err;
}

void vpmc_handle_release_target(const struct vpmc_handle *h,
				const struct vpmc_target *target)
{
	if (h->pid)
		up_read(&target->task->signal->exec_update_lock);
	put_task_struct(target->task);
}

static struct pid *get_pid_of(const struct vpmc_attach *args)
{
	unsigned int unused;
	struct pid *pid;

	if (args->flags & VPMC_ATTACH_PIDFD)
		return vpmc_pidfd_pid(args->id, &unused);
	pid = find_get_pid(args->id);
	return pid ?: ERR_PTR(-ESRCH);
}

/* The counters of @tsk, one of @p's threads, or NULL. */
static struct vpmc_thread *get_thread(struct vpmc_process *p,
				      struct task_struct *tsk)
{
	struct vpmc_thread *t, *found = NULL;

	vpmc_process_lock(p);
	list_for_each_entry(t, &p->threads, node) {
		if (t->task == tsk)
			found = vpmc_thread_get(t);
	}
	vpmc_process_unlock(p);
	return found;
}

/*
 * All threads get counters at once, so that what they start later is found when
 * they are gone, and no exec goes unnoticed.
 */
static int bind(struct vpmc_handle *h, struct task_struct *tsk)
{
	struct vpmc_process *p = vpmc_process_obtain(tsk);
	int err;

	if (IS_ERR(p))
		return PTR_ERR(p);
	err = vpmc_populate_whole(p, tsk);
	if (err) {
		vpmc_process_put(p);
		return err;
	}
	h->process = p;
	if (h->alone)
		h->thread = get_thread(p, tsk);
	return 0;
}

static int bind_if_may(struct vpmc_handle *h, struct task_struct *tsk)
{
	int err;

	if (tsk->flags & (PF_KTHREAD | PF_USER_WORKER))
		return -EPERM;
	err = lock_exec(tsk, false);
	if (err)
		return err;
	err = bind(h, tsk);
	up_read(&tsk->signal->exec_update_lock);
	return err;
}

static int attach(struct vpmc_handle *h, bool alone)
{
	struct task_struct *tsk;
	int err;

	h->alone = alone;
	tsk = attached_task(h);
	if (!tsk)
		return -ESRCH;
	err = bind_if_may(h, tsk);
	put_task_struct(tsk);
	return err;
}

static void detach(struct vpmc_handle *h)
{
	put_pid(h->pid);
	h->pid = NULL;
	h->alone = false;
}

int vpmc_handle_attach(struct vpmc_handle *h, struct vpmc_attach *args)
{
	struct pid *pid;
	int err;

	if (h->process || h->pid)
		return -EXDEV;
	pid = get_pid_of(args);
	if (IS_ERR(pid))
		return PTR_ERR(pid);
	h->pid = pid;
	err = attach(h, args->flags & VPMC_ATTACH_THREAD);
	if (err) {
		detach(h);
		return err;
	}
	args->generation = vpmc_process_generation(h->process);
	return 0;
}

void vpmc_handle_release(struct vpmc_handle *h)
{
	vpmc_thread_put(h->thread);
	put_pid(h->pid);
	if (h->process)
		vpmc_process_put(h->process);
	vpmc_session_close(h->session);
}
