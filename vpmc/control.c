// SPDX-License-Identifier: GPL-2.0-only
/* Starting and stopping. See control.h. */
#include <linux/err.h>
#include <linux/lockdep.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "collect.h"
#include "control.h"
#include "count.h"
#include "cpu.h"
#include "due.h"
#include "fold.h"
#include "prealloc.h"
#include "reserve.h"
#include "session.h"
#include "thread.h"
#include "work.h"

/**
 * struct control_request - a start or stop, while it is carried out
 * @p: whose counters
 * @target: which of its threads
 * @events: what to count
 * @flags: VPMC_START_* bits
 * @session: who collects the process, or NULL
 * @epoch: of the start: that of the process, and so of all its threads that count
 * @identity: of the start
 * @mask: processors to be told
 * @queued: the threads look by themselves how the start ended, see work.h
 * @hides_others: others of @p count what current must not see
 * @reserved: the start itself keeps the hardware counters the driver's, until it leaves
 *	that to @p
 * @pre: memory
 */
struct control_request {
	struct vpmc_process *p;
	const struct vpmc_target *target;
	struct vpmc_events *events;
	u32 flags;
	struct vpmc_session *session;
	unsigned int epoch;
	u64 identity;
	struct cpumask *mask;
	bool queued;
	bool hides_others;
	bool reserved;
	struct vpmc_prealloc pre;
};

static bool control_is_gone(const struct vpmc_target *target)
{
	if (target->whole)
		return !vpmc_thread_any_lives(target->task);
	return target->task->flags & PF_EXITING ||
	       !target->task->thread.vpmc;
}

/* Call @act for each thread of @r. @act may move the thread in the list. */
static void control_each(struct control_request *r,
			 void (*act)(struct vpmc_thread *t,
				     struct control_request *r))
{
	struct vpmc_thread *t, *next;

	lockdep_assert_held(&r->p->lock);
	if (!r->target->whole) {
		act(r->target->task->thread.vpmc, r);
		return;
	}
	list_for_each_entry_safe(t, next, &r->p->threads, node)
		act(t, r);
}

/* Has @t stopped, and is its generation still the present one? */
static bool control_can_resume(const struct vpmc_thread *t)
{
	return t->events && t->state == VPMC_STATE_STOPPED &&
	       t->generation == t->process->generation;
}

/* May current see what the target counts? */
static __always_inline bool control_may_see(const struct control_request *r)
{
	return vpmc_access_may_see(&r->p->access,
				   r->p == current->signal->vpmc);
}

/* Whether the start has @events is only for who may see them. */
static int control_compare(const struct control_request *r,
			   const struct vpmc_events *events)
{
	if (!control_may_see(r))
		return -EPERM;
	return vpmc_events_equal(events, r->events) ? 0 : -EINVAL;
}

/* 0, -EBUSY, -EINVAL, -EPERM, or -ENODATA if @t has nothing to resume. */
static int control_check_thread(const struct vpmc_thread *t,
				const struct control_request *r)
{
	if (vpmc_thread_is_busy(t) && !(r->flags & VPMC_START_FORCE))
		return -EBUSY;
	if (!(r->flags & VPMC_START_RESUME))
		return 0;
	if (!control_can_resume(t))
		return -ENODATA;
	return control_compare(r, t->events);
}

/*
 * A resume needs at least one thread that can resume, and no other events. A
 * thread that counts is the first thing to be said, whichever thread it is.
 */
static int control_check_whole(const struct control_request *r)
{
	int err = r->flags & VPMC_START_RESUME ? -ENODATA : 0, one;
	const struct vpmc_thread *t;
	bool differs = false;

	/* Those that begin count what the process counts. */
	one = err && r->p->events ? control_compare(r, r->p->events) : 0;
	if (one)
		return one;
	list_for_each_entry(t, &r->p->threads, node) {
		one = control_check_thread(t, r);
		if (one == -EBUSY)
			return one;
		if (one == -EINVAL)
			differs = true;
		if (!one)
			err = 0;
	}
	return differs ? -EINVAL : err;
}

/* May the start go on? */
static int control_check(const struct control_request *r)
{
	const struct vpmc_thread *t = r->target->task->thread.vpmc;

	lockdep_assert_held(&r->p->lock);
	if (r->target->whole)
		return control_check_whole(r);
	if (t)
		return control_check_thread(t, r);
	return r->flags & VPMC_START_RESUME ? -ENODATA : 0;
}

/* Does a thread of the target count, or one outside? */
static bool control_is_busy(const struct control_request *r)
{
	const struct vpmc_thread *t = r->target->task->thread.vpmc;

	lockdep_assert_held(&r->p->lock);
	return r->target->whole ? r->p->nr_busy : t && vpmc_thread_is_busy(t);
}

