/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the counters of a process: the counts of its threads, including
 * exited ones, and of its waited-for children.
 *
 * A process gets a struct vpmc_process when one of its threads is first started, or when a
 * thread that counts forks it. It also gets one when the counts of a child are added to it.
 * signal_struct.vpmc holds a reference until the process has been reaped, and so does the struct
 * vpmc_thread of each of its threads. Each open file that is bound to the process also holds
 * one, so that the counts can be read after the process has exited. A process keeps the hooks
 * live while one of its threads has counters. It keeps the hardware counters for the driver
 * while one of its threads counts, or waits for an exec to do so. After all have stopped, it
 * gives them up at least a second later (review.h). So a process that stops and starts again and
 * again does not take them each time. A process without threads, such as a zombie, keeps
 * neither.
 */
#ifndef VPMC_PROCESS_H
#define VPMC_PROCESS_H

#include <linux/gfp.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/sched/signal.h>
#include <linux/spinlock.h>

#include "process/access.h"
#include "cpu/cpu.h"
#include "cpu/events.h"
#include "kernel/hooks.h"
#include "cpu/reserve.h"
#include "thread/sum.h"
#include "thread/thread_counters.h"
#include "uapi/linux/vpmc.h"

struct vpmc_session;

/*
 * All threads of the process were started together, so threads that were being created
 * at that moment start, too.
 */
#define VPMC_PROCESS_WHOLE	0x1

/* The program that the process executes has started one of its threads itself. */
#define VPMC_PROCESS_OWN	0x2

/*
 * The process counts, and at the last review its counts could not be shown to any task:
 * see review.h.
 */
#define VPMC_PROCESS_HIDDEN	0x4

/*
 * The last review leaves this result for the process's descendants: VPMC_PROCESS_SHOWN if the
 * counts could be shown to a task. One of the other two bits is set, depending on whether the
 * number of the review was even or odd.
 */
#define VPMC_PROCESS_SHOWN	0x8
#define VPMC_PROCESS_EVEN	0x10
#define VPMC_PROCESS_ODD	0x20

/*
 * The process has left a session whose file is closed, and counts for nobody until it is
 * started again: see vpmc_collect_is_left().
 */
#define VPMC_PROCESS_LEFT	0x40
#define VPMC_PROCESS_LOOKED	(VPMC_PROCESS_SHOWN | VPMC_PROCESS_EVEN | \
				 VPMC_PROCESS_ODD)

/* These are the flags of a start that children inherit. */
#define VPMC_PROCESS_INHERITED	(VPMC_START_FOLD | VPMC_START_KEEP)

/* The process has a @session. */
#define VPMC_PROCESS_COLLECTED	1
/* A call occupies the process, see vpmc_process_give_way(). */
#define VPMC_PROCESS_OCCUPIED	2
/* The file of @session was started for the process, which has not entered a cgroup. */
#define VPMC_PROCESS_STARTER	4

/*
 * A call for many threads gives way after this many threads for which it does the shortest action,
 * or after fewer threads with longer actions. It executes at most a few thousand instructions
 * before it gives way.
 */
#define VPMC_PROCESS_BATCH	48

/**
 * struct vpmc_turn - the turn of a start that needs memory for many threads
 * @node: while the start has its turn, the head of the list of waiting ones, in their
 *	order; else the entry in that list
 * @task: the task that starts; NULL if it neither has its turn nor waits
 *
 * Protected by vpmc_process.lock. See vpmc_process_take_turn().
 */
struct vpmc_turn {
	struct list_head node;
	struct task_struct *task;
};

/* This is the number of sums of a process, including the sum of its children. */
#define VPMC_PROCESS_SUMS	3

/* This is a value of vpmc_process.first_taken. */
#define VPMC_PROCESS_BORN	2

