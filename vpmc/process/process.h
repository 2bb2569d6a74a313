/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the counters of a process: the counts of its threads, including
 * exited ones, and of its waited-for children.
 *
 * A process gets a struct vpmc_process when one of its threads is first started, or when a thread
 * that counts forks it. It also gets one when the counts of a child are added to it.
 * signal_struct.vpmc holds a reference until the process has been reaped. Each of its threads also
 * holds a reference, in the thread's struct vpmc_thread, and so does each open file that is bound
 * to the process. So the counts can be read after the process has exited. A process keeps the hooks
 * live while one of its threads has counters. It keeps the hardware counters for the driver while
 * one of its threads counts, or waits for an exec to count. After all threads have stopped, the
 * process gives up the counters, at least a second later (review.h). So a process that often stops
 * and starts does not take the counters each time. A process without threads, such as a zombie,
 * keeps neither the hooks nor the counters.
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
 * All threads of the process were started together, so threads that were being created at
 * this moment start, too.
 */
#define VPMC_PROCESS_WHOLE	0x1

/* The program that the process executes has started one of its threads itself. */
#define VPMC_PROCESS_OWN	0x2

/*
 * The process counts, but at the last review its counts could not be shown to any task
 * (review.h).
 */
#define VPMC_PROCESS_HIDDEN	0x4

/*
 * These bits are the result of the last review, for the process's descendants. VPMC_PROCESS_SHOWN
 * is set if the counts could be shown to a task. Every other review sets VPMC_PROCESS_EVEN, and the
 * reviews in between set VPMC_PROCESS_ODD.
 */
#define VPMC_PROCESS_SHOWN	0x8
#define VPMC_PROCESS_EVEN	0x10
#define VPMC_PROCESS_ODD	0x20

/*
 * The process has left a session whose file is closed, and counts for no session until it
 * is started again: see vpmc_collect_is_left().
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
 * A call for many threads gives way after VPMC_PROCESS_BATCH of the shortest actions for a thread,
 * or after fewer longer actions. It executes at most a few thousand instructions before it gives
 * way.
 */
#define VPMC_PROCESS_BATCH	48

/**
 * struct vpmc_turn - the turn of a start that needs memory for many threads
 * @node: while the start has its turn, the head of the list of waiting starts, in their
 *	order; else the entry in this list
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
 * @session: the session that collects it, with a reference, or NULL. It changes only while the
 *	locks of the process and of the session are held. So it does not change within
 *	vpmc_process_lock().
 * @member: entry in @session->members; protected by @session->lock
 * @threads: list of struct vpmc_thread; threads with counts of @generation come first
 * @nr_busy: number of threads that count, or wait for an exec to count; all these threads have
 *	counts of @generation
 * @epoch: the last epoch for which vpmc_process_enforce_epoch() has checked the threads, see
 *	epoch.h. All busy threads have this epoch, so system mode takes the counters from all busy
 *	threads or from none.
 * @generation: generation of the counts in @threads and @exited
 * @identity: identity of the start that began these counts
 * @events: events of @exited and @children, or NULL if the process has no events yet
 * @access: the readers to whom the counts may be shown
 * @before_closed: whether only readers with CAP_PERFMON may see @before
 * @how: VPMC_PROCESS_* bits
 * @inherited: flags of its start that its children inherit: VPMC_START_FOLD and
 *	VPMC_START_KEEP
 * @folded: whether it has been added to its parent's children, or is about to be
 * @special: VPMC_PROCESS_COLLECTED, VPMC_PROCESS_OCCUPIED and VPMC_PROCESS_STARTER; 0 if it
 *	is enough to take @lock
 * @unwaited: number of counting processes that were forked by it or by children that were added to
 *	@children, minus the processes that were added to @children. The value is one less if the
 *	process was itself forked as a counting process, see vpmc_process_unwaited(). It wraps
 *	around.
 * @used: whether it keeps the hooks live. @used or @reserved is set if and only if @threads is not
 *	empty.
 * @reserved: its reservation of the hardware counters, which also keeps the hooks live, or 0. If
 *	@epoch is the present epoch, the reservation is valid, and is not 0 unless @nr_busy is 0.
 * @first_taken: whether @first is or was in use; VPMC_PROCESS_BORN if the process has
 *	counted since it was forked
 * @files: number of open files that are bound or attached to it, or to one of its threads. The
 *	number stays at U16_MAX once it has reached this value. The process then counts until it is
 *	stopped.
 * @nr_waiting: number of tasks that wait until no call occupies it
 * @user: the user to whom its sums are charged, with a reference, or NULL. Sums are charged after
 *	its last thread has gone, because then only files keep them.
 * @spare: memory of a freed process, for the next child, or NULL. The threads exchange this pointer
 *	without @lock.
 * @turn: the turn of the start that has memory for threads, or NULL
 * @first: the counters of the first thread that gets counters, to save an allocation. They hold a
 *	reference to the process like the counters of any other thread.
 * @exited: the sum of the exited threads
 * @before: the counts of @events before the present generation. They are no longer in the process's
 *	own scopes, but are still added to the parent's scope CHILDREN.
 * @children: the sum of the children that were waited for, in its own memory. NULL until the first
 *	wait, unless @events are large. Most processes never wait, so a slab has room for more
 *	processes without this sum. Once allocated, the sum stays until the process is freed.
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
 * Charge the sums of @p to current's user if they are large and only files keep them, because @p
 * has no threads with counters any more. No other limit of the user bounds the number of such
 * processes. @p->lock must be held.
 */
