// SPDX-License-Identifier: GPL-2.0-only
/* This file starts and stops threads and processes. */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/lockdep.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "calls/collect.h"
#include "calls/control.h"
#include "thread/count.h"
#include "cpu/cpu.h"
#include "cpu/due.h"
#include "process/fold.h"
#include "thread/notify.h"
#include "process/prealloc.h"
#include "cpu/reserve.h"
#include "process/session.h"
#include "process/thread.h"
#include "process/work.h"

/*
 * This is the time of an action for one thread, in units of the shortest action. The time is longer
 * if the thread's state changes, and longest if its counts are kept, possibly in a session.
 */
enum control_weight { CONTROL_SIMPLE = 1, CONTROL_CHANGE = 6, CONTROL_KEEP = 12 };

/**
 * struct control_request - a start or stop that is being carried out
 * @p: the counters of the process
 * @target: the threads of the process to start or stop
 * @events: the events to count; NULL for a stop
 * @flags: VPMC_START_* bits
 * @session: the session that is to collect the process, or NULL
 * @enters: whether the process is current's and enters a cgroup whose processes @session
 *	collects
 * @epoch: epoch of the start, which becomes the epoch of the process and of all its
 *	threads that count
 * @identity: identity of the start
 * @gives_way: whether there are many threads, so that the call gives way; @cpus is then
 *	allocated
 * @killed: whether current is being killed while another call occupies @p. The locks are
 *	held, but the call must fail.
 * @cpus: processors that were gathered in @mask before the call gave way
 * @mask: the processors to interrupt that are being gathered; NULL if none are
 * @queued: whether each thread applies the start in its own task work, see work.h
 * @hides_others: whether other threads of @p have counts that current must not see
 * @reservation: a reservation of the hardware counters that the start itself holds and
 *	passes on to @p, or 0. The reservation may have become invalid.
 * @ended: the previous generation
 * @kept: whether the threads' counts of @ended have been kept
 * @same: whether @ended has the same events
 * @pre: memory for the start
 * @turn: the turn of this start, if it has memory for threads
 */
struct control_request {
	struct vpmc_process *p;
	const struct vpmc_target *target;
	struct vpmc_events *events;
	u32 flags;
	struct vpmc_session *session;
	bool enters;
	unsigned int epoch;
	u64 identity;
	bool gives_way;
	bool killed;
	cpumask_var_t cpus;
	struct cpumask *mask;
	bool queued;
	bool hides_others;
	u8 reservation;
	u64 ended;
	bool kept;
	bool same;
	struct vpmc_prealloc pre;
	struct vpmc_turn turn;
};

/* Return the session whose lock is held together with the process's lock, or NULL. */
static struct vpmc_session *control_session(const struct control_request *r)
{
	return r->session ?: r->p->session;
}

/*
 * If there are many threads, let the call give way to other tasks. Without memory for @cpus, the
 * call does not give way, and the other tasks have to wait.
 */
static void control_expect(struct control_request *r)
{
	if (!r->gives_way &&
	    get_nr_threads(r->target->task) > VPMC_PROCESS_BATCH)
		r->gives_way = zalloc_cpumask_var(&r->cpus, GFP_KERNEL);
}

static void control_forget(struct control_request *r)
{
	if (r->gives_way)
		free_cpumask_var(r->cpus);
}

/*
 * Let other tasks run in the middle of a walk over the list of threads. The list does not
 * change.
 */
static noinline void control_give_way(struct control_request *r)
{
	bool gathers = r->mask;

	if (gathers)
		vpmc_count_sync_pause(r->cpus, r->mask);
	vpmc_process_give_way(r->p, control_session(r));
	if (gathers)
		r->mask = vpmc_count_sync_begin();
}

/* Add @weight, the time of an action for one thread, to *@nr, and give way if it is time. */
static __always_inline void control_next(struct control_request *r, u32 *nr,
					 enum control_weight weight)
{
	*nr += weight;
	if (likely(*nr < VPMC_PROCESS_BATCH))
		return;
	*nr = 0;
	if (r->gives_way)
		control_give_way(r);
}

/* Begin to gather the processors to interrupt. */
static void control_gather(struct control_request *r)
{
	r->mask = vpmc_count_sync_begin();
}

/* Interrupt the processors that were gathered. */
static void control_sync(struct control_request *r)
{
	if (r->gives_way) {
		cpumask_or(r->mask, r->mask, r->cpus);
		cpumask_clear(r->cpus);
	}
	vpmc_count_sync(r->mask, r->p);
	r->mask = NULL;
}

static bool control_is_gone(const struct vpmc_target *target)
{
	if (target->whole)
		return !vpmc_thread_any_lives(target->task);
	return target->task->flags & PF_EXITING ||
	       !target->task->thread.vpmc;
}

