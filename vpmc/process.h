/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The counters of a process: what its threads, the exited ones included, and
 * its waited-for children have counted.
 *
 * A process gets a struct vpmc_process when one of its threads is first
 * started, when it is forked by a thread that counts, or when the counts of a
 * child that has one are added to it. It is held by signal_struct.vpmc until
 * the process has been reaped, by the struct vpmc_thread of its threads, and
 * by each open file that is bound to it: so it can be read when the process is
 * gone.
 */
#ifndef VPMC_PROCESS_H
#define VPMC_PROCESS_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/spinlock.h>

#include "events.h"
#include "sum.h"

struct signal_struct;
struct task_struct;
struct vpmc_session;
struct vpmc_thread;

/* Adds what a thread counted to a sum of those events. */
typedef void vpmc_adder(struct vpmc_sum *sum, const struct vpmc_thread *t,
			const struct vpmc_events *events);

/**
 * struct vpmc_process - the counters of a process
 * @ref: holders
 * @lock: protects everything below, and what thread.h says of the threads.
 *	Taken in process context only, inside @session's lock if there is one.
 * @session: who collects it, or NULL; a reference. Changes under the locks of
 *	both; not within vpmc_process_lock(). See
 *	vpmc_process_lock().
 * @member: in @session->members; under @session->lock
 * @threads: struct vpmc_thread, by node
 * @generation: of the counts in @threads and @exited
 * @events: what @exited and @children count, or NULL if there is nothing yet
 * @privileged: whoever started the count may watch any program
 * @raised: it has executed a program with rights that its user lacks
 * @secret: counts of such a program are among the present ones: only somebody
 *	who may watch any program may read them from outside
 * @hidden: such a program began them itself: they are not for the sums of
 *	others either
 * @own: it began them itself, and not for the next program that it executes
 * @whole: all its threads were started together, and those that were being
 *	created then are to follow
 * @fold: to be added to the parent's children at exit, without a wait
 * @folded: has been
 * @exited: the sum of the threads that are gone
 * @before: what was counted of @events before the present generation; no
 *	longer the process's own, but still its parent's
 * @children: the sum of the children that were waited for
 *
 * The shares of the three sums are one piece of memory, which begins with those
 * of @exited.
 */
struct vpmc_process {
	struct kref ref;
	spinlock_t lock;	/* see above */
	struct vpmc_session *session;
	struct list_head member;
	struct list_head threads;
	u64 generation;
	struct vpmc_events *events;
	bool privileged;
	bool raised;
	bool secret;
	bool hidden;
	bool own;
	bool whole;
	bool fold;
	bool folded;
	struct vpmc_sum exited;
	struct vpmc_sum before;
	struct vpmc_sum children;
};

/* How many sums a process has. */
#define VPMC_PROCESS_SUMS	3

/**
 * vpmc_process_get_or_create() - the counters of a process
 * @tsk: a thread of it: current, or a child that does not run yet
 *
 * Context: may sleep.
 * Return: its counters, without a reference for the caller (they are good
 * while the process has a thread), or NULL if memory is short.
 */
struct vpmc_process *vpmc_process_get_or_create(struct task_struct *tsk);

/* The counters of anybody's process, to put; NULL if it has none. May sleep. */
struct vpmc_process *vpmc_process_find(struct task_struct *tsk);

/*
 * The same, or new ones; ERR_PTR(-ENOMEM), or ERR_PTR(-ESRCH) if the process has
 * been released. May sleep.
 */
struct vpmc_process *vpmc_process_obtain(struct task_struct *tsk);

static inline struct vpmc_process *vpmc_process_get(struct vpmc_process *p)
{
	kref_get(&p->ref);
	return p;
}

/* Any context. */
void vpmc_process_put(struct vpmc_process *p);

/* Take @p->lock, and before it that of its session if it is in one. */
void vpmc_process_lock(struct vpmc_process *p);
void vpmc_process_unlock(struct vpmc_process *p);

/*
 * Let @p, which is in no session, be collected by @s, of which it takes a
 * reference. @s->lock and @p->lock held, unless nobody else can see @p yet.
 */
void vpmc_process_join(struct vpmc_process *p, struct vpmc_session *s);

/*
 * Let @p, which is new and which nobody else sees yet, be what the process is
 * that @parent forks: the same, with sums of nothing of @events. Takes memory
 * from @room, see vpmc_room.process. vpmc_process_lock() of @parent held.
 */
void vpmc_process_inherit(struct vpmc_process *p, struct vpmc_process *parent,
			  struct vpmc_events *events, struct vpmc_share **room);

/*
 * Start a new generation, one that no process ever had, and let all sums begin
 * at zero of @events. Takes the caller's reference to @events, and memory from
 * @room, see vpmc_room.process. vpmc_process_lock() held.
 */
void vpmc_process_restart(struct vpmc_process *p, struct vpmc_events *events,
			  struct vpmc_share **room);

/*
 * Keep what @t counted in @p's present generation, in which it will count no
 * more: add it to @p's exited threads and to its session, with a record that
 * says @what (see vpmc_session_record()). vpmc_process_lock() held.
 */
void vpmc_process_retire(struct vpmc_process *p, const struct vpmc_thread *t,
			 u32 what);

/*
 * If system mode has taken the counters from threads of @p, say so in their
 * state and in the generation. Before anybody looks at either;
 * vpmc_process_lock() held.
 */
void vpmc_process_settle(struct vpmc_process *p);

/* A generation that no process ever had. Any context. */
u64 vpmc_new_generation(void);

/**
 * vpmc_process_sum() - add up the living threads of a process
 * @p: the process, settled; its lock is held
 * @add: vpmc_thread_add() or vpmc_session_add()
 * @events: threads with other ones are noted as such
 * @sum: what they are added to; NULL if only the state is wanted
 * @state: the state if there are none
 *
 * Return: the state of the busiest thread.
 */
enum vpmc_state vpmc_process_sum(struct vpmc_process *p, vpmc_adder *add,
				 const struct vpmc_events *events,
				 struct vpmc_sum *sum, enum vpmc_state state);

/*
 * May current, which is of another process, read @p? vpmc_process_read() and
 * vpmc_thread_read() do not ask. Any context.
 */
bool vpmc_process_may_read(struct vpmc_process *p);

/* current's process @p, which has no other thread left, was told to @fold. */
void vpmc_process_fold(struct vpmc_process *p);

/**
 * vpmc_process_read() - read VPMC_SCOPE_SELF or VPMC_SCOPE_CHILDREN
 * @p: whose counters
 * @read: @scope is set; receives the rest
 *
 * Context: may sleep.
 * Return: 0, or -ENODATA if there is nothing that ever counted.
 */
int vpmc_process_read(struct vpmc_process *p, struct vpmc_read *read);

/* The present generation of a process's counts. May sleep. */
u64 vpmc_process_generation(struct vpmc_process *p);

/* Take the counters of all processes away: no thread of any has its own. */
void vpmc_process_release_all(void);

/* Hooks, see vpmc_hooks.h. */
void vpmc_process_wait(struct task_struct *child);
void vpmc_process_release(struct signal_struct *sig);

#endif /* VPMC_PROCESS_H */