static bool control_others_count(const struct control_request *r)
{
	return !r->target->whole && r->p->nr_busy > control_is_busy(r);
}

static void control_halt(struct vpmc_thread *t, struct control_request *r)
{
	if (vpmc_thread_is_busy(t))
		vpmc_count_set_run(t, false, r->mask);
}

static void control_queue(struct vpmc_thread *t, struct control_request *r)
{
	if (t->task != current)
		vpmc_work_queue_follow(t);
	vpmc_count_set_run(t, false, r->mask);
}

static void control_set_stopped(struct vpmc_thread *t,
				struct control_request *r)
{
	if (!vpmc_thread_is_busy(t)) {
		/* A start from zero makes no gap. */
		if (!r->events)
			vpmc_process_note_gap(t);
		return;
	}
	vpmc_process_set_state(t, VPMC_STATE_STOPPED);
	vpmc_count_forget(t);
}

/*
 * Stop the threads that count, by @halt. System mode may have taken the counters
 * before they stopped: then their counts are incomplete.
 */
static void control_stop_all(struct control_request *r,
			     void (*halt)(struct vpmc_thread *t,
					  struct control_request *r))
{
	r->mask = vpmc_count_sync_begin();
	control_each(r, halt);
	vpmc_count_sync(r->mask, r->p);
	vpmc_process_enforce_epoch(r->p);
	control_each(r, control_set_stopped);
}

/* What others have counted meanwhile stays in the same sum as what @t has. */
static void control_note_gap(struct vpmc_thread *t, struct control_request *r)
{
	vpmc_process_note_gap(t);
}

static void control_keep(struct vpmc_thread *t, struct control_request *r)
{
	vpmc_thread_keep(t, r->p, false, &r->pre);
}

static void control_reset(struct vpmc_thread *t, struct control_request *r)
{
	vpmc_thread_reset(t, r->events, r->identity, &r->pre);
}

/* Others go on counting, so the present generation continues. */
static void control_join_generation(struct control_request *r)
{
	r->hides_others = !control_may_see(r);
	control_each(r, control_keep);
	vpmc_access_join(&r->p->access, r->target->task,
			 r->events->load.kernel);
	r->identity = vpmc_process_new_number();
	r->p->inherited |= r->flags & VPMC_PROCESS_INHERITED;
}

static void control_new_generation(struct control_request *r)
{
	struct vpmc_access access = {};

	vpmc_access_start(&access, &r->p->access, r->target->task,
			  r->events->load.kernel);
	vpmc_fold_restart(r->p, r->events, &access, &r->pre);
	r->p->inherited = r->flags & VPMC_PROCESS_INHERITED;
	r->p->how = 0;
	r->identity = r->p->generation;
}

/* Let the threads begin at zero. */
static void control_begin_anew(struct control_request *r)
{
	bool others = control_others_count(r);

	/* A thread in the kernel counts kernel mode from the start on. */
	r->queued = control_is_busy(r) && !r->events->load.kernel;
	if (control_is_busy(r))
		control_stop_all(r, r->queued ? control_queue : control_halt);
	else if (others)
		control_each(r, control_note_gap);
	if (others)
		control_join_generation(r);
	else
		control_new_generation(r);
	control_each(r, control_reset);
}

static enum vpmc_state control_state(const struct control_request *r)
{
	return r->flags & VPMC_START_AT_EXEC ? VPMC_STATE_ARMED :
					       VPMC_STATE_RUNNING;
}

/* If system mode has begun since the start, let that be found out. */
static void control_note_epoch(struct vpmc_process *p, unsigned int epoch)
{
	if (p->epoch == epoch)
		return;
	p->epoch = epoch;
	if (p->session)
		p->session->epoch = epoch;
}

/* A thread that cannot resume begins at zero. */
static void control_run(struct vpmc_thread *t, struct control_request *r)
{
	if (vpmc_thread_is_busy(t) || t->state == VPMC_STATE_REVOKED)
		return;
	if (!control_can_resume(t))
		control_reset(t, r);
	else if (r->flags & VPMC_START_RESUME)
		vpmc_process_end_gap(t);
	control_note_epoch(r->p, r->epoch);
	vpmc_process_set_state(t, control_state(r));
	vpmc_count_set_run(t, t->state == VPMC_STATE_RUNNING,
			   r->queued && t->work_queued ? NULL : r->mask);
}

static void control_start_all(struct control_request *r)
{
	if (!(r->flags & VPMC_START_RESUME))
		control_begin_anew(r);
	else
		r->identity = r->p->identity;
	if (r->target->whole)
		r->p->how |= VPMC_PROCESS_WHOLE;
	if (r->p == current->signal->vpmc)
		r->p->how |= VPMC_PROCESS_OWN;
	r->mask = vpmc_count_sync_begin();
	control_each(r, control_run);
	vpmc_count_sync(r->mask, r->p);
}