/**
 * struct vpmc_process - the counters of a process
 * @ref: reference count
 * @lock: protects all following fields except @spare, and the fields of the threads that
 *	count.h names. Taken in process context only, inside @session's lock if there
 *	is one. See vpmc_process_give_way() for calls that take long.
 * @session: the session that collects it, with a reference, or NULL. Changes only under
 *	the locks of both, so not within vpmc_process_lock().
 * @member: entry in @session->members; protected by @session->lock
 * @threads: list of struct vpmc_thread; those with counts of @generation come first
 * @nr_busy: number of threads that count, or wait for an exec to do so; all of these
 *	have counts of @generation
 * @epoch: the last epoch for which vpmc_process_enforce_epoch() has looked at the
 *	threads, see cpu.h. All busy threads have this epoch, so system mode takes the
 *	counters from all of them or from none.
 * @generation: generation of the counts in @threads and @exited
 * @identity: identity of the start that began these counts
 * @events: events of @exited and @children, or NULL if there are none yet
 * @access: to whom the counts may be shown
 * @before_closed: whether only readers with CAP_PERFMON may see @before
 * @how: VPMC_PROCESS_* bits
 * @inherited: flags of its start that its children inherit: VPMC_START_FOLD and
 *	VPMC_START_KEEP
 * @folded: whether it has been added to its parent's children, or is about to be
 * @special: VPMC_PROCESS_COLLECTED, VPMC_PROCESS_OCCUPIED and VPMC_PROCESS_STARTER; 0 if it
 *	is enough to take @lock
 * @unwaited: number of counting processes that it has forked, and of those that its
 *	children have brought along, minus those that were added to @children. One
 *	less if it was itself forked as a counting process, see
 *	vpmc_process_unwaited(). Wraps around.
 * @used: whether it keeps the hooks live. If @threads is not empty, @used or @reserved
 *	is set; if it is empty, neither is.
 * @reserved: its reservation of the hardware counters, which also keeps the hooks live, or
 *	0. Not 0 if @nr_busy is not 0 and @epoch is the present one; valid if @epoch is the
 *	present one.
 * @first_taken: whether @first is or was in use; VPMC_PROCESS_BORN if the process has
 *	counted since it was forked
 * @files: number of open files that are bound or attached to it, or to one of its
 *	threads. It stays at U16_MAX once it has reached this; the process then counts
 *	until it is stopped.
 * @nr_waiting: number of tasks that wait until no call occupies it
 * @user: the user, with a reference, who is charged for its sums because it has no
 *	threads, so that only files keep them; NULL if no user is charged
 * @spare: memory of a freed process, for the next child, or NULL. Its threads exchange
 *	it without @lock.
 * @turn: the turn of the start that has memory for threads, or NULL
 * @first: the counters of the first thread that gets some, to save an allocation. They
 *	hold a reference to the process like those of any other thread.
 * @exited: the sum of the exited threads
 * @before: the counts of @events before the present generation. They are no longer in
 *	the process's own scopes, but are still added to its parent's.
 * @children: the sum of the children that were waited for, in its own memory. NULL until
 *	the first wait, unless @events are large. Most processes never wait, so a slab
 *	has room for more of them. Once allocated, it stays until the process is
 *	freed.
 */
struct vpmc_process {
	struct kref ref;
	spinlock_t lock;	/* see above */
	struct vpmc_session *session;
	struct list_head member;
	struct list_head threads;
	u32 nr_busy;
	unsigned int epoch;
	u64 generation;
	u64 identity;
	struct vpmc_events *events;
	struct vpmc_access access;
	u8 how;
	u8 inherited;
	bool before_closed:1;
	bool folded:1;
	bool used:1;
	u8 special;
	u8 reserved;
	u8 first_taken;
	u16 files;
	u32 unwaited;
	u32 nr_waiting;
	struct user_struct *user;
	struct vpmc_process *spare;
	struct vpmc_turn *turn;
	struct vpmc_sum *children;
	struct vpmc_sum exited;
	struct vpmc_sum before;
	struct vpmc_thread first;
};

