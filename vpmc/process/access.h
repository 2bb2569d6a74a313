/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares which task may see which counts. All decisions are made here.
 *
 * The rule: what a program did with rights that its user lacks is shown to
 * nobody who could not have watched it then, whoever started the count, and
 * through whatever scope. Each process with counts has one level:
 *
 *	OPEN	of a program that may be traced: for the process itself, and for
 *		whoever may watch a program with these credentials
 *	OWN	of a program with more rights than its user: for that program,
 *		as long as the process executes no other
 *	CLOSED	of a program that is no more, or of kernel mode, begun by
 *		somebody else: for nobody else
 *
 * Whoever has CAP_PERFMON when reading may see everything. A start is
 * privileged if its caller has CAP_PERFMON then. CAP_SYS_ADMIN does as well.
 *
 * The moments, and what becomes of the level. vpmc(7), the tests' model
 * (rights.py) and "matrix" (access.inc) have the same table; tests/lint/access
 * compares them. Of the rows that fit, the last one holds. "anew" is OPEN if the
 * program that is executed now may be traced, else OWN:
 *
 *	moment						open	own	closed
 *	start						anew	anew	anew
 *	start of kernel mode by others			closed	closed	closed
 *	join						anew	own	closed
 *	join of one with other rights			own	own	closed
 *	join of kernel mode by others			closed	closed	closed
 *	fork or first exec				anew	anew	anew
 *	fork or first exec, kernel			anew	anew	closed
 *	fork or first exec, kernel, no CAP_PERFMON	closed	closed	closed
 *	exec						anew	closed	closed
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
 * Others are other processes. An exec is the first one if nothing has been
 * counted before it. Rights are lost if somebody who may watch the new program
 * could not watch what was counted. They are gained if the new program may not be
 * traced, or somebody who could watch the old one may not watch it. A process enters a
 * user namespace of its user's if the user of what was counted has made it, or one
 * around it, and the new program may be traced: then the credentials stay, and the
 * program itself is another reader. A thread
 * has other rights if somebody who may watch what was counted may not watch it.
 *
 * The credentials become those of the program wherever the level does. A join
 * leaves them, so that OPEN would show the thread to those who may not
 * watch it; therefore it becomes OWN then. A join leaves @privileged, too: that
 * decides whether counting ends, never who sees it if it goes on. Forked processes
 * inherit @privileged. A join cannot collect: ALL is always of one start.
 *
 * What the parent may not see is missing in CHILDREN, unless that is CLOSED, and
 * what an unprivileged start may not add is missing in ALL. Where counting has
 * ended, the level remains that of what was counted before.
 *
 * Who reads what:
 *
 *	reader						open	own	closed	ended
 *	the program itself				shown	shown	EPERM	as others
 *	its user					shown	EPERM	EPERM	revoked
 *	another user					EPERM	EPERM	EPERM	EPERM
 *	with CAP_SYS_PTRACE				shown	EPERM	EPERM	revoked
 *	with CAP_PERFMON				shown	shown	shown	revoked
 *
 * A change of credentials needs no row: counts stay for those who may watch a
 * program with the credentials of the last row that set them, and the next exec
 * compares these with the new ones. But a parent that has lost rights may see less of
 * what it waits for, and of what ALL collects. Processes without counters of their
 * own, which only collect those of children, are not told of their exec: the number of
 * the exec (see @exec_id) tells whether they still execute the program that collected.
 * If not, the next wait does what the exec would have done, where nothing can end.
 * That is a number within one line of processes, which others have too; between
 * processes @program tells.
 *
 * Nor may a program that has lost rights see all that ALL collects: it reads its own
 * process and what it may still watch, and the rest is missing as revoked. Therefore a
 * session notes with which credentials its sum was counted, see vpmc_access_note().
 *
 * The lock of a process or session protects its struct vpmc_access: the
 * functions below are called with it held.
 */
#ifndef VPMC_ACCESS_H
#define VPMC_ACCESS_H

#include <linux/cred.h>
#include <linux/sched.h>
#include <linux/sched/coredump.h>
#include <linux/timekeeping.h>

enum vpmc_access_level {
	VPMC_ACCESS_OPEN = 0,
	VPMC_ACCESS_OWN,
	VPMC_ACCESS_CLOSED,
};

/**
 * struct vpmc_access - to whom counts may be shown
 * @cred: the credentials with which they were counted; a reference, or NULL if
 *	there are none yet
 * @program: which program was counted: the same number in processes that it has
 *	forked, and nowhere else; 0 as long as there is nobody to share it with
 * @exec_id: which one of its process: task_struct.self_exec_id
 * @level: enum vpmc_access_level
 * @privileged: the starter may watch any program, so counting goes on when a
 *	program gains rights
 * @since: when it was started, in seconds of CLOCK_MONOTONIC; 0 if it was inherited
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
 * May current count; if @kernel, also kernel mode? Obeys perf_event_paranoid
 * and the security modules, as perf does. Returns 0, -EPERM, or what a security
 * module returns.
 */
int vpmc_access_may_count(bool kernel);

/* May current use system mode? Returns as above. */
int vpmc_access_may_use_system(void);