static void control_collect(struct control_request *r)
{
	struct vpmc_session *s = r->session;

	vpmc_collect_join(s, r->p);
	vpmc_prealloc_use(&r->pre);
	r->pre.session = vpmc_session_restart(s, r->flags & VPMC_START_RECORDS,
					      r->p->generation, r->identity,
					      r->p->events, &r->p->access,
					      r->pre.session);
}

static __always_inline void control_answer(const struct control_request *r,
					   struct vpmc_answer *answer)
{
	const struct vpmc_thread *t = r->target->task->thread.vpmc;

	if (r->target->whole) {
		answer->generation = r->p->generation;
		answer->identity = r->p->identity;
	} else {
		answer->generation = t->generation;
		answer->identity = t->identity;
	}
}

static void control_lock(struct control_request *r)
	__acquires(&r->p->session->lock) __acquires(&r->p->lock)
{
	if (r->session)
		vpmc_process_lock_both(r->session, r->p);
	else
		vpmc_process_lock(r->p);
}

static void control_unlock(struct control_request *r)
	__releases(&r->p->lock) __releases(&r->p->session->lock)
{
	if (r->session)
		vpmc_process_unlock_both(r->session, r->p);
	else
		vpmc_process_unlock(r->p);
}

/**
 * struct control_memory - what is needed for the threads of a process
 * @threads: how many there are, if the new events are large
 * @records: how many records are to be kept, and
 * @nr_large: for how many pairs of a large set each
 */
struct control_memory {
	u32 threads;
	u32 records;
	u32 nr_large;
};

static struct control_memory control_needs(const struct control_request *r)
{
	const struct vpmc_session *s = r->p->session;
	bool large = vpmc_events_are_large(r->events);
	bool records = s && s->keep_records;
	struct control_memory needs = {};
	const struct vpmc_thread *t;

	lockdep_assert_held(&r->p->lock);
	if (!large && !records)
		return needs;
	list_for_each_entry(t, &r->p->threads, node) {
		needs.threads += large;
		needs.records += records;
		if (records)
			needs.nr_large = max(needs.nr_large,
					     vpmc_session_nr_large(t->events));
	}
	return needs;
}

/* Have what @needs has more than @has. @s: for records, or NULL. */
static int control_alloc(struct control_request *r,
			 const struct control_memory *has,
			 const struct control_memory *needs,
			 const struct vpmc_session *s)
{
	int err = 0;

	if (needs->threads > has->threads)
		err = vpmc_prealloc_threads(&r->pre, r->events,
					    needs->threads - has->threads);
	if (!err && s)
		err = vpmc_prealloc_records(&r->pre, s, needs->nr_large,
					    needs->records);
	return err;
}

/*
 * Take the locks, with memory for all threads: there may be more of them each
 * time that the locks are taken. Returns 0 or -ENOMEM, with the locks held in
 * any case.
 */
static int control_lock_with_memory(struct control_request *r)
	__acquires(&r->p->session->lock) __acquires(&r->p->lock)
{
	struct control_memory has = {}, needs __uninitialized;
	struct vpmc_session *s;
	int err = 0;

	if (vpmc_events_are_large(r->events))
		err = vpmc_prealloc_sums(&r->pre, r->events);
	control_lock(r);
	while (!err) {
		needs = control_needs(r);
		if (needs.threads <= has.threads &&
		    needs.records <= has.records &&
		    needs.nr_large <= has.nr_large)
			break;
		s = r->p->session ? vpmc_session_get(r->p->session) : NULL;
		control_unlock(r);
		err = control_alloc(r, &has, &needs, s);
		vpmc_session_put(s);
		has = needs;
		control_lock(r);
	}
	return err;
}

/* control_check(), and may the session collect? Locks held. */
static int control_check_all(struct control_request *r)
{
	int err = 0;

	/* Before all else: these must be the locks of the process's session. */
	if (r->session)
		err = vpmc_collect_check(r->session, r->p);
	if (err)
		return err;
	vpmc_process_enforce_epoch(r->p);
	r->epoch = r->p->epoch;
	if (vpmc_epoch_is_system(r->epoch))
		return -EBUSY;
	err = control_check(r);
	/* What is collected begins at zero, and so with all that count. */
	if (!err && r->session && control_others_count(r))
		err = -EBUSY;
	return err;
}

static int control_check_now(struct control_request *r)
{
	int err;

	control_lock(r);
	err = control_check_all(r);
	control_unlock(r);
	return err;
}

/* From now on the process keeps the counters, as long as one of its threads counts. */
static void control_leave_reserved(struct control_request *r)
{
	lockdep_assert_held(&r->p->lock);
	if (r->p->reserved || !r->p->nr_busy)
		return;
	WRITE_ONCE(r->p->reserved, true);
	r->reserved = false;
}