/* This is the type of an action for a thread. It returns the time of the action. */
typedef enum control_weight control_act(struct vpmc_thread *t,
					struct control_request *r);

/* Call @act for each thread of @r. @act may move the thread to the front of the list. */
static __always_inline void control_each(struct control_request *r,
					 control_act *act)
{
	struct vpmc_thread *t, *next;
	u32 nr = 0;

	lockdep_assert_held(&r->p->lock);
	if (!r->target->whole) {
		act(r->target->task->thread.vpmc, r);
		return;
	}
	list_for_each_entry_safe(t, next, &r->p->threads, node) {
		control_next(r, &nr, act(t, r));
	}
}

/* Return whether @t is stopped, with counts of the present generation. */
static bool control_can_resume(const struct vpmc_thread *t)
{
	return t->events && t->state == VPMC_STATE_STOPPED &&
	       t->generation == t->process->generation;
}

/* Return whether current may see the counts of the target. */
static __always_inline bool control_may_see(const struct control_request *r)
{
	return vpmc_access_may_see(&r->p->access,
				   r->p == current->signal->vpmc);
}

/*
 * Compare @events with the events of the start, if current may see @events. Returns 0,
 * -EPERM or -EINVAL.
 */
static int control_compare(const struct control_request *r,
			   const struct vpmc_events *events)
{
	if (!control_may_see(r))
		return -EPERM;
	return vpmc_events_equal(events, r->events) ? 0 : -EINVAL;
}

/*
 * Check whether @t can start. Returns 0, -EBUSY, -EINVAL, -EPERM, or -ENODATA if @t has
 * nothing to resume.
 */