/*
 * If @p has large sums, which only files keep because it does not have threads with counters any
 * more, charge them to current's user. No other limit of the user bounds their number. @p->lock
 * must be held.
 */
void vpmc_process_charge(struct vpmc_process *p);

/* Count an open file that shows the counts of @p, and uncount one. */
static inline void vpmc_process_add_file(struct vpmc_process *p)
{
	spin_lock(&p->lock);
	p->how &= ~VPMC_PROCESS_HIDDEN;
	p->files += p->files != U16_MAX;
	if (list_empty(&p->threads))
		vpmc_process_charge(p);
	spin_unlock(&p->lock);
}

static inline void vpmc_process_drop_file(struct vpmc_process *p)
{
	spin_lock(&p->lock);
	p->files -= p->files != U16_MAX;
	spin_unlock(&p->lock);
}

/* Used only by vpmc_process_get_or_create() and vpmc_process_own(). */
struct vpmc_process *vpmc_process_create(struct signal_struct *sig, gfp_t gfp);

/**
 * vpmc_process_get_or_create() - return the counters of a process, created if necessary
 * @tsk: a thread of the process: current, or a child that does not run yet
 *
 * Context: may sleep. Return: its counters, without a reference for the caller (they
 * stay valid while the process has a thread), or NULL if memory is short.
 */
static inline struct vpmc_process *
vpmc_process_get_or_create(struct task_struct *tsk)
{
	return READ_ONCE(tsk->signal->vpmc) ?:
	       vpmc_process_create(tsk->signal, GFP_KERNEL);
}

/*
 * Return the counters of the calling process, without a reference, and create them if
 * necessary. This is for callers that cannot fail: if memory is short, it waits.
 */
static inline struct vpmc_process *vpmc_process_own(void)
{
	return READ_ONCE(current->signal->vpmc) ?:
	       vpmc_process_create(current->signal, GFP_KERNEL | __GFP_NOFAIL);
}

/* Only vpmc_process_find() uses this. */
struct vpmc_process *vpmc_process_find_other(struct task_struct *tsk);

/*
 * Return the counters of @tsk's process, with a reference, and create them if
 * necessary. Returns ERR_PTR(-ENOMEM), or ERR_PTR(-ESRCH) if the process has been
 * released. May sleep.
 */
struct vpmc_process *vpmc_process_obtain(struct task_struct *tsk);

/*
 * Create counters for a process that counts and that current, a thread of @parent, is
 * forking. The caller sets epoch, identity and events. There are two references: one by
 * the process, and one by its first thread (@first), which is taken. Other tasks cannot
 * see the counters yet, so their lock is not needed. They do not keep the hooks live
 * yet. Returns NULL if memory is short. May sleep.
 */
struct vpmc_process *vpmc_process_fork(struct signal_struct *sig,
				       struct vpmc_process *parent);

/*
 * Like vpmc_process_fork() for a process that does not count, though current has
 * counters or a page.
 */
struct vpmc_process *vpmc_process_fork_idle(struct signal_struct *sig,
					    struct vpmc_process *parent);

/*
 * Let @p keep the hooks live, because one of its threads is about to get counters. The
 * hooks are live already, by an open file or by current's own counters. @p->lock held,
 * or other tasks cannot see @p.
 */
void vpmc_process_use(struct vpmc_process *p);

/*
 * Give up the reservation of @p, so that perf_event can have the counters, unless one
 * of its threads counts or waits to do so. @p->lock must be held.
 */
void vpmc_process_give_up(struct vpmc_process *p);

/*
 * Give up the reservation of @p and its use of the hooks, because it has no threads
 * with counters any more. @p->lock must be held.
 */
static __always_inline void vpmc_process_unuse(struct vpmc_process *p)
{
	lockdep_assert_held(&p->lock);
	/* A forked process keeps the hooks live by @reserved. */
	if (unlikely(p->used)) {
		p->used = false;
		vpmc_hooks_unuse();
	}
	if (p->reserved) {
		vpmc_unreserve(p->reserved);
		p->reserved = 0;
	}
}

