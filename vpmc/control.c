// SPDX-License-Identifier: GPL-2.0-only
/* Starting and stopping. See control.h. */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/sched.h>
#include <linux/sched/coredump.h>
#include <linux/sched/signal.h>

#include "control.h"
#include "multiplex.h"
#include "populate.h"
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

/* Stopped counts, and nobody began anew since. */
static bool can_resume(const struct vpmc_thread *t)
{
	return t->events && t->state == VPMC_STATE_STOPPED &&
	       t->generation == t->process->generation;
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
		if (vpmc_thread_is_busy(t) && !(flags & VPMC_START_FORCE))
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
		if (!concerns(target, t) && vpmc_thread_is_busy(t) &&
		    t->generation == p->generation)
			return true;
	}
	return false;
}

/*
 * Does current, of process @p, have rights that its user lacks? It may have
 * raised them before it was first counted: they still tell that then, or that
 * it is not dumpable does.
 */
static bool is_raised(const struct vpmc_process *p)
{
	const struct cred *cred = current_cred();

	return p->raised || get_dumpable(current->mm) != SUID_DUMP_USER ||
	       !uid_eq(cred->uid, cred->euid) ||
	       !gid_eq(cred->gid, cred->egid);
}

/* The process's new counts are begun by current. vpmc_process_lock() held. */
static void note_starter(struct vpmc_process *p,
			 const struct vpmc_target *target, u32 flags)
{
	bool own = target->task->signal == current->signal;

	p->privileged = perfmon_capable();
	p->fold = flags & VPMC_START_FOLD;
	p->whole = false;
	p->hidden = own && is_raised(p);
	p->secret = p->hidden;
	p->own = own && !(flags & VPMC_START_AT_EXEC);
}

/*
 * Point the threads of @target at zero of @events, in the process's present
 * generation if others count in it, else in a new one. vpmc_process_lock()
 * held.
 */
static void begin_anew(struct vpmc_process *p, const struct vpmc_target *target,
		       struct vpmc_events *events, u32 flags,
		       struct vpmc_room *room)
{
	bool others = others_count(p, target);
	struct vpmc_thread *t;

	list_for_each_entry(t, &p->threads, node) {
		if (!concerns(target, t))
			continue;
		if (vpmc_thread_is_busy(t))
			vpmc_thread_set_state(t, VPMC_STATE_STOPPED);
		if (others)
			vpmc_process_retire(p, t, VPMC_RECORD_RESTARTED);
	}
	if (!others) {
		vpmc_process_restart(p, vpmc_events_get(events),
				     &room->process);
		note_starter(p, target, flags);
	}
	list_for_each_entry(t, &p->threads, node) {
		if (concerns(target, t))
			vpmc_thread_reset(t, events, p->generation, room);
	}
}

/* vpmc_process_lock() held. */
static void start(struct vpmc_process *p, const struct vpmc_target *target,
		  struct vpmc_events *events, u32 flags, unsigned int epoch,
		  struct vpmc_room *room)
{
	enum vpmc_state state = flags & VPMC_START_AT_EXEC ?
				VPMC_STATE_ARMED : VPMC_STATE_RUNNING;
	struct vpmc_thread *t;

	if (!(flags & VPMC_START_RESUME))
		begin_anew(p, target, events, flags, room);
	p->whole |= target->whole;
	list_for_each_entry(t, &p->threads, node) {
		if (!concerns(target, t) || vpmc_thread_is_busy(t) ||
		    t->state == VPMC_STATE_REVOKED)
			continue;
		/* With those that resume, the others begin. */
		if (!can_resume(t))
			vpmc_thread_reset(t, events, p->generation, room);
		t->epoch = epoch;
		vpmc_thread_set_state(t, state);
	}
}

static unsigned int count_threads(struct vpmc_process *p,
				  const struct vpmc_target *target)
{
	struct vpmc_thread *t;
	unsigned int nr = 0;

	list_for_each_entry(t, &p->threads, node)
		nr += concerns(target, t);
	return nr;
}

/*
 * Take the lock of @p, with room for all threads of @target to count @events:
 * there may be more of them each time that the lock is taken. Returns 0 or
 * -ENOMEM, with the lock held in any case.
 */
static int lock_with_room(struct vpmc_process *p,
			  const struct vpmc_target *target,
			  struct vpmc_events *events, struct vpmc_room *room)
{
	unsigned int nr = 0, threads;
	int err;

	if (likely(!vpmc_events_shared(events))) {
		vpmc_process_lock(p);
		return 0;
	}
	err = vpmc_room_alloc(room, events, 0);
	vpmc_process_lock(p);
	while (!err && (threads = count_threads(p, target)) > nr) {
		vpmc_process_unlock(p);
		err = vpmc_room_add(room, events, threads - nr,
				    GFP_KERNEL_ACCOUNT);
		nr = threads;
		vpmc_process_lock(p);
	}
	return err;
}

static int start_populated(struct vpmc_process *p,
			   const struct vpmc_target *target,
			   struct vpmc_events *events, u32 flags,
			   struct vpmc_session *session, unsigned int epoch,
			   u64 *generation)
{
	struct vpmc_room room = {};
	int err = vpmc_populate(p, target);

	/* To know which thread is the last, all must have counters. */
	if (!err && flags & VPMC_START_FOLD)
		err = vpmc_populate_whole(p, target->task);
	if (err)
		return err;
	err = lock_with_room(p, target, events, &room);
	vpmc_process_settle(p);
	if (!err && is_gone(target))
		err = -ESRCH;
	if (!err)
		err = check_start(p, target, events, flags);
	if (!err) {
		start(p, target, events, flags, epoch, &room);
		if (session)
			vpmc_session_restart(session,
					     flags & VPMC_START_RECORDS, p,
					     &room.session);
		*generation = p->generation;
	}
	vpmc_process_unlock(p);
	vpmc_room_free(&room);
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
	p->whole &= !target->whole;
	list_for_each_entry(t, &p->threads, node) {
		if (!t->events || !concerns(target, t))
			continue;
		if (vpmc_thread_is_busy(t))
			stop(t);
		*generation = target->whole ? p->generation : t->generation;
		err = 0;
	}
	vpmc_process_unlock(p);
	vpmc_process_put(p);
	return err;
}