static __always_inline int control_check_thread(const struct vpmc_thread *t,
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
 * Check whether all threads can start. A resume needs at least one thread that can
 * resume, and fails if the events of a thread differ. -EBUSY takes precedence over the
 * errors of single threads, whichever thread counts.
 */
static int control_check_whole(struct control_request *r)
{
	bool resume = r->flags & VPMC_START_RESUME, differs = false;
	const struct vpmc_thread *t;
	int err = -ENODATA, one;
	u32 nr = 0;

	/* Threads that begin at zero will count the events of the process. */
	one = resume && r->p->events ? control_compare(r, r->p->events) : 0;
	if (one)
		return one;
	if (r->p->nr_busy && !(r->flags & VPMC_START_FORCE) &&
	    !(r->enters && vpmc_collect_is_left(r->p)))
		return -EBUSY;
	if (!resume)
		return 0;
	list_for_each_entry(t, &r->p->threads, node) {
		one = control_check_thread(t, r);
		if (one == -EINVAL)
			differs = true;
		if (!one)
			err = 0;
		control_next(r, &nr, CONTROL_CHANGE);
	}
	return differs ? -EINVAL : err;
}

/* Check whether the target can start. */
static int control_check(struct control_request *r)
{
	const struct vpmc_thread *t = r->target->task->thread.vpmc;

	lockdep_assert_held(&r->p->lock);
	if (r->target->whole)
		return control_check_whole(r);
	if (t)
		return control_check_thread(t, r);
	return r->flags & VPMC_START_RESUME ? -ENODATA : 0;
}

/* Return whether a thread of the target counts. */
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

static enum control_weight control_halt(struct vpmc_thread *t,
					struct control_request *r)
{
	if (vpmc_thread_is_busy(t))
		vpmc_count_clear_run(t, r->mask);
	return CONTROL_SIMPLE;
}

/* Let a thread that does not count check its @run before it returns to user mode. */
static noinline enum control_weight
control_queue_other(struct vpmc_thread *t, struct control_request *r)
{
	if (t->task != current)
		vpmc_work_queue_follow(t);
	vpmc_count_clear_run(t, r->mask);
	return CONTROL_CHANGE;
}

/*
 * Stop a thread, and let it check its @run before it returns to user mode. A thread that
 * counts is watched, so its processor queues the work. The calling thread does not need a
 * work.
 */
static __always_inline enum control_weight
control_queue(struct vpmc_thread *t, struct control_request *r)
{
	if (unlikely(t->state != VPMC_STATE_RUNNING))
		return control_queue_other(t, r);
	if (likely(t->task != current))
		vpmc_work_hold(t);
	vpmc_count_clear_run(t, r->mask);
	return CONTROL_SIMPLE;
}

/* This is not inlined, because it would cost registers in each walk over the threads. */
static noinline void control_forget_thread(struct vpmc_thread *t)
{
	vpmc_count_forget(t);
}

static enum control_weight control_set_stopped(struct vpmc_thread *t,
					       struct control_request *r)
{
	if (!vpmc_thread_is_busy(t)) {
		/* A start from zero does not make a gap. */
		if (!r->events)
			vpmc_process_note_gap(t);
		return CONTROL_SIMPLE;
	}
	vpmc_process_set_state(t, VPMC_STATE_STOPPED);
	control_forget_thread(t);
	return CONTROL_SIMPLE;
}

/*
 * Stop the threads by @halt, so that no processor counts for them. If system mode has
 * already taken the counters, the threads' counts are incomplete, and the threads are
 * revoked.
 */
static __always_inline void
control_halt_all(struct control_request *r, control_act *halt)
{
	control_gather(r);
	control_each(r, halt);
	control_sync(r);
	vpmc_process_enforce_epoch(r->p);
}

static void control_stop_all(struct control_request *r)
{
	control_halt_all(r, control_halt);
	control_each(r, control_set_stopped);
}

/*
 * Note a gap of @t. Its counts stay in a sum to which other threads have added since its
 * stop.
 */
static enum control_weight control_note_gap(struct vpmc_thread *t,
					    struct control_request *r)
{
	vpmc_process_note_gap(t);
	return CONTROL_SIMPLE;
}

/*
 * Return whether the time that @t does not count, from its stop to the start or from the start to
 * its next exec, is a gap. It is a gap if another handle collects the process for a cgroup, because
 * that handle is to have all counts of the process.
 */
static bool control_leaves_gaps(const struct control_request *r)
{
	const struct vpmc_session *s = r->p->session;

	return unlikely(s) && s->group && !s->closed && s != r->session;
}

static enum control_weight control_leave_gap(struct vpmc_thread *t,
					     struct control_request *r)
{
	if (t->state == VPMC_STATE_RUNNING) {
		if (!(r->flags & VPMC_START_AT_EXEC))
			return CONTROL_SIMPLE;
		control_set_stopped(t, r);
	}
	vpmc_process_note_gap(t);
	return CONTROL_SIMPLE;
}

static enum control_weight control_keep(struct vpmc_thread *t,
					struct control_request *r)
{
	vpmc_thread_keep(t, r->p, false, &r->pre);
	return CONTROL_KEEP;
}

/* Keep the counts of all threads that have counts of the present generation. */
static void control_keep_present(struct control_request *r)
{
	struct vpmc_thread *t;
	u32 nr = 0;

	for (t = vpmc_process_next_present(r->p, NULL); t;
	     t = vpmc_process_next_present(r->p, t)) {
		control_next(r, &nr, control_keep(t, r));
	}
	r->kept = true;
}

static enum control_weight control_reset(struct vpmc_thread *t,
					 struct control_request *r)
{
	vpmc_thread_reset(t, r->events, r->identity, &r->pre);
	return CONTROL_CHANGE;
}

/* Join the present generation, because other threads go on counting. */
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

	if (unlikely(r->enters))
		vpmc_access_enter(&access, &r->p->access, r->events->load.kernel);
	else
		vpmc_access_start(&access, &r->p->access, r->target->task,
				  r->events->load.kernel);
	vpmc_fold_restart(r->p, r->events, &access, &r->pre);
	r->p->inherited = r->flags & VPMC_PROCESS_INHERITED;
	r->p->how = 0;
	/* The process gets the start of the session and its own generation, like a child. */
	if (unlikely(r->enters))
		r->p->identity = r->session->identity;
	r->identity = r->p->identity;
}

static enum vpmc_state control_state(const struct control_request *r)
{
	return r->flags & VPMC_START_AT_EXEC ? VPMC_STATE_ARMED :
					       VPMC_STATE_RUNNING;
}

/*
 * Set the epoch of @p to the epoch of the start. If system mode has begun in between,
 * vpmc_process_enforce_epoch() finds the difference.
 */
static void control_note_epoch(struct vpmc_process *p, unsigned int epoch)
{
	if (p->epoch == epoch)
		return;
	p->epoch = epoch;
	if (p->session)
		p->session->epoch = epoch;
}

/* Let @t count. A thread that cannot resume begins at zero. */
static enum control_weight control_run(struct vpmc_thread *t,
				       struct control_request *r)
{
	if (vpmc_thread_is_busy(t) || t->state == VPMC_STATE_REVOKED)
		return CONTROL_SIMPLE;
	if (!control_can_resume(t))
		control_reset(t, r);
	else if (r->flags & VPMC_START_RESUME)
		vpmc_process_end_gap(t);
	control_note_epoch(r->p, r->epoch);
	vpmc_process_set_state(t, control_state(r));
	vpmc_count_set_run(t, t->state == VPMC_STATE_RUNNING ? r->p->epoch : 0,
			   r->queued && t->work_queued ? NULL : r->mask);
	return CONTROL_CHANGE;
}