static inline struct vpmc_process *vpmc_process_get(struct vpmc_process *p)
{
	kref_get(&p->ref);
	return p;
}

/* Return the counters of @tsk's process, with a reference, or NULL. May sleep. */
static inline struct vpmc_process *vpmc_process_find(struct task_struct *tsk)
{
	struct vpmc_process *p = READ_ONCE(current->signal->vpmc);

	/* The calling process cannot be released during the call. */
	if (tsk->signal != current->signal)
		return vpmc_process_find_other(tsk);
	return p ? vpmc_process_get(p) : NULL;
}

/*
 * Return the counters of the process of @sig, with a reference, or NULL.
 * rcu_read_lock() has been held since @sig was found.
 */
struct vpmc_process *vpmc_process_try_get(struct signal_struct *sig);

/* Only vpmc_process_put() uses this. */
void vpmc_process_free(struct kref *ref);

/* Drop a reference. @p may be NULL. Any context. */
static inline void vpmc_process_put(struct vpmc_process *p)
{
	if (p)
		kref_put(&p->ref, vpmc_process_free);
}

/*
 * Take the locks of @s, which may be NULL, and @p, when no call occupies @p. @p may
 * join or leave @s before that. May sleep. Returns the same as
 * vpmc_process_lock_killable().
 */
bool vpmc_process_lock_both(struct vpmc_session *s, struct vpmc_process *p)
	__acquires(&s->lock) __acquires(&p->lock);
void vpmc_process_unlock_both(struct vpmc_session *s, struct vpmc_process *p)
	__releases(&p->lock) __releases(&s->lock);

/* Only vpmc_process_lock() and vpmc_process_lock_killable() use this. */
bool vpmc_process_lock_special(struct vpmc_process *p, unsigned int state)
	__releases(&p->lock) __acquires(&p->session->lock) __acquires(&p->lock);

/*
 * Take the lock of @p's session, if it has one, and @p->lock, when no call occupies @p.
 * May sleep.
 */
static inline void vpmc_process_lock(struct vpmc_process *p)
	__acquires(&p->session->lock) __acquires(&p->lock)
{
	if (IS_ENABLED(CONFIG_PROVE_LOCKING))
		might_sleep();
	spin_lock(&p->lock);
	if (unlikely(p->special))
		vpmc_process_lock_special(p, TASK_UNINTERRUPTIBLE);
	else
		__acquire(&p->session->lock);
}

/**
 * vpmc_process_lock_alone() - take the lock of a process that has no session
 * @p: the process
 *
 * Most forks, execs and exits can use this, and do not test for a session then.
 *
 * Context: any. Return: true if the lock is held, which vpmc_process_unlock_alone()
 * releases; false, without a lock, if @p is collected or a call occupies it. The caller
 * has the annotations for sparse.
 */
static __always_inline bool vpmc_process_lock_alone(struct vpmc_process *p)
{
	bool alone;

	spin_lock(&p->lock);
	alone = likely(!p->special);
	if (!alone)
		spin_unlock(&p->lock);
	else
		__release(&p->lock);
	return alone;
}

static __always_inline void vpmc_process_unlock_alone(struct vpmc_process *p)
{
	__acquire(&p->lock);
	spin_unlock(&p->lock);
}

/**
 * vpmc_process_lock_killable() - take the locks of vpmc_process_lock() for a system
 * call
 * @p: the process
 *
 * A call that occupies @p may take long if its caller has a low priority. A task that
 * waits for it can be killed.
 *
 * Context: may sleep. Return: true; false if current is being killed and @p is
 * occupied. The locks are held in both cases. After false, the caller must only release
 * them and fail with -EINTR.
 */
