/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the counters of a process: the counts of its threads, including
 * exited ones, and of its waited-for children.
 *
 * A process gets a struct vpmc_process when one of its threads is first started, when
 * it is forked by a thread that counts, or when the counts of a child that has one are
 * added to it. References are held by signal_struct.vpmc until the process has been
 * reaped, by the struct vpmc_thread of each of its threads, and by each open file that
 * is bound to it, so that the counts can be read after the process has exited. A
 * process keeps the hooks live while one of its threads has counters. It keeps the
 * hardware counters for the driver while one of its threads counts, or waits for an
 * exec to do so. After all have stopped, it gives them up at least a second later
 * (review.h), so that a process that stops and starts again and again does not take
 * them each time. A process without threads, such as a zombie, keeps neither.
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
 * All threads of a process were started together, so threads that were being created at
 * that moment start as well.
 */
#define VPMC_PROCESS_WHOLE	0x1

/* The program that it executes has started one of its threads itself. */
#define VPMC_PROCESS_OWN	0x2

/* It counts, and when it was last looked at nobody could be shown that: see review.h. */
#define VPMC_PROCESS_HIDDEN	0x4

/*
 * What the last look has found, for its descendants: somebody could be shown what it counts,
 * or nobody. One of two bits says that the look was one with an even or an odd number.
 */
#define VPMC_PROCESS_SHOWN	0x8
#define VPMC_PROCESS_EVEN	0x10
#define VPMC_PROCESS_ODD	0x20
#define VPMC_PROCESS_LOOKED	(VPMC_PROCESS_SHOWN | VPMC_PROCESS_EVEN | \
				 VPMC_PROCESS_ODD)

/* The flags of a start that children inherit. */
#define VPMC_PROCESS_INHERITED	(VPMC_START_FOLD | VPMC_START_KEEP)

/* It has a @session. */
#define VPMC_PROCESS_COLLECTED	1
/* A call occupies it, see vpmc_process_give_way(). */
#define VPMC_PROCESS_OCCUPIED	2

/*
 * A call about more threads gives way after so many for which it does the least, or fewer
 * for which it does more: some thousand instructions at most.
 */
#define VPMC_PROCESS_BATCH	48

/**
 * struct vpmc_turn - the turn of a start that needs memory for many threads
 * @node: while it has its turn, the list of those that wait, in their order; else in that list
 * @task: whose start it is; NULL if it neither has its turn nor waits
 *
 * Under vpmc_process.lock. See vpmc_process_take_turn().
 */
struct vpmc_turn {
	struct list_head node;
	struct task_struct *task;
};

/* How many sums a process has, with those of the children. */
#define VPMC_PROCESS_SUMS	3

/* A value of vpmc_process.first_taken. */
#define VPMC_PROCESS_BORN	2