/* Keep the counts of @t in the previous generation, unless they have been kept already. */
static __always_inline void control_keep_ended(const struct vpmc_thread *t,
					       struct control_request *r)
{
	bool revoked = t->state == VPMC_STATE_REVOKED;

	if (t->generation != r->ended || r->kept)
		return;
	if (likely(r->same))
		vpmc_count_add_to(&r->p->before, t, r->events);
	else
		vpmc_sum_add_missing(&r->p->before, !revoked, revoked);
}

/*
 * Let @t begin at zero in the new generation. All threads begin in this generation, so
 * the order of the list does not change. This is equivalent to control_set_stopped(),
 * control_reset() and control_run().
 */
static noinline enum control_weight
control_renew_any(struct vpmc_thread *t, struct control_request *r)
{
	enum vpmc_state before = t->state, state = control_state(r);
	struct vpmc_events *events = t->events;

	control_keep_ended(t, r);
	if (unlikely(t->has_signals) && vpmc_thread_is_busy(t))
		vpmc_notify_stopped(t);
	if (events != r->events) {
		t->events = vpmc_events_get(r->events);
		vpmc_events_put(events);
	}
	t->generation = r->p->generation;
	t->identity = r->identity;
	t->stopped = 0;
	t->tsc = 0;
	if (likely(!t->kind && !vpmc_events_are_large(r->events)))
		memset(t->counter, 0, sizeof(t->counter));
	else
		vpmc_prealloc_take_thread(&r->pre, t);
	vpmc_thread_open_samples(t);
	if (unlikely(t->signals))
		vpmc_count_drop_signals(t);
	if (before != state)
		vpmc_process_set_state(t, state);
	/* A thread that waits for an exec may still be held since an earlier start. */
	if (likely(r->queued && t->held && before == state &&
		   state == VPMC_STATE_RUNNING)) {
		vpmc_count_run_held(t, r->epoch);
		return CONTROL_CHANGE;
	}
	vpmc_count_set_run(t, state == VPMC_STATE_RUNNING ? r->p->epoch : 0,
			   r->queued && t->work_queued ? NULL : r->mask);
	if (state != VPMC_STATE_RUNNING)
		vpmc_count_unwatch(t);
	return CONTROL_CHANGE;
}

/*
 * Return whether @t counts @events, which are not large, has no signals, and is held.
 * Such a thread belongs to the previous generation.
 */
static __always_inline bool
control_is_simple(const struct vpmc_thread *t, const struct vpmc_events *events)
{
	return t->state == VPMC_STATE_RUNNING && t->held &&
	       t->events == events && !t->has_signals;
}

/* Like control_renew_any() for a simple thread, whose counts are added to @batch. */
static __always_inline void
control_renew_simple(struct vpmc_thread *t, struct vpmc_count_batch *batch,
		     u64 number, unsigned int epoch)
{
	u32 i;

	vpmc_count_batch_add(batch, t);
	for (i = 0; i < VPMC_SMALL_EVENTS; i++)
		t->counter[i].sum = 0;
	t->tsc = 0;
	t->generation = number;
	t->identity = number;
	t->stopped = 0;
	vpmc_count_run_held(t, epoch);
}

/*
 * Move the counts of @batch to the process, and give way if it is time. @nr is the
 * weight of the other threads that were renewed.
 */
static noinline void control_end_batch(struct control_request *r,
				       struct vpmc_count_batch *batch, u32 nr)
{
	nr += batch->nr;
	vpmc_count_batch_end(batch, r->events, &r->p->before);
	if (r->gives_way && nr >= VPMC_PROCESS_BATCH)
		control_give_way(r);
}

/* Let all threads, most of which are simple, begin at zero in the new generation. */
static noinline void control_renew_most(struct control_request *r)
{
	const struct vpmc_events *events = r->events;
	struct vpmc_count_batch batch = {};
	const unsigned int epoch = r->epoch;
	const u64 number = r->identity;
	struct vpmc_thread *t;
	u32 others = 0;

	list_for_each_entry(t, &r->p->threads, node) {
		if (likely(control_is_simple(t, events))) {
			control_renew_simple(t, &batch, number, epoch);
		} else {
			control_renew_any(t, r);
			others += CONTROL_CHANGE;
		}
		if (unlikely(batch.nr + others >= VPMC_PROCESS_BATCH)) {
			control_end_batch(r, &batch, others);
			others = 0;
		}
	}
	control_end_batch(r, &batch, 0);
}

/*
 * Before other tasks see the start, note how the process was started. This matters for children
 * that inherit, and for the review.
 */
static void control_note_how(struct control_request *r)
{
	if (r->target->whole)
		r->p->how |= VPMC_PROCESS_WHOLE;
	if (r->p == current->signal->vpmc && !r->enters)
		r->p->how |= VPMC_PROCESS_OWN;
}