void vpmc_process_charge(struct vpmc_process *p);

/* Increment and decrement the number of open files that show the counts of @p. */
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
 * Context: may sleep. Return: the counters of the process, or NULL if memory is short.
 * The caller does not get a reference, but the counters stay valid while the process has
 * a thread.
 */
static inline struct vpmc_process *
vpmc_process_get_or_create(struct task_struct *tsk)
{
	return READ_ONCE(tsk->signal->vpmc) ?:
	       vpmc_process_create(tsk->signal, GFP_KERNEL);
}

/*
 * Return the counters of the calling process, without a reference, and create them if
 * necessary. This is for callers that cannot fail. If memory is short, this waits for
 * memory.
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
 * Create counters for a counting process that current, a thread of @parent, is forking.
 * The caller sets epoch, identity and events. The process and its first thread hold
 * references, and the memory for this thread (@first) is taken. Other tasks cannot see
 * the counters yet, so the lock is not needed. The process does not keep the hooks live
 * yet. Returns NULL if memory is short. May sleep.
 */
struct vpmc_process *vpmc_process_fork(struct signal_struct *sig,
				       struct vpmc_process *parent);

/*
 * Like vpmc_process_fork() for a process that does not count. Current has counters or a
 * page.
 */
struct vpmc_process *vpmc_process_fork_idle(struct signal_struct *sig,
					    struct vpmc_process *parent);

/*
 * Let @p keep the hooks live, because one of its threads is about to get counters. An
 * open file or current's own counters already keep the hooks live. @p->lock held, or
 * other tasks cannot see @p.
 */
void vpmc_process_use(struct vpmc_process *p);

/*
 * Give up the reservation of @p, so that perf_event can have the counters, unless one of
 * its threads counts or waits for an exec to count. @p->lock must be held.
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
 * Wait until no call occupies @p, and take the locks of @s, which may be NULL, and @p. @p
 * may join or leave @s before the locks are taken. May sleep. Returns the same as
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
 * Wait until no call occupies @p, and take @p->lock and the lock of @p's session, if it
 * has one. May sleep.
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
 * Most forks, execs and exits can use this, and then do not test for a session.
 *
 * Context: any. Return: true if the lock is held; vpmc_process_unlock_alone() releases
 * it. False, without a lock, if @p is collected or a call occupies it. The caller has the
 * annotations for sparse.
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
 * Context: may sleep. Return: false if current is being killed and @p is occupied, else
 * true. The locks are held in both cases. After false, the caller must only release the
 * locks and fail with -EINTR.
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
 * Tasks that already wait for the end of another call go first. So even if many calls in sequence
 * occupy @p or members of its session, a task waits for at most one call for each member.
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
 * vpmc_process_leave(), the call occupies @p. It releases the locks for a moment, but
 * each task that takes them sleeps until the call is over. So the locks protect
 * everything, including the list of threads, as if they were held all the time.
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
 * A start that waits for other starts must not keep memory for each thread, because many
 * waiting starts would keep a multiple of this memory. Turns come in the order of the
 * calls. A turn is taken before all locks of processes and sessions, and before a call
 * occupies the process.
 *
 * Context: may sleep. Return: false if current is being killed and did not get its turn,
 * else true.
 */
bool __must_check vpmc_process_take_turn(struct vpmc_process *p,
					 struct vpmc_turn *turn);

/* End the turn, and let the next turn begin. */
void vpmc_process_end_turn(struct vpmc_process *p, struct vpmc_turn *turn);

/* Only vpmc_process_enforce_epoch() uses this. */
void vpmc_process_revoke_taken(struct vpmc_process *p);

/*
 * If system mode or VPMC_RELEASE has taken the counters from @p, revoke its threads, change the
 * generation, and give up the reservation. Call this before reading the state of a thread or the
 * generation. vpmc_process_lock() must be held.
 */
static inline void vpmc_process_enforce_epoch(struct vpmc_process *p)
{
	lockdep_assert_held(&p->lock);
	if (unlikely(p->epoch != READ_ONCE(vpmc_epoch)))
		vpmc_process_revoke_taken(p);
}

/*
 * Set the generation of @t, a thread of @p, to the present generation, and move @t to the front of
 * the list. @p->lock must be held.
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
 * such thread if @t is NULL. Returns NULL at the end of the list. @p->lock must be held.
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
 * Note a gap in the counts of @t, if it is stopped, because an action follows the stop. @t executes
 * a program, creates a process or thread that does not inherit, exits, resumes, or is stopped
 * again. The gap is counted once, in the thread and in SELF of @t->process. A final stop is not a
 * gap, because no action follows it. @t->process->lock must be held.
 */
void vpmc_process_note_gap(struct vpmc_thread *t);

/* Note a gap in the counts of @t, which resumes. Its next stop can begin another gap. */
static inline void vpmc_process_end_gap(struct vpmc_thread *t)
{
	vpmc_process_note_gap(t);
	t->stopped = vpmc_thread_stopped(t);
}

/*
 * Return the number of processes that have counted since they were forked and are missing
 * in @p's children. No process has waited for them, or a process outside the tree has.
 * @p->lock must be held.
 */
static inline u32 vpmc_process_unwaited(const struct vpmc_process *p)
{
	s32 nr = p->unwaited + (p->first_taken == VPMC_PROCESS_BORN);

	/*
	 * Processes that were adopted from outside the tree and waited for here are subtracted, so
	 * the number can be negative.
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