/**
 * struct vpmc_process - the counters of a process
 * @ref: holders
 * @lock: protects everything below but @spare, and what count.h says of the threads.
 *	Taken in process context only, inside @session's lock if there is one. See
 *	vpmc_process_give_way() for calls that take long.
 * @session: the session that collects it, or NULL; a reference. Changes only
 *	under the locks of both, so not within vpmc_process_lock().
 * @member: in @session->members; under @session->lock
 * @threads: struct vpmc_thread, by node; those with counts of @generation first
 * @nr_busy: how many of @threads count, or wait for an exec to do so; all of these
 *	have counts of @generation
 * @epoch: the last one for which vpmc_process_enforce_epoch() has looked at the
 *	threads, see cpu.h. Those that are busy all have this one, so that system mode
 *	takes the counters from all of them or from none.
 * @generation: of the counts in @threads and @exited
 * @identity: of the start that began them
 * @events: what @exited and @children count, or NULL if there is nothing yet
 * @access: to whom they may be shown
 * @before_closed: only readers with CAP_PERFMON may see @before
 * @how: VPMC_PROCESS_* bits
 * @inherited: what its children inherit of its start: VPMC_START_FOLD, to be added to the
 *	parent's children at exit, without a wait; and VPMC_START_KEEP
 * @folded: has been added to the parent's, or is about to be
 * @special: VPMC_PROCESS_COLLECTED and VPMC_PROCESS_OCCUPIED; 0 if @lock alone is all that
 *	has to be taken
 * @unwaited: how many processes it has forked that count, with those that its
 *	children have brought along, less those that were added to @children. If it
 *	was itself forked so, one less: see vpmc_process_unwaited(). Wraps around.
 * @used: it keeps the hooks live. If @threads is not empty, this or @reserved is set;
 *	if it is empty, neither is.
 * @reserved: it keeps the hardware counters the driver's, and the hooks live. Set if
 *	@nr_busy is not 0.
 * @first_taken: @first is in use, or was; VPMC_PROCESS_BORN if the process has
 *	counted since it was forked
 * @files: how many open files are bound or attached to it, or to one of its threads. When
 *	there are U16_MAX it stays so: then it counts until it is stopped.
 * @nr_waiting: tasks that wait until nobody occupies it
 * @spare: memory of a process that is gone, for the next child, or NULL. Exchanged
 *	without @lock, by its threads.
 * @turn: the turn of the start that has memory for threads, or NULL
 * @first: the counters of the first thread that gets some: one allocation for
 *	both. They hold the process like those of any other thread.
 * @exited: the sum of the threads that are gone
 * @before: what was counted of @events before the present generation: no longer
 *	in the process's own scopes, but still added to its parent's
 * @children: the sum of the children that were waited for: memory of the process. NULL as
 *	long as there was none, which most processes never have, unless @events are large. So a
 *	slab has room for more processes. It stays until the process is freed.
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
	struct vpmc_process *spare;
	struct vpmc_turn *turn;
	struct vpmc_sum *children;
	struct vpmc_sum exited;
	struct vpmc_sum before;
	struct vpmc_thread first;
};

/* One more open file shows what @p counts, or one less. */
static inline void vpmc_process_add_file(struct vpmc_process *p)
{
	spin_lock(&p->lock);
	p->how &= ~VPMC_PROCESS_HIDDEN;
	p->files += p->files != U16_MAX;
	spin_unlock(&p->lock);
}

static inline void vpmc_process_drop_file(struct vpmc_process *p)
{
	spin_lock(&p->lock);
	p->files -= p->files != U16_MAX;
	spin_unlock(&p->lock);
}

/* Only for vpmc_process_get_or_create() and vpmc_process_own(). */
struct vpmc_process *vpmc_process_create(struct signal_struct *sig, gfp_t gfp);

/**
 * vpmc_process_get_or_create() - the counters of a process
 * @tsk: a thread of it: current, or a child that does not run yet
 *
 * Context: may sleep.
 * Return: its counters, without a reference for the caller (they are good
 * while the process has a thread), or NULL if memory is short.
 */
static inline struct vpmc_process *
vpmc_process_get_or_create(struct task_struct *tsk)
{
	return READ_ONCE(tsk->signal->vpmc) ?:
	       vpmc_process_create(tsk->signal, GFP_KERNEL);
}

/*
 * The counters of the calling process, likewise, for who cannot fail: if memory
 * is short, this waits until there is some.
 */
static inline struct vpmc_process *vpmc_process_own(void)
{
	return READ_ONCE(current->signal->vpmc) ?:
	       vpmc_process_create(current->signal, GFP_KERNEL | __GFP_NOFAIL);
}

/* Only for vpmc_process_find(). */
struct vpmc_process *vpmc_process_find_other(struct task_struct *tsk);

/*
 * The same, or new counters. Returns ERR_PTR(-ENOMEM), or ERR_PTR(-ESRCH) if
 * the process has been released. May sleep.
 */
struct vpmc_process *vpmc_process_obtain(struct task_struct *tsk);

/*
 * New counters for a process that current, a thread of @parent, is forking, and that
 * counts: epoch, identity and events are left to the caller. They have two
 * holders: the process, and its first thread (@first), which is taken. Nobody else sees
 * them yet, so they need no lock. They keep nothing live yet. NULL if memory is short. May
 * sleep.
 */
struct vpmc_process *vpmc_process_fork(struct signal_struct *sig,
				       struct vpmc_process *parent);

/* The same for one that does not count, though current has counters or a page. */
struct vpmc_process *vpmc_process_fork_idle(struct signal_struct *sig,
					    struct vpmc_process *parent);

/*
 * A thread of @p is about to get counters: keep the hooks live. They are so already, by
 * an open file or by current's own counters. @p->lock held, or nobody else sees @p.
 */
void vpmc_process_use(struct vpmc_process *p);

/*
 * None of @p's threads counts or waits to do so: let perf_event have the counters. A
 * thread that counts keeps them. @p->lock held.
 */
void vpmc_process_give_up(struct vpmc_process *p);

