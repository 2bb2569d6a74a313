// SPDX-License-Identifier: GPL-2.0-only
/* A thread starts, stops, forks, executes and exits. See thread.h. */
#include <linux/capability.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "session.h"
#include "signals.h"
#include "system.h"
#include "thread.h"

static struct vpmc_thread *create(struct vpmc_process *p)
{
	struct vpmc_thread *t = kzalloc(sizeof(*t), GFP_KERNEL_ACCOUNT);

	if (!t)
		return NULL;
	t->process = vpmc_process_get(p);
	seqcount_init(&t->seq);
	return t;
}

static void destroy(struct vpmc_thread *t)
{
	vpmc_events_put(t->events);
	vpmc_process_put(t->process);
	kfree(t);
}

/*
 * @tsk gets its first counters, @t. The exit hook's caller gives the reference
 * to the module back. vpmc_process_lock() held.
 */
static void attach(struct task_struct *tsk, struct vpmc_thread *t)
{
	struct vpmc_process *p = t->process;

	__module_get(THIS_MODULE);
	if (p->session && list_empty(&p->threads))
		list_add_tail(&p->member, &p->session->members);
	list_add_tail(&t->node, &p->threads);
	t->task = tsk;
	tsk->thread.vpmc = t;
}

/* Does another thread than @self count what the process counts? */
static bool others_count(struct vpmc_process *p, struct vpmc_thread *self)
{
	struct vpmc_thread *t;

	list_for_each_entry(t, &p->threads, node) {
		if (t == self || t->generation != p->generation)
			continue;
		if (t->state == VPMC_STATE_RUNNING ||
		    t->state == VPMC_STATE_ARMED)
			return true;
	}
	return false;
}

/*
 * Point the stopped thread @t at zero of @events, in the process's present
 * generation if others count in it, else in a new one. vpmc_process_lock()
 * held.
 */
static void restart(struct vpmc_thread *t, struct vpmc_events *events)
{
	struct vpmc_process *p = t->process;

	if (others_count(p, t)) {
		vpmc_process_retire(p, t, VPMC_RECORD_RESTARTED);
	} else {
		vpmc_process_restart(p, vpmc_events_get(events));
		p->privileged = perfmon_capable();
	}
	vpmc_events_put(t->events);
	t->events = events;
	t->generation = p->generation;
	t->tsc = 0;
	memset(t->counter, 0, sizeof(t->counter));
	vpmc_signals_drop(t);
}

/* What the calling thread, whose counters are @t, does. */
static enum vpmc_state present_state(struct vpmc_thread *t)
{
	enum vpmc_state state;

	vpmc_process_lock(t->process);
	vpmc_process_settle(t->process);
	state = t->state;
	vpmc_process_unlock(t->process);
	return state;
}

/* May the calling thread, whose counters are @t if it has any, start? */
static int check_start(struct vpmc_thread *t, const struct vpmc_events *events,
		       u32 flags)
{
	enum vpmc_state state = t ? present_state(t) : VPMC_STATE_EXITED;

	if (state == VPMC_STATE_RUNNING || state == VPMC_STATE_ARMED)
		return -EBUSY;
	if (!(flags & VPMC_START_RESUME))
		return 0;
	if (state != VPMC_STATE_STOPPED)
		return -ENODATA;
	return vpmc_events_equal(t->events, events) ? 0 : -EINVAL;
}

/*
 * Let @t go on, or begin at zero of @events. Takes the reference to @events if
 * it succeeds. vpmc_process_lock() held.
 */
static int start(struct vpmc_thread *t, struct vpmc_events *events, u32 flags,
		 struct vpmc_session *session)
{
	if (flags & VPMC_START_RESUME) {
		/* Others began anew: what would go on is not there any more. */
		if (t->generation != t->process->generation)
			return -ENODATA;
		vpmc_events_put(events);
	} else {
		restart(t, events);
	}
	if (session)
		vpmc_session_restart(session, flags & VPMC_START_RECORDS,
				     t->process);
	vpmc_thread_set_state(t, flags & VPMC_START_AT_EXEC ?
				 VPMC_STATE_ARMED : VPMC_STATE_RUNNING);
	return 0;
}

int vpmc_thread_start(struct vpmc_events *events, u32 flags,
		      struct vpmc_session *session, u64 *generation)
{
	struct vpmc_thread *t = current->thread.vpmc;
	unsigned int epoch = READ_ONCE(vpmc_epoch);
	struct vpmc_process *p;
	int err;

	if (vpmc_epoch_is_system(epoch))
		return -EBUSY;
	err = check_start(t, events, flags);
	if (err)
		return err;
	p = vpmc_process_get_or_create(current);
	if (p && !t)
		t = create(p);
	if (!p || !t)
		return -ENOMEM;
	err = session ? vpmc_session_join(session, p) : 0;
	if (err)
		goto out;

	vpmc_process_lock(p);
	if (!current->thread.vpmc)
		attach(current, t);
	t->epoch = epoch;
	err = start(t, events, flags, session);
	*generation = t->generation;
	vpmc_process_unlock(p);
	return err;

out:
	if (!current->thread.vpmc)
		destroy(t);
	return err;
}