/*
 * Return whether most threads are simple. Simple threads continue with the same events,
 * which are not large, and apply the start in their works.
 */
static bool control_are_simple(const struct control_request *r)
{
	return r->queued && r->same && !r->kept && !r->enters &&
	       control_state(r) == VPMC_STATE_RUNNING &&
	       !vpmc_events_are_large(r->events);
}

/* Let all threads, which are stopped, begin at zero. */
static void control_renew_all(struct control_request *r)
{
	/*
	 * Give way, because it takes a while to stop the last threads and to exchange the
	 * sums.
	 */
	if (r->gives_way)
		control_give_way(r);
	/* Keep the counts for the session before the access of the process changes. */
	if (r->p->session)
		control_keep_present(r);
	r->ended = r->p->generation;
	r->same = vpmc_events_equal(r->p->events, r->events);
	control_new_generation(r);
	control_note_how(r);
	control_note_epoch(r->p, r->epoch);
	/*
	 * The threads still have the old generation, as during the walk below, so other tasks may
	 * run here.
	 */
	if (r->gives_way)
		control_give_way(r);
	control_gather(r);
	if (control_are_simple(r))
		control_renew_most(r);
	else
		control_each(r, control_renew_any);
	control_sync(r);
}

/*
 * Let the thread begin at zero. @busy is true if the thread counted when the start began.
 * @others is true if other threads of its process count.
 */
static void control_reset_one(struct control_request *r, bool busy, bool others)
{
	if (busy)
		control_each(r, control_set_stopped);
	else if (others)
		control_each(r, control_note_gap);
	if (others) {
		control_join_generation(r);
	} else {
		control_keep_present(r);
		control_new_generation(r);
	}
	control_each(r, control_reset);
}

static void control_run_all(struct control_request *r)
{
	control_note_how(r);
	control_gather(r);
	control_each(r, control_run);
	control_sync(r);
}

/* This is not inlined, because the walk over the threads would lack registers. */
static noinline void control_queue_all(struct control_request *r)
{
	control_halt_all(r, control_queue);
}

/* Let the threads of the target begin at zero. */
static void control_begin_anew(struct control_request *r)
{
	bool others = control_others_count(r), busy = control_is_busy(r);

	/*
	 * With kernel mode, a thread in the kernel must count from the start on, not
	 * from its return to user mode.
	 */
	r->queued = busy && !r->events->load.kernel;
	if (r->queued)
		control_queue_all(r);
	else if (busy)
		control_halt_all(r, control_halt);
	if (control_leaves_gaps(r))
		control_each(r, control_leave_gap);
	if (r->target->whole) {
		control_renew_all(r);
	} else {
		control_reset_one(r, busy, others);
		control_run_all(r);
	}
}

static void control_start_all(struct control_request *r)
{
	if (!(r->flags & VPMC_START_RESUME)) {
		control_begin_anew(r);
		return;
	}
	r->identity = r->p->identity;
	control_run_all(r);
}

/* From here on, the start cannot fail, and processes that enter the cgroup wait for it. */
static void control_begin_collect(struct control_request *r)
{
	if (r->session && !r->enters)
		r->session->restarts = true;
}