/* @p has no threads with counters any more. @p->lock held. */
static __always_inline void vpmc_process_unuse(struct vpmc_process *p)
{
	lockdep_assert_held(&p->lock);
	/* What was forked keeps the hooks live as @reserved. */
	if (unlikely(p->used)) {
		p->used = false;
		vpmc_hooks_unuse();
	}
	if (p->reserved) {
		p->reserved = false;
		vpmc_unreserve();
	}
}

static inline struct vpmc_process *vpmc_process_get(struct vpmc_process *p)
{
	kref_get(&p->ref);
	return p;
}

/* The counters of @tsk's process, with a reference, or NULL. May sleep. */
static inline struct vpmc_process *vpmc_process_find(struct task_struct *tsk)
{
	struct vpmc_process *p = READ_ONCE(current->signal->vpmc);

	/* The calling process cannot be released meanwhile. */
	if (tsk->signal != current->signal)
		return vpmc_process_find_other(tsk);
	return p ? vpmc_process_get(p) : NULL;
}

/*
 * The counters of the process of @sig, with a reference, or NULL. rcu_read_lock() held since
 * @sig was found.
 */
struct vpmc_process *vpmc_process_try_get(struct signal_struct *sig);

/* Only for vpmc_process_put(). */
void vpmc_process_free(struct kref *ref);

/* Any context. @p may be NULL. */
static inline void vpmc_process_put(struct vpmc_process *p)
{
	if (p)
		kref_put(&p->ref, vpmc_process_free);
}

/*
 * Take the locks of @s and @p, when nobody occupies @p; @s may be NULL. @p may join or
 * leave it in between. May sleep. Returns as vpmc_process_lock_killable().
 */
bool vpmc_process_lock_both(struct vpmc_session *s, struct vpmc_process *p)
	__acquires(&s->lock) __acquires(&p->lock);
void vpmc_process_unlock_both(struct vpmc_session *s, struct vpmc_process *p)
	__releases(&p->lock) __releases(&s->lock);

/* Only for vpmc_process_lock() and vpmc_process_lock_killable(). */
bool vpmc_process_lock_special(struct vpmc_process *p, unsigned int state)
	__releases(&p->lock) __acquires(&p->session->lock) __acquires(&p->lock);

/*
 * Take @p->lock, and before it that of its session if it is in one, when nobody
 * occupies @p. May sleep.
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
 * vpmc_process_lock_alone() - vpmc_process_lock(), where it is that of the process alone
 * @p: the process
 *
 * Most lives of processes are of this kind: without a session there is no test of it.
 *
 * Context: any. Return: whether the lock is held, which vpmc_process_unlock_alone() releases.
 * If not, no lock is held: @p is collected, or a call occupies it. Sparse is told by the
 * caller.
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
 * vpmc_process_lock_killable() - vpmc_process_lock() for a program's call
 * @p: the process
 *
 * A call that occupies @p takes as long as its caller's priority makes it take. Whoever
 * waits for that can be killed meanwhile.
 *
 * Context: may sleep.
 * Return: true; false if current is being killed and @p is occupied. The locks are held in
 * both cases, but then nothing may be done that needs @p not to be occupied: release them,
 * and fail with -EINTR.
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
 * vpmc_process_trylock() - vpmc_process_lock(), unless a call occupies @p
 *
 * Does not sleep, so that the walks over all processes can use it under rcu_read_lock().
 * Returns false, and takes no lock, if a call occupies @p. Sparse is told by the caller.
 */
bool vpmc_process_trylock(struct vpmc_process *p);

/**
 * vpmc_process_lock_in_turn() - take the locks for a call that may give way
 * @s: the session that is to collect @p; NULL for the one that does
 * @p: the process
 *
 * Those who wait for the end of another call go first. So calls in a row that occupy @p, or
 * members of its session, keep nobody waiting for longer than one of each member takes.
 *
 * Context: may sleep.
 * Return: as vpmc_process_lock_killable().
 */
bool vpmc_process_lock_in_turn(struct vpmc_session *s, struct vpmc_process *p)
	__acquires(&s->lock) __acquires(&p->lock);

/**
 * vpmc_process_give_way() - let other tasks run in the midst of a call
 * @p: the process
 * @s: the session whose lock is held, too; NULL if there is none
 *
 * A call about all threads of @p takes as long as there are threads. From here to
 * vpmc_process_leave() it occupies @p: it releases the locks for a moment, but each task
 * that takes them sleeps until the call is over. So the locks protect the same as if they
 * were held all the time, the list of threads included.
 *
 * vpmc_fold_wait() alone takes @p->lock without waiting. So @p's sums, events and access
 * must be right whenever a call gives way. vpmc_session_lock() waits for all members.
 *
 * Context: may sleep.
 */
