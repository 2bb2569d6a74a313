/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares which task may see which counts. All decisions are made here.
 *
 * The rule is this. If a program has rights that its user lacks, its counts are shown only to tasks
 * that could have watched the program at the time. This rule holds for any starter and any scope.
 * Each process with counts has one level:
 *
 *	OPEN	counts of a program that may be traced: visible to the process itself,
 *		and to tasks that may watch a program with these credentials
 *	OWN	counts of a program with more rights than its user: visible to that
 *		program, while the process does not execute another one
 *	CLOSED	counts of a program that the process no longer executes, or of kernel
 *		mode started by another process: visible only with CAP_PERFMON
 *
 * A reader with CAP_PERFMON may see everything. A start is privileged if its caller has
 * CAP_PERFMON at that time. CAP_SYS_ADMIN has the same effect as CAP_PERFMON.
 *
 * The following table has the events that change the level. vpmc(7), the tests' model
 * (rights.py) and "matrix" (access.inc) have the same table; tests/lint/access compares
 * them. The last row that matches applies. "new" means OPEN if the program that is
 * executed now may be traced, and otherwise OWN:
 *
 *	moment						open	own	closed
 *	start						new	new	new
 *	start of kernel mode by others			closed	closed	closed
 *	join						new	own	closed
 *	join of one with other rights			own	own	closed
 *	join of kernel mode by others			closed	closed	closed
 *	fork or first exec				new	new	new
 *	fork or first exec, kernel			new	new	closed
 *	fork or first exec, kernel, no CAP_PERFMON	closed	closed	closed
 *	exec						new	closed	closed
 *	exec, rights are lost				closed	closed	closed
 *	exec, enters a user namespace of its user's	open	closed	closed
 *	exec, kernel, no CAP_PERFMON			closed	closed	closed
 *	exec, rights are gained, unprivileged start	ended	ended	ended
 *	wait						open	own	closed
 *	wait for what only the parent may see		own	own	closed
 *	wait for what the parent may not see		open	own	closed
 *	ALL collects					open	own	closed
 *	ALL collects more, privileged start		closed	closed	closed
 *	ALL collects more, unprivileged start		open	own	closed
 *	anything else					open	own	closed
 *
 * "Others" are other processes. An exec is the first one if the process has not counted before it.
 * Rights are lost if a task that may watch the new program could not watch the counted program.
 * They are gained if the new program may not be traced, or if a task that could watch the old
 * program may not watch the new program. A process enters a user namespace of its user's if the
 * counted program's user has created this namespace or one of its ancestors, and the new program
 * may be traced. The credentials then stay, and the program itself is just another reader. A thread
 * has "other rights" if some task may watch the counted program but may not watch the thread.
 *
 * A row with "new" also sets the credentials to the program's credentials. A join does not change
 * the credentials, so OPEN would show the thread to tasks that may not watch it. Therefore the
 * level becomes OWN. A join does not change @privileged either. This field decides whether counting
 * ends, but not which tasks see the counts if counting continues. Forked processes inherit
 * @privileged. A join cannot collect, so ALL always belongs to one start.
 *
 * Counts that the parent may not see are missing in CHILDREN, unless CHILDREN is CLOSED. Counts
 * that an unprivileged start may not add are missing in ALL. If counting has ended, the level stays
 * the level of the previous counts.
 *
 * This table shows the result of a read:
 *
 *	reader						open	own	closed	ended
 *	the program itself				shown	shown	EPERM	as others
 *	its user					shown	EPERM	EPERM	revoked
 *	another user					EPERM	EPERM	EPERM	EPERM
 *	with CAP_SYS_PTRACE				shown	EPERM	EPERM	revoked
 *	with CAP_PERFMON				shown	shown	shown	revoked
 *
 * A change of credentials needs no row. The counts stay visible to tasks that may watch a program
 * with the credentials of the last row that set them. The next exec compares these credentials with
 * the new ones. But a parent that has lost rights may see fewer counts of the children that it
 * waits for, and fewer counts in ALL. A process without its own counters, which only has counts of
 * children, does not notice its exec. @exec_id shows whether it still executes the same program. If
 * not, the next wait changes the level like the exec, except that the wait cannot end counting.
 * @exec_id is unique only within a process and its ancestors; @program distinguishes unrelated
 * processes.
 *
 * A program that has lost rights may not see all counts that ALL collects. It reads the counts of
 * its own process and of programs that it may still watch. The other counts are missing as revoked.
 * Therefore a session notes the credentials with which its sum was counted, see vpmc_access_note().
 *
 * The lock of a process or session protects its struct vpmc_access. The lock is held when the
 * functions below are called.
 */
