// SPDX-License-Identifier: GPL-2.0-only
/* A thread gets counters, forks, executes and exits. See thread.h. */
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "multiplex.h"
#include "session.h"
#include "signals.h"
#include "system.h"
#include "thread.h"
#include "window.h"

struct vpmc_thread *vpmc_thread_create(struct vpmc_process *p)
{
	struct vpmc_thread *t = kzalloc(sizeof(*t), GFP_KERNEL_ACCOUNT);

	if (!t)
		return NULL;
	kref_init(&t->ref);
	t->process = vpmc_process_get(p);
	t->loaded = VPMC_NOT_LOADED;
	seqcount_init(&t->seq);
	return t;
}

static void free_thread(struct kref *ref)
{
	struct vpmc_thread *t = container_of(ref, struct vpmc_thread, ref);

	vpmc_events_put(t->events);
	vpmc_process_put(t->process);
	kfree(t->multiplex);
	kfree(t);
}

void vpmc_thread_put(struct vpmc_thread *t)
{
	if (t)
		kref_put(&t->ref, free_thread);
}

/* The exit hook's caller gives the reference to the module back. */
void vpmc_thread_adopt(struct task_struct *tsk, struct vpmc_thread *t)
{
	struct vpmc_process *p = t->process;

	__module_get(THIS_MODULE);
	if (p->session && list_empty(&p->threads))
		list_add_tail(&p->member, &p->session->members);
	list_add_tail(&t->node, &p->threads);
	t->task = tsk;
	WRITE_ONCE(tsk->thread.vpmc, t);
}

void vpmc_thread_reset(struct vpmc_thread *t, struct vpmc_events *events,
		       u64 generation, struct vpmc_room *room)
{
	vpmc_events_get(events);
	vpmc_events_put(t->events);
	t->events = events;
	t->generation = generation;
	t->starts++;
	t->state = VPMC_STATE_STOPPED;
	t->tsc = 0;
	memset(t->counter, 0, sizeof(t->counter));
	vpmc_multiplex_take(t, room);
	vpmc_signals_drop(t);
}

/* Let @t, which may be on another processor, be as of now. */
static void bring_up_to_date(struct vpmc_thread *t)
{
	if (t->task == current) {
		local_irq_disable();
		vpmc_thread_fold(t->process);
		local_irq_enable();
	} else if (t->run) {
		on_each_cpu(vpmc_thread_fold, t->process, 1);
	}
}

int vpmc_thread_read(struct vpmc_thread *t, struct vpmc_read *read)
{
	/* Large, and seldom used. */
	struct vpmc_share share[VPMC_MAX_EVENTS] __uninitialized;
	struct vpmc_sum sum;
	int err;

	if (!t)
		return -ENODATA;
	vpmc_process_lock(t->process);
	if (!t->events) {
		vpmc_process_unlock(t->process);
		return -ENODATA;
	}
	bring_up_to_date(t);
	vpmc_process_settle(t->process);
	vpmc_sum_init(&sum, share, vpmc_events_shared(t->events));
	vpmc_thread_add(&sum, t, t->events);
	read->state = t->state;
	read->running = 0;
	read->generation = t->generation;
	err = vpmc_sum_report(read, &sum, t->events->nr);
	vpmc_process_unlock(t->process);
	return err;
}

/* @t, whose thread does not run yet, begins at zero. */
static void inherit(struct vpmc_thread *t, struct vpmc_events *events,
		    u64 generation, unsigned int epoch, struct vpmc_room *room)
{
	vpmc_thread_reset(t, events, generation, room);
	t->epoch = epoch;
	t->state = VPMC_STATE_RUNNING;
	t->run = true;
	set_tsk_thread_flag(t->task, TIF_VPMC);
}

/*
 * What a thread that @parent creates is to count, or NULL.
 * @parent->process->lock held.
 */
static struct vpmc_events *inherited(const struct vpmc_thread *parent)
{
	vpmc_process_settle(parent->process);
	return parent->state == VPMC_STATE_RUNNING ? parent->events : NULL;
}

/*
 * Take the lock of @parent's process, with room for what a thread that it
 * creates is to count, which @events receives. Somebody else may change that
 * while there is no lock. Returns 0 or -ENOMEM, with the lock held in any case.
 */
static int lock_with_room(const struct vpmc_thread *parent,
			  struct vpmc_events **events, struct vpmc_room *room)
{
	struct vpmc_events *fit = NULL;
	int err = 0;

	vpmc_process_lock(parent->process);
	for (;;) {
		*events = inherited(parent);
		if (err || !vpmc_events_shared(*events) || *events == fit)
			break;
		vpmc_events_get(*events);
		vpmc_process_unlock(parent->process);
		vpmc_events_put(fit);
		fit = *events;
		vpmc_room_free(room);
		err = vpmc_room_alloc(room, fit, 1);
		vpmc_process_lock(parent->process);
	}
	vpmc_events_put(fit);
	return err;
}

/*
 * A new thread of the same process gets counters in any case, so that whoever
 * starts the process finds them also while the thread is not yet visible.
 */