static inline bool __must_check
vpmc_process_lock_killable(struct vpmc_process *p)
	__acquires(&p->session->lock) __acquires(&p->lock)
{
	if (IS_ENABLED(CONFIG_PROVE_LOCKING))
		might_sleep();
	spin_lock(&p->lock);
	if (unlikely(p->special))
		return vpmc_process_lock_special(p, TASK_KILLABLE);
	__acquire(&p->session->lock);
	return true;
}

static inline void vpmc_process_unlock(struct vpmc_process *p)
	__releases(&p->lock) __releases(&p->session->lock)
{
	if (unlikely(p->session)) {
		vpmc_process_unlock_both(p->session, p);
		return;
	}
	spin_unlock(&p->lock);
	__release(&p->session->lock);
}

/**
 * vpmc_process_trylock() - take the locks of vpmc_process_lock(), unless a call
 * occupies @p
 * @p: the process
 *
 * This does not sleep, so walks over all processes can use it under rcu_read_lock().
 * Returns false, and takes no lock, if a call occupies @p. The caller has the
 * annotations for sparse.
 */
bool vpmc_process_trylock(struct vpmc_process *p);

/**
 * vpmc_process_lock_in_turn() - take the locks for a call that may give way
 * @s: the session that is to collect @p; NULL for the session that collects it now
 * @p: the process
 *
 * Tasks that wait for the end of another call go first. Many calls in sequence may occupy @p or
 * members of its session. Even then, a task waits for at most one call of each member.
 *
 * Context: may sleep.
 * Return: the same as vpmc_process_lock_killable().
 */
bool vpmc_process_lock_in_turn(struct vpmc_session *s, struct vpmc_process *p)
	__acquires(&s->lock) __acquires(&p->lock);

/**
 * vpmc_process_give_way() - let other tasks run in the middle of a call
 * @p: the process
 * @s: the session whose lock is also held; NULL if there is none
 *
 * A call for all threads of @p takes long if there are many. From here to
 * vpmc_process_leave() it occupies @p: it releases the locks for a moment, but each
 * task that takes them sleeps until the call is over. So the locks protect everything,
 * including the list of threads, as if they were held all the time.
 *
 * Only vpmc_fold_wait() takes @p->lock without waiting. So @p's sums, events and access
 * must be consistent whenever a call gives way. vpmc_session_lock() waits for all
 * members.
 *
 * Context: may sleep.
 */
void vpmc_process_give_way(struct vpmc_process *p, struct vpmc_session *s)
	__must_hold(&s->lock) __must_hold(&p->lock);

/* Only vpmc_process_leave() uses this. */
void vpmc_process_leave_occupied(struct vpmc_process *p,
				 struct vpmc_session *s);

/*
 * End the occupation by a call that may have given way. @s is the session passed to
 * vpmc_process_give_way(). Both locks must be held.
 */
static inline void vpmc_process_leave(struct vpmc_process *p,
				      struct vpmc_session *s)
{
	lockdep_assert_held(&p->lock);
	if (unlikely(p->special & VPMC_PROCESS_OCCUPIED))
		vpmc_process_leave_occupied(p, s);
}

/**
 * vpmc_process_take_turn() - sleep until no other start has memory for @p's threads
 * @p: the process
 * @turn: the turn of the calling task, until vpmc_process_end_turn()
 *
 * A start that waits for others must not keep memory for each thread, because many
 * waiting starts would keep many times that memory. Turns have the order of the calls.
 * A turn is taken before all locks of processes and sessions, and before occupation.
 *
 * Context: may sleep. Return: true; false if current is being killed and did not get
 * its turn.
 */
bool __must_check vpmc_process_take_turn(struct vpmc_process *p,
					 struct vpmc_turn *turn);

/* End the turn, and let the next one begin. */
void vpmc_process_end_turn(struct vpmc_process *p, struct vpmc_turn *turn);

/* Only vpmc_process_enforce_epoch() uses this. */
void vpmc_process_revoke_taken(struct vpmc_process *p);