/* -EAGAIN: the process has given the counters up since we looked, see review.h. */
static int control_start_populated(struct control_request *r,
				   struct vpmc_answer *answer)
{
	int err = control_lock_with_memory(r);

	if (!err && control_is_gone(r->target))
		err = -ESRCH;
	if (!err)
		err = control_check_all(r);
	if (!err && !r->reserved && !r->p->reserved)
		err = -EAGAIN;
	if (!err) {
		control_start_all(r);
		control_leave_reserved(r);
		if (r->session)
			control_collect(r);
		control_answer(r, answer);
		answer->self = r->hides_others ? 0 : r->p->identity;
	}
	control_unlock(r);
	vpmc_prealloc_free(&r->pre);
	return err;
}

/* To know which thread is the last, all must have counters. */
static int control_populate_all(struct control_request *r)
{
	int err = vpmc_populate(r->p, r->target);

	if (!err && r->flags & VPMC_START_FOLD)
		err = vpmc_populate_whole(r->p, r->target->task);
	return err;
}

/* Have the counters until the start is done, so that no thread runs without them. */
static int control_reserve(struct control_request *r)
{
	int err = r->reserved ? 0 : vpmc_reserve();

	r->reserved = !err;
	return err;
}

/* A start that fails gives no thread counters, and takes none from perf_event. */
static int control_populate(struct control_request *r)
{
	if (!r->target->whole && r->target->task->thread.vpmc &&
	    READ_ONCE(r->p->reserved) && !(r->flags & VPMC_START_FOLD))
		return 0;
	return control_check_now(r) ?: control_reserve(r) ?:
	       control_populate_all(r);
}

int vpmc_control_start(const struct vpmc_target *target,
		       struct vpmc_events *events, u32 flags,
		       struct vpmc_session *session,
		       struct vpmc_answer *answer)
{
	struct control_request r = {
		.target = target,
		.events = events,
		.flags = flags,
		.session = session,
	};
	int err;

	if (vpmc_epoch_is_system(READ_ONCE(vpmc_epoch)))
		return -EBUSY;
	r.p = vpmc_process_obtain(target->task);
	if (IS_ERR(r.p))
		return PTR_ERR(r.p);
	if (session)
		vpmc_collect_leave_closed(r.p);
	do {
		err = control_populate(&r);
		if (!err)
			err = control_start_populated(&r, answer);
	} while (err == -EAGAIN);
	if (r.reserved)
		vpmc_unreserve();
	vpmc_process_put(r.p);
	return err;
}

static void control_note_started(struct vpmc_thread *t,
				 struct control_request *r)
{
	if (t->events)
		r->identity = t->identity;
}

/* Threads that are gone have started, too. */
static void control_note_exited(struct control_request *r)
{
	if (!list_empty(&r->p->threads) && !vpmc_sum_is_empty(&r->p->exited))
		r->identity = r->p->identity;
}

/* -ENODATA if none of the target's threads ever started. */
static int control_stop_locked(struct control_request *r,
			       struct vpmc_answer *answer)
{
	if (!r->target->whole && !r->target->task->thread.vpmc)
		return -ENODATA;
	vpmc_process_enforce_epoch(r->p);
	if (r->target->whole) {
		r->p->how &= ~VPMC_PROCESS_WHOLE;
		control_note_exited(r);
	}
	control_each(r, control_note_started);
	if (!r->identity)
		return -ENODATA;
	control_stop_all(r, control_halt);
	if (!r->p->nr_busy)
		vpmc_due_note();
	if (control_may_see(r))
		control_answer(r, answer);
	else
		*answer = (struct vpmc_answer){};
	return 0;
}

int vpmc_control_stop(const struct vpmc_target *target,
		      struct vpmc_answer *answer)
{
	struct control_request r = {
		.p = vpmc_process_find(target->task),
		.target = target,
	};
	int err = -ENODATA;

	if (r.p) {
		vpmc_process_lock(r.p);
		err = control_stop_locked(&r, answer);
		vpmc_process_unlock(r.p);
		vpmc_process_put(r.p);
	}
	if (err == -ENODATA && control_is_gone(target) &&
	    target->task != current)
		err = -ESRCH;
	return err;
}

bool vpmc_control_stop_unless(struct vpmc_process *p, struct task_struct *tsk,
			      bool (*shows)(struct vpmc_process *p))
{
	struct vpmc_target target = { .task = tsk, .whole = true };
	struct control_request r = { .p = p, .target = &target };
	bool stops;

	vpmc_process_lock(p);
	vpmc_process_enforce_epoch(p);
	stops = p->nr_busy && !shows(p);
	if (stops) {
		p->how &= ~VPMC_PROCESS_WHOLE;
		control_stop_all(&r, control_halt);
		vpmc_process_give_up(p);
	}
	vpmc_process_unlock(p);
	return stops;
}
