// SPDX-License-Identifier: GPL-2.0-only
/* Starting and stopping. See control.h. */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/sched.h>
#include <linux/sched/coredump.h>
#include <linux/sched/signal.h>

#include "control.h"
#include "process.h"
#include "session.h"
#include "system.h"
#include "thread.h"

static bool concerns(const struct vpmc_target *target,
		     const struct vpmc_thread *t)
{
	return target->whole || t->task == target->task;
}

static bool is_gone(const struct vpmc_target *target)
{
	if (target->whole)
		return !atomic_read(&target->task->signal->live);
	return target->task->flags & PF_EXITING;
}

static bool is_busy(const struct vpmc_thread *t)
{
	return t->state == VPMC_STATE_RUNNING || t->state == VPMC_STATE_ARMED;
}

/* Stopped counts, and nobody began anew since. */
static bool can_resume(const struct vpmc_thread *t)
{
	return t->events && t->state == VPMC_STATE_STOPPED &&
	       t->generation == t->process->generation;
}

/*
 * Counters for threads
 *
 * A thread gets its counters from whoever starts it. Somebody else must not
 * give it some when it has passed the exit hook, which nobody would take away
 * any more. So a task work is queued first: that fails once the thread exits;
 * and if it does not, the work runs before the exit hook does, and waits for
 * the process's lock until the counters are in place.
 */
static void arrive_alone(struct callback_head *arrival)
{
	struct vpmc_thread *t =
		container_of(arrival, struct vpmc_thread, arrival);

	vpmc_process_lock(t->process);
	vpmc_process_unlock(t->process);
}

static void arrive_whole(struct callback_head *arrival);

/*
 * Let @tsk have one of the @spare counters if it has none. Returns whether it
 * still needs one. vpmc_process_lock() held.
 */