static int fork_thread(struct task_struct *child,
		       const struct vpmc_thread *parent)
{
	struct vpmc_process *p = parent->process;
	struct vpmc_thread *t = vpmc_thread_create(p);
	struct vpmc_room room = {};
	struct vpmc_events *events;
	int err;

	if (!t)
		return -ENOMEM;
	err = lock_with_room(parent, &events, &room);
	if (!err)
		vpmc_thread_adopt(child, t);
	if (!err && events)
		inherit(t, events, parent->generation, parent->epoch, &room);
	vpmc_process_unlock(p);
	if (err)
		vpmc_thread_put(t);
	vpmc_room_free(&room);
	return err;
}

/* Counters for the new process of @child, and for @child itself, or NULL. */
static struct vpmc_thread *create_process(struct task_struct *child)
{
	struct vpmc_process *p = vpmc_process_get_or_create(child);

	return p ? vpmc_thread_create(p) : NULL;
}

/* Nobody can see the new process before it runs: it needs no lock. */
static int fork_process(struct task_struct *child,
			const struct vpmc_thread *parent)
{
	struct vpmc_thread *t = create_process(child);
	struct vpmc_room room = {};
	struct vpmc_events *events;
	int err;

	if (!t) {
		vpmc_process_release(child->signal);
		return -ENOMEM;
	}
	err = lock_with_room(parent, &events, &room);
	if (!err && events) {
		vpmc_process_inherit(t->process, parent->process, events,
				     &room.process);
		vpmc_thread_adopt(child, t);
		inherit(t, events, t->process->generation, parent->epoch,
			&room);
	}
	vpmc_process_unlock(parent->process);
	if (err || !events) {
		vpmc_thread_put(t);
		vpmc_process_release(child->signal);
	}
	vpmc_room_free(&room);
	return err;
}

/* @child, a new process, counts like @parent if that counts. */
static int fork_like(struct task_struct *child,
		     const struct vpmc_thread *parent)
{
	/* Who starts the parent from here on comes too late for the child. */
	if (READ_ONCE(parent->state) != VPMC_STATE_RUNNING)
		return 0;
	return fork_process(child, parent);
}

/* Counters for @child, a new process, if it has none. Returns 0 or -ENOMEM. */
static int fork_without_events(struct task_struct *child)
{
	struct vpmc_thread *t;

	if (child->thread.vpmc)
		return 0;
	t = create_process(child);
	if (!t) {
		vpmc_process_release(child->signal);
		return -ENOMEM;
	}
	vpmc_thread_adopt(child, t);
	return 0;
}

/* The copy of a thread that has a window has one of its own. */
static int fork_with_window(struct task_struct *child,
			    struct vpmc_thread *parent)
{
	struct vpmc_window *w = vpmc_window_create();
	int err = w ? fork_like(child, parent) : -ENOMEM;

	if (!err)
		err = fork_without_events(child);
	if (err)
		vpmc_window_put(w);
	else
		vpmc_window_inherit(child, w);
	return err;
}

int vpmc_thread_fork(struct task_struct *child)
{
	struct vpmc_thread *parent = current->thread.vpmc;

	if (child->signal == current->signal)
		return fork_thread(child, parent);
	if (!parent->window)
		return fork_like(child, parent);
	if (child->mm != current->mm)
		return fork_with_window(child, parent);
	vpmc_window_veil(parent);
	return fork_like(child, parent);
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
	struct vpmc_process *p = t->process;

	vpmc_window_drop(t);
	t->isolated = false;
	vpmc_process_lock(p);
	vpmc_process_settle(p);
	vpmc_signals_drop(t);
	p->raised |= raised;
	p->secret |= raised && p->privileged;
	/* A thread that never started has nothing to lose. */
	if (raised && !p->privileged && t->events)
		revoke(t);
	else if (t->state == VPMC_STATE_ARMED)
		vpmc_thread_set_state(t, VPMC_STATE_RUNNING);
	vpmc_process_unlock(p);
}

/*
 * What @t counted stays with its process. A thread that never ran has nothing.
 * Returns whether the process's counts are to be folded into its parent's now.
 */
static bool leave(struct vpmc_thread *t, bool ran)
{
	struct vpmc_process *p = t->process;
	struct signal_struct *sig = t->task->signal;
	bool last;

	vpmc_process_lock(p);
	vpmc_thread_unload(t);
	vpmc_process_settle(p);
	list_del(&t->node);
	last = list_empty(&p->threads);
	if (last)
		list_del_init(&p->member);
	if (ran)
		vpmc_process_retire(p, t, last ? VPMC_RECORD_LAST : 0);
	if (t->state != VPMC_STATE_REVOKED)
		t->state = VPMC_STATE_EXITED;
	t->task = NULL;
	vpmc_process_unlock(p);
	return ran && last && p->fold && !atomic_read(&sig->live);
}

void vpmc_thread_exit(struct task_struct *tsk)
{
	struct vpmc_thread *t = tsk->thread.vpmc;
	bool ran = tsk == current;

	vpmc_signals_exit(t);
	if (leave(t, ran))
		vpmc_process_fold(t->process);
	vpmc_window_drop(t);
	/* A fork that failed: nobody will reap the process that was not. */
	if (!ran && tsk->signal != current->signal)
		vpmc_process_release(tsk->signal);
	vpmc_thread_put(t);
}