/*
 * If the counters are taken at this moment, some time may be missing in what a
 * thread counted. vpmc_process_lock() held.
 */
static void stop(struct vpmc_thread *t)
{
	enum vpmc_state before = t->state;

	vpmc_thread_set_state(t, VPMC_STATE_STOPPED);
	if (before == VPMC_STATE_RUNNING &&
	    t->epoch != READ_ONCE(vpmc_epoch)) {
		t->state = before;
		vpmc_process_settle(t->process);
	}
}

int vpmc_thread_stop(u64 *generation)
{
	struct vpmc_thread *t = current->thread.vpmc;

	if (!t)
		return -ENODATA;
	vpmc_process_lock(t->process);
	vpmc_process_settle(t->process);
	if (t->state != VPMC_STATE_REVOKED)
		stop(t);
	*generation = t->generation;
	vpmc_process_unlock(t->process);
	return 0;
}

int vpmc_thread_read(struct vpmc_read *read)
{
	struct vpmc_thread *t = current->thread.vpmc;
	struct vpmc_sum sum = {};

	if (!t)
		return -ENODATA;
	vpmc_process_lock(t->process);
	local_irq_disable();
	vpmc_thread_fold(t->process);
	local_irq_enable();
	vpmc_process_settle(t->process);
	vpmc_thread_add(&sum, t, t->events);
	read->state = t->state;
	read->running = 0;
	read->generation = t->generation;
	vpmc_process_unlock(t->process);
	vpmc_sum_report(read, &sum, t->events->nr);
	return 0;
}

/* The child's process: its parent's, or a new one that counts the same. */
static struct vpmc_process *process_of_child(struct task_struct *child,
					     struct vpmc_thread *parent)
{
	struct vpmc_process *p;

	if (child->signal == current->signal)
		return parent->process;
	p = vpmc_process_get_or_create(child);
	if (!p)
		return NULL;
	if (parent->process->session)
		vpmc_process_join(p, parent->process->session);
	vpmc_process_lock(p);
	vpmc_process_restart(p, vpmc_events_get(parent->events));
	p->privileged = parent->process->privileged;
	vpmc_process_unlock(p);
	return p;
}

int vpmc_thread_fork(struct task_struct *child)
{
	struct vpmc_thread *parent = current->thread.vpmc, *t;
	struct vpmc_process *p;

	if (present_state(parent) != VPMC_STATE_RUNNING)
		return 0;
	p = process_of_child(child, parent);
	if (!p)
		return -ENOMEM;
	t = create(p);
	if (!t) {
		if (p != parent->process)
			vpmc_process_release(child->signal);
		return -ENOMEM;
	}
	t->events = vpmc_events_get(parent->events);
	t->state = VPMC_STATE_RUNNING;
	t->epoch = parent->epoch;

	vpmc_process_lock(p);
	t->generation = p == parent->process ? parent->generation :
					       p->generation;
	attach(child, t);
	set_tsk_thread_flag(child, TIF_VPMC);
	vpmc_process_unlock(p);
	return 0;
}

/*
 * The new program may do what the user may not: nothing of it is counted for
 * somebody who has no right to watch it, and the generation says so.
 */
static void revoke(struct vpmc_thread *t)
{
	struct vpmc_process *p = t->process;

	vpmc_thread_set_state(t, VPMC_STATE_REVOKED);
	p->generation = vpmc_new_generation();
	t->generation = p->generation;
}

void vpmc_thread_exec(bool raised)
{
	struct vpmc_thread *t = current->thread.vpmc;

	vpmc_process_lock(t->process);
	vpmc_process_settle(t->process);
	vpmc_signals_drop(t);
	if (raised && !t->process->privileged)
		revoke(t);
	else if (t->state == VPMC_STATE_ARMED)
		vpmc_thread_set_state(t, VPMC_STATE_RUNNING);
	vpmc_process_unlock(t->process);
}

/* What @t counted stays with its process. A thread that never ran has nothing. */
static void leave(struct vpmc_thread *t, bool ran)
{
	struct vpmc_process *p = t->process;
	bool last;

	vpmc_process_lock(p);
	vpmc_process_settle(p);
	list_del(&t->node);
	last = list_empty(&p->threads);
	if (last)
		list_del_init(&p->member);
	if (ran)
		vpmc_process_retire(p, t, last ? VPMC_RECORD_LAST : 0);
	vpmc_process_unlock(p);
}

void vpmc_thread_exit(struct task_struct *tsk)
{
	struct vpmc_thread *t = tsk->thread.vpmc;
	bool ran = tsk == current;

	local_irq_disable();
	if (ran)
		vpmc_thread_fold(t->process);
	clear_tsk_thread_flag(tsk, TIF_VPMC);
	tsk->thread.vpmc = NULL;
	local_irq_enable();

	vpmc_signals_exit(t);
	leave(t, ran);
	/* A fork that failed: nobody will reap the process that was not. */
	if (!ran && tsk->signal != current->signal)
		vpmc_process_release(tsk->signal);
	destroy(t);
}