/*
 * Revoke the threads of @p, and change the generation, if system mode or VPMC_RELEASE has taken
 * the counters from them, and give up its reservation. Call this before looking at the state of
 * a thread or the generation. vpmc_process_lock() must be held.
 */
static inline void vpmc_process_enforce_epoch(struct vpmc_process *p)
{
	lockdep_assert_held(&p->lock);
	if (unlikely(p->epoch != READ_ONCE(vpmc_epoch)))
		vpmc_process_revoke_taken(p);
}

/*
 * Set the generation of @t, a thread of @p, to the present one, and so move it to the
 * front of the list. @p->lock must be held.
 */
static inline void vpmc_process_add_present(struct vpmc_process *p,
					    struct vpmc_thread *t)
{
	lockdep_assert_held(&p->lock);
	t->generation = p->generation;
	list_move(&t->node, &p->threads);
}

/*
 * Return the next thread after @t with counts of the present generation, or the first
 * one if @t is NULL. Returns NULL if there are no more. @p->lock must be held.
 */
static inline struct vpmc_thread *
vpmc_process_next_present(const struct vpmc_process *p,
			  const struct vpmc_thread *t)
{
	const struct list_head *next = t ? t->node.next : p->threads.next;

	if (next == &p->threads)
		return NULL;
	t = list_entry(next, struct vpmc_thread, node);
	return t->generation == p->generation ? (struct vpmc_thread *)t : NULL;
}

/*
 * Set the state that @t reports, and keep @nr_busy correct. This does not start
 * or stop the thread: see vpmc_count_set_run(). @t->process->lock must be held.
 */
static inline void vpmc_process_set_state(struct vpmc_thread *t,
					  enum vpmc_state state)
{
	lockdep_assert_held(&t->process->lock);
	t->process->nr_busy -= vpmc_thread_is_busy(t);
	/* life_counts() reads the state without the lock at fork. */
	WRITE_ONCE(t->state, state);
	t->process->nr_busy += vpmc_thread_is_busy(t);
}

/*
 * Note a gap in the counts of @t, if it is stopped, because an action follows the stop. @t
 * executes a program, creates a process or thread that does not inherit, exits, resumes, or is
 * stopped again. The gap is counted once, in the thread and in SELF of @t->process. The last
 * stop of all is not a gap, because nothing follows it. @t->process->lock must be held.
 */
void vpmc_process_note_gap(struct vpmc_thread *t);

/* Note a gap in the counts of @t, which resumes: its next stop begins another gap. */
static inline void vpmc_process_end_gap(struct vpmc_thread *t)
{
	vpmc_process_note_gap(t);
	t->stopped = vpmc_thread_stopped(t);
}

/*
 * Return the number of processes that have counted since they were forked and are not
 * in @p's children, because no process has waited for them, or one outside has.
 * @p->lock must be held.
 */
static inline u32 vpmc_process_unwaited(const struct vpmc_process *p)
{
	s32 nr = p->unwaited + (p->first_taken == VPMC_PROCESS_BORN);

	/*
	 * The number is negative if more children came from outside and were waited for
	 * here.
	 */
	return max(nr, 0);
}

/* Return a number that was never used before, for a generation or an identity. */
u64 vpmc_process_new_number(void);

/* Return whether @p or its children ever counted. @p->lock must be held. */
static inline bool vpmc_process_has_counts(const struct vpmc_process *p)
{
	return p->events ||
	       (p->children &&
		(p->children->other_events || p->children->revoked));
}

/*
 * Set up and free the memory for processes, before and after all other calls.
 * vpmc_process_init() returns 0 or -ENOMEM. May sleep.
 */
int vpmc_process_init(void);
void vpmc_process_exit(void);

/* Release the counters of all processes. No thread has counters any more. */
void vpmc_process_release_all(void);

/* Implement the hook of this name, which vpmc_hooks.h describes. */
void vpmc_process_release(struct signal_struct *sig);

#endif /* VPMC_PROCESS_H */