#ifndef VPMC_ACCESS_H
#define VPMC_ACCESS_H

#include <linux/cred.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>

#include "kernel/compat.h"
#include "kernel/kernel.h"

enum vpmc_access_level {
	VPMC_ACCESS_OPEN = 0,
	VPMC_ACCESS_OWN,
	VPMC_ACCESS_CLOSED,
};

/**
 * struct vpmc_access - the readers to whom counts may be shown
 * @cred: the credentials with which the counts were counted, with a reference, or NULL if
 *	there are no counts yet
 * @program: the number of the program that was counted. Only processes that this program
 *	has forked have the same number. 0 until the number is first needed.
 * @exec_id: task_struct.self_exec_id of the process when it began the program
 * @level: enum vpmc_access_level
 * @privileged: whether the starter may watch any program, so that counting continues
 *	when a program gains rights
 * @since: the time of the start, in seconds of CLOCK_MONOTONIC; 0 if the count was
 *	inherited
 */
struct vpmc_access {
	const struct cred *cred;
	u64 program;
	u64 exec_id;
	u8 level;
	bool privileged;
	u32 since;
};

/*
 * Check whether current may count; with @kernel, also whether it may count kernel mode.
 * Like perf, this obeys perf_event_paranoid and the security modules. Returns 0, -EPERM,
 * or the error of a security module.
 */
int vpmc_access_may_count(bool kernel);

/*
 * Check whether current may use system mode. Returns 0, -EPERM, or the error of a
 * security module.
 */
int vpmc_access_may_use_system(void);

/*
 * Set @a for a start of @tsk by current, which may be the same task. @kernel says whether
 * kernel mode is also counted. @tsk cannot execute another program during this call. @was
 * is the access to the previous counts of the process, and may be @a.
 */
void vpmc_access_start(struct vpmc_access *a, const struct vpmc_access *was,
		       struct task_struct *tsk, bool kernel);

/*
 * Set @a for a start of current by a task with CAP_PERFMON. @kernel and @was are as for
 * vpmc_access_start().
 */
void vpmc_access_enter(struct vpmc_access *a, const struct vpmc_access *was,
		       bool kernel);

/*
 * Return whether the user of current may watch the program that current executes.
 * Kernel threads and exiting tasks do not execute a program. Any context.
 */
static inline bool vpmc_access_is_watchable(void)
{
	return vpmc_is_dumpable(current);
}

/* Set the date of the counts to now. */
static inline void vpmc_access_date(struct vpmc_access *a)
{
	a->since = (u32)ktime_get_seconds();
}

/*
 * Return whether vpmc_access_start() by current for itself would change only the date of
 * @a.
 */
bool vpmc_access_start_keeps(const struct vpmc_access *a);

/* Like vpmc_access_start() while other threads of @tsk's process go on counting. */
void vpmc_access_join(struct vpmc_access *a, struct task_struct *tsk,
		      bool kernel);

/* Return the vpmc_access.exec_id of the program that @tsk executes now. Any context. */
static inline u64 vpmc_access_exec_id(const struct task_struct *tsk)
{
	return READ_ONCE(tsk->self_exec_id);
}

/* Only vpmc_access_collect() uses this. */
void vpmc_access_follow(struct vpmc_access *a, struct task_struct *tsk);

/*
 * Update @a before counts of children are added to the counts of @tsk's process. The
 * process does not count, so it may have executed another program without notice.
 */