static void control_collect(struct control_request *r)
{
	struct vpmc_session *s = r->session;

	if (r->enters) {
		vpmc_collect_enter(s, r->p);
		return;
	}
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

static noinline void control_lock_other(struct control_request *r)
	__acquires(&r->p->session->lock) __acquires(&r->p->lock)
{
	if (r->gives_way)
		r->killed = !vpmc_process_lock_in_turn(r->session, r->p);
	else
		r->killed = !vpmc_process_lock_both(r->session, r->p);
}

static noinline void control_unlock_other(struct control_request *r)
	__releases(&r->p->lock) __releases(&r->p->session->lock)
{
	if (!r->killed)
		vpmc_process_leave(r->p, control_session(r));
	if (r->session)
		vpmc_process_unlock_both(r->session, r->p);
	else
		vpmc_process_unlock(r->p);
}

/*
 * Return whether the call takes only the process's own lock. A call that does not give
 * way does not occupy the process.
 */
static bool control_is_short(const struct control_request *r)
{
	return !r->gives_way && !r->session;
}

/*
 * Take the locks. Returns 0 or -EINTR, with the locks held in both cases, like
 * vpmc_process_lock_killable().
 */
static __always_inline int control_lock(struct control_request *r)
	__acquires(&r->p->session->lock) __acquires(&r->p->lock)
{
	if (likely(control_is_short(r)))
		return vpmc_process_lock_killable(r->p) ? 0 : -EINTR;
	control_lock_other(r);
	return r->killed ? -EINTR : 0;
}

static __always_inline void control_unlock(struct control_request *r)
	__releases(&r->p->lock) __releases(&r->p->session->lock)
{
	if (likely(control_is_short(r)))
		vpmc_process_unlock(r->p);
	else
		control_unlock_other(r);
}

/**
 * struct control_memory - memory that is needed for the threads of a process
 * @threads: number of threads that begin, if the new events are large
 * @records: number of records to keep
 * @nr_large: number of pairs of a large set in each record
 */
struct control_memory {
	u32 threads;
	u32 records;
	u32 nr_large;
};

static struct control_memory control_needs(struct control_request *r)
{
	const struct vpmc_session *s = r->p->session;
	bool large = vpmc_events_are_large(r->events);
	bool records = s && s->keep_records;
	struct control_memory needs = {};
	const struct vpmc_thread *t;
	u32 nr = 0;

	lockdep_assert_held(&r->p->lock);
	if (!large && !records)
		return needs;
	list_for_each_entry(t, &r->p->threads, node) {
		needs.threads += large;
		needs.records += records;
		if (records)
			needs.nr_large = max(needs.nr_large,
					     vpmc_session_nr_large(t->events));
		control_next(r, &nr, CONTROL_SIMPLE);
	}
	if (!r->target->whole)
		needs.threads = min(needs.threads, 1U);
	return needs;
}

/*
 * Wait until no other start of the process has memory for threads. A start that waits
 * does not have memory for threads. Returns 0, or -EINTR if current is being killed.
 */
static int control_take_turn(struct control_request *r)
{
	if (r->turn.task)
		return 0;
	if (!vpmc_process_take_turn(r->p, &r->turn))
		return -EINTR;
	/* control_free_memory() checks @used. */
	vpmc_prealloc_use(&r->pre);
	return 0;
}

static noinline void control_free_used(struct control_request *r)
{
	vpmc_prealloc_free(&r->pre);
	if (r->turn.task)
		vpmc_process_end_turn(r->p, &r->turn);
}

/* Free unused memory, and let the next start have memory. */
static __always_inline void control_free_memory(struct control_request *r)
{
	if (unlikely(r->pre.used))
		control_free_used(r);
}

/*
 * Allocate more records. Records that are too small are freed before larger ones are
 * allocated.
 */
static int control_alloc_records(struct control_request *r,
				 struct control_memory *has,
				 const struct control_memory *needs,
				 const struct vpmc_session *s)
{
	u32 more;

	if (needs->nr_large > has->nr_large) {
		vpmc_prealloc_drop_records(&r->pre);
		has->nr_large = needs->nr_large;
		has->records = 0;
	}
	if (needs->records <= has->records)
		return 0;
	more = needs->records - has->records;
	has->records = needs->records;
	return vpmc_prealloc_records(&r->pre, s, has->nr_large, more);
}

/*
 * Allocate the memory by which @needs exceeds @has, and update @has. @s is the session for records,
 * or NULL. Returns 0, -ENOMEM, or -EINTR if current is being killed. So a start of a process that
 * creates threads all the time can be ended.
 */
static int control_alloc(struct control_request *r,
			 struct control_memory *has,
			 const struct control_memory *needs,
			 const struct vpmc_session *s)
{
	int err = control_take_turn(r);
	u32 more;

	if (!err && fatal_signal_pending(current))
		err = -EINTR;
	if (!err && needs->threads > has->threads) {
		more = needs->threads - has->threads;
		has->threads = needs->threads;
		err = vpmc_prealloc_threads(&r->pre, r->events, more);
	}
	if (!err && s)
		err = control_alloc_records(r, has, needs, s);
	return err;
}

/*
 * Allocate memory for the sums. Returns 0, -ENOMEM, or -EINTR if current is being
 * killed.
 */
static noinline int control_alloc_sums(struct control_request *r)
{
	return control_take_turn(r) ?: vpmc_prealloc_sums(&r->pre, r->events);
}

/*
 * Check whether the session may collect the process. If the process enters a cgroup, also check
 * that the session still counts the same events.
 */
static __always_inline int control_check_session(const struct control_request *r)
{
	int err;

	if (!r->session)
		return 0;
	if (!r->enters)
		return vpmc_collect_check(r->session, r->p);
	err = vpmc_collect_check_enter(r->session, r->p);
	if (!err && !vpmc_events_equal(r->session->events, r->events))
		err = -ESTALE;
	return err;
}

/*
 * Allocate memory for all threads. The locks are held at the beginning and at the end.
 * They are released to allocate, so there may be more threads when they are taken
 * again. Returns 0, or an error of control_alloc() or vpmc_collect_check().
 */
static noinline int control_have_memory(struct control_request *r)
	__must_hold(&r->p->session->lock) __must_hold(&r->p->lock)
{
	struct control_memory has = {}, needs __uninitialized;
	struct vpmc_session *s;
	int err = 0;

	while (!err) {
		/*
		 * Check this before the locks are released, because they must belong to
		 * the process's session.
		 */
		err = control_check_session(r);
		if (err)
			break;
		needs = control_needs(r);
		if (needs.threads <= has.threads &&
		    needs.records <= has.records &&
		    needs.nr_large <= has.nr_large)
			break;
		s = r->p->session ? vpmc_session_get(r->p->session) : NULL;
		control_unlock(r);
		err = control_alloc(r, &has, &needs, s);
		vpmc_session_put(s);
		control_expect(r);
		err = control_lock(r) ?: err;
	}
	return err;
}

/* Return whether the start may need memory. Most starts do not. */
static bool control_may_need_memory(const struct control_request *r)
{
	return vpmc_events_are_large(r->events) || control_session(r);
}

/*
 * Take the locks, and allocate memory for all threads. The locks are held even after an
 * error.
 */
static int control_lock_with_memory(struct control_request *r)
	__acquires(&r->p->session->lock) __acquires(&r->p->lock)
{
	int err = 0;

	if (vpmc_events_are_large(r->events))
		err = control_alloc_sums(r);
	err = control_lock(r) ?: err;
	if (!err && unlikely(control_may_need_memory(r)))
		err = control_have_memory(r);
	return err;
}

/*
 * Check the session, the epoch and the target. Returns -EAGAIN if threads cannot count in this
 * epoch. Locks held.
 */
static int control_check_all(struct control_request *r)
{
	int err;

	/* Check this first, because the locks must belong to the process's session. */
	err = control_check_session(r);
	if (err)
		return err;
	vpmc_process_enforce_epoch(r->p);
	r->epoch = r->p->epoch;
	if (vpmc_epoch_is_system(r->epoch))
		return -EAGAIN;
	err = control_check(r);
	/* A session begins at zero, so no other thread may be counting already. */
	if (!err && r->session && control_others_count(r))
		err = -EBUSY;
	return err;
}

static int control_check_now(struct control_request *r)
{
	int err = control_lock(r) ?: control_check_all(r);

	control_unlock(r);
	return err;
}

/*
 * Pass the reservation on to the process, which keeps it while one of its threads
 * counts.
 */
static void control_leave_reserved(struct control_request *r)
{
	lockdep_assert_held(&r->p->lock);
	/* If the counters have been taken back after the check, @p may not have a reservation. */
	if (r->p->reserved || !r->p->nr_busy)
		return;
	WRITE_ONCE(r->p->reserved, r->reservation);
	r->reservation = 0;
}

/* Return whether the counters are reserved for the start. The epoch has been enforced. */
static bool control_is_reserved(const struct control_request *r)
{
	return r->p->reserved || vpmc_reserve_is_valid(r->reservation);
}

/*
 * Carry out the start of threads that have counters. Returns -EAGAIN if there is no
 * reservation any more, or if threads cannot count now. The process may have given up its
 * reservation after the check (review.h), or VPMC_RELEASE may have taken the counters.
 */
static int control_start_populated(struct control_request *r,
				   struct vpmc_answer *answer)
{
	int err = control_lock_with_memory(r);

	if (!err && control_is_gone(r->target))
		err = -ESRCH;
	if (!err)
		err = control_check_all(r);
	if (!err && !control_is_reserved(r))
		err = -EAGAIN;
	if (!err) {
		control_begin_collect(r);
		control_start_all(r);
		control_leave_reserved(r);
		if (r->session)
			control_collect(r);
		control_answer(r, answer);
		answer->self = r->hides_others ? 0 : r->p->identity;
	}
	control_unlock(r);
	control_free_memory(r);
	return err;
}

/*
 * Give counters to the threads. With VPMC_START_FOLD all threads need counters, so that
 * the driver knows which thread exits last.
 */
static int control_populate_all(struct control_request *r)
{
	int err = vpmc_populate(r->p, r->target);

	if (!err && r->flags & VPMC_START_FOLD)
		err = vpmc_populate_whole(r->p, r->target->task);
	return err;
}

static void control_unreserve(struct control_request *r)
{
	if (r->reservation)
		vpmc_unreserve(r->reservation);
	r->reservation = 0;
}

/*
 * Reserve the hardware counters until the start is done, so that no thread counts without a
 * reservation. VPMC_RELEASE does not wait for the start, because a start can take as long as its
 * caller likes. So VPMC_RELEASE may make the reservation invalid.
 */
static int control_reserve(struct control_request *r)
{
	if (vpmc_reserve_is_valid(r->reservation))
		return 0;
	control_unreserve(r);
	return vpmc_reserve(&r->reservation);
}

/*
 * Check the start before it changes anything, so that a start that fails does not give
 * counters to threads or take them from perf_event.
 */
static int control_populate(struct control_request *r)
{
	if (!r->target->whole && r->target->task->thread.vpmc &&
	    READ_ONCE(r->p->reserved) && !(r->flags & VPMC_START_FOLD))
		return 0;
	return control_check_now(r) ?: control_reserve(r) ?:
	       control_populate_all(r);
}

/* Implement vpmc_control_start() or, if @enters is set, vpmc_control_enter(). */
static noinline int control_start(const struct vpmc_target *target,
				  struct vpmc_events *events, u32 flags,
				  struct vpmc_session *session, bool enters,
				  struct vpmc_answer *answer)
{
	struct control_request r = {
		.target = target,
		.events = events,
		.flags = flags,
		.session = session,
		.enters = enters,
	};
	int err = vpmc_epoch_check();

	if (err)
		return err;
	r.p = vpmc_process_obtain(target->task);
	if (IS_ERR(r.p))
		return PTR_ERR(r.p);
	/* A process that enters a cgroup may be counting for a file that is closed. */
	if (session)
		vpmc_collect_leave_closed(r.p, enters);
	control_expect(&r);
	do {
		err = control_populate(&r);
		control_expect(&r);
		if (!err)
			err = control_start_populated(&r, answer);
		if (err == -EAGAIN)
			err = vpmc_epoch_check() ?: -EAGAIN;
	} while (err == -EAGAIN);
	control_unreserve(&r);
	control_forget(&r);
	vpmc_process_put(r.p);
	return err;
}

int vpmc_control_start(const struct vpmc_target *target,
		       struct vpmc_events *events, u32 flags,
		       struct vpmc_session *session,
		       struct vpmc_answer *answer)
{
	return control_start(target, events, flags, session, false, answer);
}

/*
 * Check whether @session collects current, whose process is a member. Returns -EALREADY, or -EBUSY
 * if the start of the session was for other threads of the process only. A thread that was being
 * created during a start of the whole process gets its counters here, unless it has them already.
 */
static int control_check_member(struct vpmc_process *p)
{
	const struct vpmc_thread *t = current->thread.vpmc;

	if (!t && READ_ONCE(p->how) & VPMC_PROCESS_WHOLE) {
		vpmc_populate_whole(p, current);
		t = current->thread.vpmc;
	}
	return t && READ_ONCE(t->events) ? -EALREADY : -EBUSY;
}

int vpmc_control_enter(struct vpmc_session *session, struct vpmc_events *events)
{
	struct vpmc_target target = { .task = current, .whole = true };
	struct vpmc_process *p = READ_ONCE(current->signal->vpmc);
	struct vpmc_answer answer __uninitialized;

	/* Check this first, because it also holds in system mode, and needs no memory. */
	if (p && READ_ONCE(p->session) == session)
		return control_check_member(p);
	return control_start(&target, events, 0, session, true, &answer);
}

/*
 * Return whether a thread of the process has ever started. Threads that have exited are
 * included.
 */
static bool control_any_started(struct control_request *r)
{
	const struct vpmc_thread *t;
	u32 nr = 0;

	if (!list_empty(&r->p->threads) && !vpmc_sum_is_empty(&r->p->exited))
		return true;
	list_for_each_entry(t, &r->p->threads, node) {
		if (t->events)
			return true;
		control_next(r, &nr, CONTROL_SIMPLE);
	}
	return false;
}

/* Stop the target. Returns 0, or -ENODATA if none of its threads ever started. */
static int control_stop_locked(struct control_request *r,
			       struct vpmc_answer *answer)
{
	const struct vpmc_thread *t = r->target->task->thread.vpmc;
	bool started;

	vpmc_process_enforce_epoch(r->p);
	if (r->target->whole) {
		r->p->how &= ~VPMC_PROCESS_WHOLE;
		started = control_any_started(r);
	} else {
		started = t && t->events;
	}
	if (!started)
		return -ENODATA;
	control_stop_all(r);
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
		control_expect(&r);
		err = control_lock(&r) ?: control_stop_locked(&r, answer);
		control_unlock(&r);
		control_forget(&r);
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

	/* Another call occupies the process, so review the process again after this call. */
	if (!vpmc_process_trylock(p))
		return true;
	__acquire(&p->session->lock);
	__acquire(&p->lock);
	vpmc_process_enforce_epoch(p);
	stops = p->nr_busy && !shows(p);
	if (stops) {
		p->how &= ~VPMC_PROCESS_WHOLE;
		control_stop_all(&r);
		vpmc_process_give_up(p);
	}
	vpmc_process_unlock(p);
	return stops;
}