/*
 * Current starts to count @tsk, itself or another task; if @kernel, also in
 * kernel mode. @tsk cannot execute another program meanwhile. @was: the access to
 * what its process had counted before; may be @a.
 */
void vpmc_access_start(struct vpmc_access *a, const struct vpmc_access *was,
		       struct task_struct *tsk, bool kernel);

/*
 * May its user watch the program that current executes? Tasks of the kernel's have
 * none, nor has a task that exits. Any context.
 */
static inline bool vpmc_access_is_watchable(void)
{
	return get_dumpable(current->mm) == SUID_DUMP_USER;
}

/* The counts begin now. */
static inline void vpmc_access_date(struct vpmc_access *a)
{
	a->since = (u32)ktime_get_seconds();
}

/* Would it make of @a the same again, but for its date, if current starts itself? */
bool vpmc_access_start_keeps(const struct vpmc_access *a);

/* vpmc_access_start() while other threads of @tsk's process go on counting. */
void vpmc_access_join(struct vpmc_access *a, struct task_struct *tsk,
		      bool kernel);

/* What vpmc_access.exec_id is for what @tsk executes now. Any context. */
static inline u64 vpmc_access_exec_id(const struct task_struct *tsk)
{
	return READ_ONCE(tsk->self_exec_id);
}

/* Only for vpmc_access_collect(). */
void vpmc_access_follow(struct vpmc_access *a, struct task_struct *tsk);

/*
 * Before counts of children are added to those of @tsk's process, which does not
 * count, and so may have executed another program unnoticed: that is made up for.
 */
static __always_inline void vpmc_access_collect(struct vpmc_access *a,
						struct task_struct *tsk)
{
	if (unlikely(!a->cred || a->exec_id != vpmc_access_exec_id(tsk)))
		vpmc_access_follow(a, tsk);
}

/* Current forks a process that inherits what it counts. */
void vpmc_access_fork(struct vpmc_access *child, struct vpmc_access *parent,
		      bool kernel);

/**
 * vpmc_access_exec() - current has executed another program
 * @a: of its process
 * @raised: current has rights that its user lacks
 * @counted: there is a count already
 * @kernel: kernel mode is counted
 *
 * Return: whether counting may go on.
 */
bool vpmc_access_exec(struct vpmc_access *a, bool raised, bool counted,
		      bool kernel);

/* Only for vpmc_access_add(). */
bool vpmc_access_add_any(struct vpmc_access *a, const struct vpmc_access *more,
			 struct task_struct *tsk);

/**
 * vpmc_access_add() - counts are about to be added to others
 * @a: of those that they are added to; becomes stricter if need be
 * @more: of those that are added
 * @tsk: a thread of the process that adds them, or NULL if a session does
 *
 * They may be added if everybody who may see @a may see them, @tsk too, which can have
 * lost rights since @a. If not, the process or session that adds them must be able to
 * see them itself, a session with CAP_PERFMON when it was started; then @a becomes OWN,
 * or of a session CLOSED.
 *
 * Return: whether they may be added. If not, the caller hides them.
 */
static __always_inline bool vpmc_access_add(struct vpmc_access *a,
					    const struct vpmc_access *more,
					    struct task_struct *tsk)
{
	/* Mostly a program waits for one of its user, which counts like itself. */
	if (likely(tsk == current && more->level == VPMC_ACCESS_OPEN &&
		   a->cred == more->cred && a->cred == current_cred()))
		return true;
	return vpmc_access_add_any(a, more, tsk);
}

/* Would vpmc_access_add() say yes to the session of @a? */
bool vpmc_access_may_add(const struct vpmc_access *a,
			 const struct vpmc_access *more);

/*
 * Counts of @more are about to be added to those of a session, @a. Whoever may watch a
 * program with the credentials *@cred may see them all; it is the session's, NULL as
 * long as there are none, and holds a reference.
 */
void vpmc_access_note(const struct cred **cred, const struct vpmc_access *a,
		      const struct vpmc_access *more);

/*
 * May current, which may see what a session collects, still see the part that was counted
 * with @cred? NULL is of nobody.
 */
bool vpmc_access_may_see_part(const struct cred *cred);

/* May everybody who may see the counts of @a also see those of @more? */
bool vpmc_access_covers(const struct vpmc_access *a,
			const struct vpmc_access *more);

/* May current see counts like those of @a, of another process or program? */
bool vpmc_access_may_see_others(const struct vpmc_access *a);

/* Are counts with @a, of current's own process, open to it without more questions? */
static __always_inline bool vpmc_access_may_see_own(const struct vpmc_access *a)
{
	return likely(a->level != VPMC_ACCESS_CLOSED &&
		      a->exec_id == vpmc_access_exec_id(current));
}

/* May current see counts like those of @a? @own: of its own process. */
static inline bool vpmc_access_may_see(const struct vpmc_access *a, bool own)
{
	if (own && vpmc_access_may_see_own(a))
		return true;
	return vpmc_access_may_see_others(a);
}

/* Copy @from to @a. */
void vpmc_access_copy(struct vpmc_access *a, const struct vpmc_access *from);

/* Any context. */
static inline void vpmc_access_free(struct vpmc_access *a)
{
	if (a->cred)
		put_cred(a->cred);
	a->cred = NULL;
}

#endif /* VPMC_ACCESS_H */