static __always_inline void vpmc_access_collect(struct vpmc_access *a,
						struct task_struct *tsk)
{
	if (unlikely(!a->cred || a->exec_id != vpmc_access_exec_id(tsk)))
		vpmc_access_follow(a, tsk);
}

/* Set @child for a process that current forks, and that inherits current's events. */
void vpmc_access_fork(struct vpmc_access *child, struct vpmc_access *parent,
		      bool kernel);

/**
 * vpmc_access_exec() - update the access after current has executed another program
 * @a: the access of its process
 * @raised: whether current has rights that its user lacks
 * @counted: whether there are counts already
 * @kernel: whether kernel mode is counted
 *
 * Return: true if counting may continue.
 */
bool vpmc_access_exec(struct vpmc_access *a, bool raised, bool counted,
		      bool kernel);

/* Only vpmc_access_add() uses this. */
bool vpmc_access_add_any(struct vpmc_access *a, const struct vpmc_access *more,
			 struct task_struct *tsk);

/**
 * vpmc_access_add() - decide whether counts may be added to other counts
 * @a: access of the other counts; restricted if necessary
 * @more: access of the counts that are added
 * @tsk: a thread of the process that adds them, or NULL if a session does
 *
 * Counts may be added if all tasks that may see counts with @a may see counts with @more.
 * @tsk must also be able to see counts with @more, because @tsk may have lost rights since @a was
 * set. Otherwise the counts may still be added if the process that adds them can see the counts
 * itself, or if the session was started with CAP_PERFMON. @a then becomes OWN, or CLOSED for a
 * session.
 *
 * Return: true if the counts may be added. If not, the caller hides the counts.
 */
static __always_inline bool vpmc_access_add(struct vpmc_access *a,
					    const struct vpmc_access *more,
					    struct task_struct *tsk)
{
	/* Usually a program waits for a program of the same user, with the same credentials. */
	if (likely(tsk == current && more->level == VPMC_ACCESS_OPEN &&
		   a->cred == more->cred && a->cred == current_cred()))
		return true;
	return vpmc_access_add_any(a, more, tsk);
}

/* Return whether vpmc_access_add() to the session of @a would return true. */
bool vpmc_access_may_add(const struct vpmc_access *a,
			 const struct vpmc_access *more);

/*
 * Update *@cred before counts with @more are added to the counts of a session with @a. A
 * task that may watch a program with the credentials *@cred may see all counts of the
 * session. *@cred belongs to the session, with a reference. It is NULL while the session
 * has no counts.
 */
void vpmc_access_note(const struct cred **cred, const struct vpmc_access *a,
		      const struct vpmc_access *more);

/*
 * Return whether current, which may see the session, may still see the counts that were
 * counted with @cred. If @cred is NULL, there are no such counts, and the result is true.
 */
bool vpmc_access_may_see_part(const struct cred *cred);

/* Return whether all tasks that may see counts with @a may also see counts with @more. */
bool vpmc_access_covers(const struct vpmc_access *a,
			const struct vpmc_access *more);

/* Return whether current may see counts with @a of another process or program. */
bool vpmc_access_may_see_others(const struct vpmc_access *a);

/*
 * Return whether current may see counts of its process with @a because it still executes
 * the program that was counted.
 */
static __always_inline bool vpmc_access_may_see_own(const struct vpmc_access *a)
{
	return likely(a->level != VPMC_ACCESS_CLOSED &&
		      a->exec_id == vpmc_access_exec_id(current));
}

/*
 * Return whether current may see counts with @a. @own says whether the counts belong to
 * current's process.
 */
static inline bool vpmc_access_may_see(const struct vpmc_access *a, bool own)
{
	if (own && vpmc_access_may_see_own(a))
		return true;
	return vpmc_access_may_see_others(a);
}

/* Copy @from to @a, except the date. */
void vpmc_access_copy(struct vpmc_access *a, const struct vpmc_access *from);

/* Drop the reference of @a. Any context. */
static inline void vpmc_access_free(struct vpmc_access *a)
{
	if (a->cred)
		put_cred(a->cred);
	a->cred = NULL;
}

#endif /* VPMC_ACCESS_H */