void vpmc_process_give_way(struct vpmc_process *p, struct vpmc_session *s)
	__must_hold(&s->lock) __must_hold(&p->lock);

/* Only for vpmc_process_leave(). */
void vpmc_process_leave_occupied(struct vpmc_process *p,
				 struct vpmc_session *s);

/* The call that may have given way is over. @s as before; both locks held. */
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
 * @turn: of the calling task, until vpmc_process_end_turn()
 *
 * A start that waits for others must not keep memory for each thread meanwhile, or else as
 * much is kept as starts wait. Turns come in the order of the calls. A turn is outside all
 * locks of processes and sessions, and outside of occupation.
 *
 * Context: may sleep.
 * Return: true; false if current is being killed, and has no turn.
 */
bool __must_check vpmc_process_take_turn(struct vpmc_process *p,
					 struct vpmc_turn *turn);

/* It is over, and the next one begins. */
void vpmc_process_end_turn(struct vpmc_process *p, struct vpmc_turn *turn);

/* Only for vpmc_process_enforce_epoch(). */
void vpmc_process_revoke_taken(struct vpmc_process *p);

/*
 * If system mode has taken the counters from threads of @p, change their state
 * and the generation. Call this before looking at either. vpmc_process_lock()
 * held.
 */
static inline void vpmc_process_enforce_epoch(struct vpmc_process *p)
{
	lockdep_assert_held(&p->lock);
	if (unlikely(p->epoch != READ_ONCE(vpmc_epoch)))
		vpmc_process_revoke_taken(p);
}

/*
 * Put @t, a thread of @p, into the present generation, and so to the front of
 * the list. @p->lock held.
 */
static inline void vpmc_process_add_present(struct vpmc_process *p,
					    struct vpmc_thread *t)
{
	lockdep_assert_held(&p->lock);
	t->generation = p->generation;
	list_move(&t->node, &p->threads);
}

/*
 * The next thread after @t with counts of the present generation, or the first
 * one if @t is NULL. Returns NULL if there are no more. @p->lock held.
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
 * or stop the thread: see vpmc_count_set_run(). @t->process->lock held.
 */
static inline void vpmc_process_set_state(struct vpmc_thread *t,
					  enum vpmc_state state)
{
	lockdep_assert_held(&t->process->lock);
	t->process->nr_busy -= vpmc_thread_is_busy(t);
	/* Who forks looks at it without the lock first. */
	WRITE_ONCE(t->state, state);
	t->process->nr_busy += vpmc_thread_is_busy(t);
}

/*
 * @t executes a program, creates a process or thread that does not inherit, exits, goes
 * on, or is stopped again. If it had stopped, its counts have a gap: count that once, in
 * the thread and in SELF of @t->process. The last stop of all does not make a gap,
 * because nothing follows it. @t->process->lock held.
 */
void vpmc_process_note_gap(struct vpmc_thread *t);

/* The same if @t goes on: its next stop begins another gap. */
static inline void vpmc_process_end_gap(struct vpmc_thread *t)
{
	vpmc_process_note_gap(t);
	t->stopped = vpmc_thread_stopped(t);
}

/*
 * How many processes that have counted since they were forked are not in @p's
 * children, because nobody has waited for them, or somebody outside has. @p->lock held.
 */
static inline u32 vpmc_process_unwaited(const struct vpmc_process *p)
{
	s32 nr = p->unwaited + (p->first_taken == VPMC_PROCESS_BORN);

	/* Those that came from outside, and were waited for here, may be more. */
	return max(nr, 0);
}

/* A number that was never used before, for a generation or an identity. */
u64 vpmc_process_new_number(void);

/* Did @p or its children ever count? @p->lock held. */
static inline bool vpmc_process_has_counts(const struct vpmc_process *p)
{
	return p->events ||
	       (p->children &&
		(p->children->other_events || p->children->revoked));
}

/* Before and after all others are called. 0 or -ENOMEM. May sleep. */
int vpmc_process_init(void);
void vpmc_process_exit(void);

/* Release the counters of all processes, none of whose threads has any. */
void vpmc_process_release_all(void);

/* Hook, see vpmc_hooks.h. */
void vpmc_process_release(struct signal_struct *sig);

#endif /* VPMC_PROCESS_H */