static bool give(struct task_struct *tsk, bool whole, struct list_head *spare)
{
	struct vpmc_thread *t;

	if (tsk->thread.vpmc || tsk->flags & (PF_KTHREAD | PF_USER_WORKER))
		return false;
	t = list_first_entry_or_null(spare, struct vpmc_thread, node);
	if (!t)
		return !(tsk->flags & PF_EXITING);
	if (tsk != current) {
		init_task_work(&t->arrival, whole ? arrive_whole :
						    arrive_alone);
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
			missing += give(tsk, true, spare);
		rcu_read_unlock();
	} else {
		missing = give(target->task, false, spare);
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

/* See to it that all threads of @target have counters. */
static int populate(struct vpmc_process *p, const struct vpmc_target *target)
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

/* Let the calling thread's sibling @t do what @self does. */
static void follow_sibling(struct vpmc_thread *t,
			   const struct vpmc_thread *self)
{
	vpmc_thread_reset(t, self->events, self->generation);
	t->epoch = self->epoch;
	vpmc_thread_set_state(t, self->state);
}

/*
 * While the calling thread was given its counters it may have been creating
 * another thread, too late to let it inherit, and too early for others to see.
 */
static void arrive_whole(struct callback_head *arrival)
{
	struct vpmc_thread *t, *self =
		container_of(arrival, struct vpmc_thread, arrival);
	struct vpmc_target all = { .task = current, .whole = true };
	struct vpmc_process *p = self->process;
	int err = populate(p, &all);

	vpmc_process_lock(p);
	vpmc_process_settle(p);
	if (is_busy(self)) {
		list_for_each_entry(t, &p->threads, node) {
			if (!t->events)
				follow_sibling(t, self);
		}
		/* For want of memory there is one whose counts are missing. */
		if (err)
			p->exited.other_events++;
	}
	vpmc_process_unlock(p);
}

/* May @target start? vpmc_process_lock() held, settled. */
static int check_start(struct vpmc_process *p,
		       const struct vpmc_target *target,
		       const struct vpmc_events *events, u32 flags)
{
	int err = flags & VPMC_START_RESUME ? -ENODATA : 0;
	struct vpmc_thread *t;

	list_for_each_entry(t, &p->threads, node) {
		if (!concerns(target, t))
			continue;
		if (is_busy(t) && !(flags & VPMC_START_FORCE))
			return -EBUSY;
		if (!(flags & VPMC_START_RESUME) || !can_resume(t))
			continue;
		if (!vpmc_events_equal(t->events, events))
			return -EINVAL;
		err = 0;
	}
	return err;
}

static int check_start_now(struct vpmc_process *p,
			   const struct vpmc_target *target,
			   const struct vpmc_events *events, u32 flags)
{
	int err;

	vpmc_process_lock(p);
	vpmc_process_settle(p);
	err = check_start(p, target, events, flags);
	vpmc_process_unlock(p);
	return err;
}

/* Does a thread that is not of @target count what the process counts? */
static bool others_count(struct vpmc_process *p,
			 const struct vpmc_target *target)
{
	struct vpmc_thread *t;

	list_for_each_entry(t, &p->threads, node) {
		if (!concerns(target, t) && is_busy(t) &&
		    t->generation == p->generation)
			return true;
	}
	return false;
}

/* Is current, of process @p, a program with rights that its user lacks? */
static bool is_raised(const struct vpmc_process *p)
{
	const struct cred *cred = current_cred();

	return get_dumpable(current->mm) != SUID_DUMP_USER &&
	       (p->raised || !uid_eq(cred->uid, cred->euid) ||
		!gid_eq(cred->gid, cred->egid));
}

/* The process's new counts are begun by current. vpmc_process_lock() held. */
static void note_starter(struct vpmc_process *p,
			 const struct vpmc_target *target, u32 flags)
{
	p->privileged = perfmon_capable();
	p->fold = flags & VPMC_START_FOLD;
	p->hidden = target->task->signal == current->signal && is_raised(p);
	p->secret = p->hidden;
}

/*
 * Point the threads of @target at zero of @events, in the process's present
 * generation if others count in it, else in a new one. vpmc_process_lock()
 * held.
 */
static void begin_anew(struct vpmc_process *p, const struct vpmc_target *target,
		       struct vpmc_events *events, u32 flags)
{
	bool others = others_count(p, target);
	struct vpmc_thread *t;

	list_for_each_entry(t, &p->threads, node) {
		if (!concerns(target, t))
			continue;
		if (is_busy(t))
			vpmc_thread_set_state(t, VPMC_STATE_STOPPED);
		if (others)
			vpmc_process_retire(p, t, VPMC_RECORD_RESTARTED);
	}
	if (!others) {
		vpmc_process_restart(p, vpmc_events_get(events));
		note_starter(p, target, flags);
	}
	list_for_each_entry(t, &p->threads, node) {
		if (concerns(target, t))
			vpmc_thread_reset(t, events, p->generation);
	}
}

/* vpmc_process_lock() held. */
static void start(struct vpmc_process *p, const struct vpmc_target *target,
		  struct vpmc_events *events, u32 flags, unsigned int epoch)
{
	enum vpmc_state state = flags & VPMC_START_AT_EXEC ?
				VPMC_STATE_ARMED : VPMC_STATE_RUNNING;
	struct vpmc_thread *t;

	if (!(flags & VPMC_START_RESUME))
		begin_anew(p, target, events, flags);
	list_for_each_entry(t, &p->threads, node) {
		if (!concerns(target, t) || !can_resume(t))
			continue;
		t->epoch = epoch;
		vpmc_thread_set_state(t, state);
	}
}

static int start_populated(struct vpmc_process *p,
			   const struct vpmc_target *target,
			   struct vpmc_events *events, u32 flags,
			   struct vpmc_session *session, unsigned int epoch,
			   u64 *generation)
{
	int err = populate(p, target);

	if (err)
		return err;
	vpmc_process_lock(p);
	vpmc_process_settle(p);
	err = is_gone(target) ? -ESRCH : check_start(p, target, events, flags);
	if (!err) {
		start(p, target, events, flags, epoch);
		if (session)
			vpmc_session_restart(session,
					     flags & VPMC_START_RECORDS, p);
		*generation = p->generation;
	}
	vpmc_process_unlock(p);
	return err;
}

int vpmc_control_start(const struct vpmc_target *target,
		       struct vpmc_events *events, u32 flags,
		       struct vpmc_session *session, u64 *generation)
{
	unsigned int epoch = READ_ONCE(vpmc_epoch);
	struct vpmc_process *p;
	int err;

	if (vpmc_epoch_is_system(epoch))
		return -EBUSY;
	p = vpmc_process_obtain(target->task);
	if (IS_ERR(p))
		return PTR_ERR(p);
	err = check_start_now(p, target, events, flags);
	if (!err && session)
		err = vpmc_session_join(session, p);
	if (!err)
		err = start_populated(p, target, events, flags, session, epoch,
				      generation);
	vpmc_process_put(p);
	if (!err)
		vpmc_events_put(events);
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

int vpmc_control_stop(const struct vpmc_target *target, u64 *generation)
{
	struct vpmc_process *p = vpmc_process_find(target->task);
	struct vpmc_thread *t;
	int err;

	err = is_gone(target) ? -ESRCH : -ENODATA;
	if (!p)
		return err;
	vpmc_process_lock(p);
	vpmc_process_settle(p);
	list_for_each_entry(t, &p->threads, node) {
		if (!t->events || !concerns(target, t))
			continue;
		if (is_busy(t))
			stop(t);
		*generation = t->generation;
		err = 0;
	}
	vpmc_process_unlock(p);
	vpmc_process_put(p);
	return err;
}
