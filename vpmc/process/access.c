// SPDX-License-Identifier: GPL-2.0-only
/* This file decides which task may see which counts. */
#include <linux/atomic.h>
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/moduleparam.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/security.h>
#include <linux/timekeeping.h>
#include <linux/user_namespace.h>

#include "process/access.h"
#include "kernel/compat.h"
#include "kernel/kernel.h"

static bool restricted;
module_param(restricted, bool, 0644);
MODULE_PARM_DESC(restricted,
		 "Only CAP_PERFMON may count, its own user mode included (default: no)");

int vpmc_access_may_count(bool kernel)
{
	if ((restricted || kernel) && !perfmon_capable())
		return -EPERM;
	return vpmc_may_count(kernel ? PERF_SECURITY_KERNEL :
				       PERF_SECURITY_OPEN);
}

int vpmc_access_may_use_system(void)
{
	return perfmon_capable() ? vpmc_may_count(PERF_SECURITY_CPU) : -EPERM;
}

/* Apply the rule of ptrace(2): all IDs of @watched must equal the real IDs of @watcher. */
static bool access_ids_match(const struct cred *watcher,
			     const struct cred *watched)
{
	return uid_eq(watcher->uid, watched->uid) &&
	       uid_eq(watcher->uid, watched->euid) &&
	       uid_eq(watcher->uid, watched->suid) &&
	       gid_eq(watcher->gid, watched->gid) &&
	       gid_eq(watcher->gid, watched->egid) &&
	       gid_eq(watcher->gid, watched->sgid);
}

static bool access_ids_equal(const struct cred *a, const struct cred *b)
{
	return uid_eq(a->uid, b->uid) && uid_eq(a->euid, b->euid) &&
	       uid_eq(a->suid, b->suid) && gid_eq(a->gid, b->gid) &&
	       gid_eq(a->egid, b->egid) && gid_eq(a->sgid, b->sgid);
}

static bool access_has_cap(const struct cred *cred, int cap)
{
	return cred->user_ns == &init_user_ns &&
	       cap_raised(cred->cap_effective, cap);
}

static bool access_is_perfmon(const struct cred *cred)
{
	return access_has_cap(cred, CAP_PERFMON) ||
	       access_has_cap(cred, CAP_SYS_ADMIN);
}

/*
 * Return whether @cred has all capabilities over @ns by the rule of cap_capable(). The user who
 * created a user namespace has all capabilities in it and in the namespaces below it, as long as
 * the user is in the parent namespace.
 */
static bool access_owns(const struct cred *cred,
			const struct user_namespace *ns)
{
	for (; ns->level > cred->user_ns->level; ns = ns->parent) {
		if (ns->parent == cred->user_ns &&
		    uid_eq(ns->owner, cred->euid))
			return true;
	}
	return false;
}

static noinline bool access_other_covers(const struct cred *watcher,
					 const struct cred *watched)
{
	if ((access_ids_match(watcher, watched) ||
	     access_ids_equal(watcher, watched)) &&
	    watcher->user_ns == watched->user_ns &&
	    cap_issubset(watched->cap_permitted, watcher->cap_permitted))
		return true;
	return access_is_perfmon(watcher) ||
	       access_has_cap(watcher, CAP_SYS_PTRACE) ||
	       access_owns(watcher, watched->user_ns);
}

/*
 * Return whether a program with the credentials @watcher may watch a program with the credentials
 * @watched.
 */
static bool access_cred_covers(const struct cred *watcher,
			       const struct cred *watched)
{
	return likely(watcher == watched) ||
	       access_other_covers(watcher, watched);
}

static bool access_may_watch(const struct cred *watched)
{
	return (access_ids_match(current_cred(), watched) &&
		access_cred_covers(current_cred(), watched)) ||
	       ns_capable(watched->user_ns, CAP_SYS_PTRACE);
}

/*
 * Return whether @a and @b are equivalent: the same tasks may watch a program with @a and a program
 * with @b, and the two programs may watch the same tasks. Usually one comparison of pointers is
 * enough, because equal credentials are often shared. But each exec creates new credentials.
 */
static __always_inline bool access_creds_alike(const struct cred *a,
					       const struct cred *b)
{
	return likely(a == b) ||
	       (access_ids_equal(a, b) && a->user_ns == b->user_ns &&
		!memcmp(&a->cap_permitted, &b->cap_permitted,
			sizeof(a->cap_permitted)));
}

static void access_set_cred(struct vpmc_access *a, const struct cred *cred)
{
	if (a->cred)
		put_cred(a->cred);
	a->cred = cred;
}

static void access_share_cred(struct vpmc_access *a, const struct cred *cred)
{
	if (!a->cred || !access_creds_alike(a->cred, cred))
		access_set_cred(a, get_cred(cred));
}

/* Return the level of a count that begins with current's present program. */
static enum vpmc_access_level access_level_of_current(void)
{
	return vpmc_access_is_watchable() ? VPMC_ACCESS_OPEN : VPMC_ACCESS_OWN;
}

/*
 * Return the level of a count that begins with the present program of @tsk. @tsk may have
 * no mm. For example, the kernel itself waits for programs that it has executed, and the
 * first process of a PID namespace waits when it exits.
 */
static enum vpmc_access_level access_level_of(struct task_struct *tsk)
{
	enum vpmc_access_level level = VPMC_ACCESS_OWN;

	task_lock(tsk);
	if (tsk->mm && vpmc_is_dumpable(tsk))
		level = VPMC_ACCESS_OPEN;
	task_unlock(tsk);
	return level;
}

static enum vpmc_access_level access_start_level(struct task_struct *tsk,
						 bool kernel)
{
	if (kernel && !same_thread_group(tsk, current))
		return VPMC_ACCESS_CLOSED;
	return tsk == current ? access_level_of_current() :
				access_level_of(tsk);
}

static u64 access_new_program(void)
{
	static atomic64_t last = ATOMIC64_INIT(0);

	return atomic64_inc_return(&last);
}

/*
 * Set the program of @a to the program of @was if @exec_id is the same, or else to a new
 * number.
 */
static void access_set_program(struct vpmc_access *a,
			       const struct vpmc_access *was, u64 exec_id)
{
	a->program = was->program && was->exec_id == exec_id ?
		     was->program : access_new_program();
	a->exec_id = exec_id;
}

/* Restrict @a to the program that @tsk executes now. */
static void access_make_own(struct vpmc_access *a, struct task_struct *tsk)
{
	access_set_program(a, a, vpmc_access_exec_id(tsk));
	access_set_cred(a, get_task_cred(tsk));
	a->level = VPMC_ACCESS_OWN;
}

static __always_inline void access_begin(struct vpmc_access *a,
					 const struct vpmc_access *was,
					 struct task_struct *tsk)
{
	access_set_program(a, was, vpmc_access_exec_id(tsk));
	access_set_cred(a, tsk == current ? get_current_cred() :
					    get_task_cred(tsk));
}

void vpmc_access_start(struct vpmc_access *a, const struct vpmc_access *was,
		       struct task_struct *tsk, bool kernel)
{
	access_begin(a, was, tsk);
	a->level = access_start_level(tsk, kernel);
	a->privileged = access_is_perfmon(current_cred());
	vpmc_access_date(a);
}

void vpmc_access_enter(struct vpmc_access *a, const struct vpmc_access *was,
		       bool kernel)
{
	access_begin(a, was, current);
	a->level = kernel ? VPMC_ACCESS_CLOSED : access_level_of_current();
	a->privileged = true;
	vpmc_access_date(a);
}

bool vpmc_access_start_keeps(const struct vpmc_access *a)
{
	return a->level == VPMC_ACCESS_OPEN && a->program &&
	       a->exec_id == vpmc_access_exec_id(current) &&
	       a->cred == current_cred() && vpmc_access_is_watchable() &&
	       a->privileged == access_is_perfmon(current_cred());
}

/*
 * Return whether all tasks that may watch a program with the credentials of @a may
 * watch @tsk.
 */
static bool access_task_is_covered(const struct vpmc_access *a,
				   struct task_struct *tsk)
{
	const struct cred *cred = get_task_cred(tsk);
	bool covered = access_cred_covers(a->cred, cred);

	put_cred(cred);
	return covered;
}

void vpmc_access_join(struct vpmc_access *a, struct task_struct *tsk,
		      bool kernel)
{
	a->level = max_t(u8, a->level, access_start_level(tsk, kernel));
	if (a->level == VPMC_ACCESS_OPEN && !access_task_is_covered(a, tsk))
		a->level = VPMC_ACCESS_OWN;
}

/*
 * Return whether counts become or stay CLOSED. Kernel-mode counts stay CLOSED, and become
 * CLOSED if current could not start them.
 */
static bool access_is_closed(const struct vpmc_access *a, bool kernel)
{
	return kernel && (a->level == VPMC_ACCESS_CLOSED ||
			  !access_is_perfmon(current_cred()));
}

void vpmc_access_fork(struct vpmc_access *child, struct vpmc_access *parent,
		      bool kernel)
{
	const struct cred *now = current_cred();
	u64 exec_id = vpmc_access_exec_id(current);

	child->cred = get_cred(access_creds_alike(parent->cred, now) ?
			       parent->cred : now);
	if (!parent->program && parent->exec_id == exec_id)
		parent->program = access_new_program();
	access_set_program(child, parent, exec_id);
	child->level = access_is_closed(parent, kernel) ?
		       VPMC_ACCESS_CLOSED : access_level_of_current();
	child->privileged = parent->privileged;
}

/*
 * Set @a to the new program of current. Its number is assigned when it is first needed,
 * because most programs do not fork.
 */
static void access_begin_program(struct vpmc_access *a, bool raised,
				 bool kernel)
{
	a->program = 0;
	a->exec_id = vpmc_access_exec_id(current);
	if (access_is_closed(a, kernel))
		a->level = VPMC_ACCESS_CLOSED;
	else
		a->level = raised ? VPMC_ACCESS_OWN : VPMC_ACCESS_OPEN;
}

/*
 * Close the counts because the new program has fewer rights than the counted program, or must not
 * see the counts. If the new program is in a user namespace of the counted program's user, the
 * counts stay OPEN for tasks that could watch the counted program. The new program sees the counts
 * only if it is one of these tasks.
 */
static noinline void access_lose(struct vpmc_access *a, const struct cred *now,
				 bool raised, bool kernel)
{
	if (a->level != VPMC_ACCESS_OPEN || raised || kernel ||
	    !access_owns(a->cred, now->user_ns))
		a->level = VPMC_ACCESS_CLOSED;
}

bool vpmc_access_exec(struct vpmc_access *a, bool raised, bool counted,
		      bool kernel)
{
	const struct cred *now = current_cred();
	bool same = access_creds_alike(a->cred, now);
	bool gained = raised || !(same || access_cred_covers(a->cred, now));

	if (gained && !a->privileged)
		return false;
	if (counted && (a->level != VPMC_ACCESS_OPEN ||
			!(same || access_cred_covers(now, a->cred)))) {
		access_lose(a, now, raised, kernel);
		return true;
	}
	if (!same)
		access_set_cred(a, get_cred(now));
	access_begin_program(a, raised, kernel);
	return true;
}

/* Update @a because @tsk has executed other programs since @a was set. */
static void access_catch_up(struct vpmc_access *a, struct task_struct *tsk)
{
	const struct cred *now = get_task_cred(tsk);

	if (a->level == VPMC_ACCESS_OPEN && access_cred_covers(now, a->cred)) {
		access_set_program(a, a, vpmc_access_exec_id(tsk));
		access_share_cred(a, now);
		a->level = access_level_of(tsk);
	} else {
		access_lose(a, now, access_level_of(tsk) != VPMC_ACCESS_OPEN,
			    false);
	}
	put_cred(now);
}

void vpmc_access_follow(struct vpmc_access *a, struct task_struct *tsk)
{
	if (a->cred) {
		access_catch_up(a, tsk);
		return;
	}
	access_begin(a, a, tsk);
	a->level = access_level_of(tsk);
	a->privileged = false;
}

static __always_inline bool access_covers(const struct vpmc_access *a,
					  const struct vpmc_access *more)
{
	if (a->level == VPMC_ACCESS_CLOSED)
		return true;
	if (!a->cred || !more->cred || more->level == VPMC_ACCESS_CLOSED)
		return false;
	if (more->level == VPMC_ACCESS_OPEN)
		return access_cred_covers(a->cred, more->cred);
	return a->level == VPMC_ACCESS_OWN && a->program &&
	       a->program == more->program &&
	       access_cred_covers(a->cred, more->cred);
}

bool vpmc_access_covers(const struct vpmc_access *a,
			const struct vpmc_access *more)
{
	return access_covers(a, more);
}

bool vpmc_access_may_see_others(const struct vpmc_access *a)
{
	if (a->level == VPMC_ACCESS_OPEN &&
	    (!a->cred || access_may_watch(a->cred)))
		return true;
	return perfmon_capable();
}

/* Return whether @tsk, which may be any task, may see counts with @a. */
static bool access_task_may_see(struct task_struct *tsk,
				const struct vpmc_access *a)
{
	const struct cred *cred;
	bool may;

	if (tsk == current)
		return vpmc_access_may_see_others(a);
	cred = get_task_cred(tsk);
	may = access_is_perfmon(cred) ||
	      (a->level == VPMC_ACCESS_OPEN && a->cred &&
	       access_cred_covers(cred, a->cred));
	put_cred(cred);
	return may;
}

/* Return whether @tsk still has the rights to watch @more. Return true if @tsk is NULL. */
static bool access_task_covers(struct task_struct *tsk,
			       const struct vpmc_access *a,
			       const struct vpmc_access *more)
{
	const struct cred *cred;
	bool covers;

	if (!tsk || a->level == VPMC_ACCESS_CLOSED)
		return true;
	/* The caller of wait(2) is current, and needs no reference to its own credentials. */
	if (likely(tsk == current && current_cred() == a->cred))
		return true;
	cred = get_task_cred(tsk);
	covers = likely(cred == a->cred) || access_cred_covers(cred, more->cred);
	put_cred(cred);
	return covers;
}

bool vpmc_access_add_any(struct vpmc_access *a, const struct vpmc_access *more,
			 struct task_struct *tsk)
{
	if (access_covers(a, more) && access_task_covers(tsk, a, more))
		return true;
	if (!(tsk ? access_task_may_see(tsk, more) : a->privileged))
		return false;
	if (!tsk)
		a->level = VPMC_ACCESS_CLOSED;
	else if (a->level != VPMC_ACCESS_CLOSED)
		access_make_own(a, tsk);
	return true;
}

bool vpmc_access_may_add(const struct vpmc_access *a,
			 const struct vpmc_access *more)
{
	return access_covers(a, more) || a->privileged;
}

void vpmc_access_note(const struct cred **cred, const struct vpmc_access *a,
		      const struct vpmc_access *more)
{
	const struct cred *now = *cred ? a->cred : more->cred;

	if (likely(*cred == more->cred) ||
	    (*cred && access_cred_covers(*cred, more->cred)))
		return;
	if (*cred)
		put_cred(*cred);
	*cred = get_cred(now);
}

bool vpmc_access_may_see_part(const struct cred *cred)
{
	return !cred || access_cred_covers(current_cred(), cred) ||
	       ns_capable(cred->user_ns, CAP_SYS_PTRACE);
}

void vpmc_access_copy(struct vpmc_access *a, const struct vpmc_access *from)
{
	const struct cred *cred = from->cred ? get_cred(from->cred) : NULL;

	access_set_cred(a, cred);
	a->program = from->program;
	a->exec_id = from->exec_id;
	a->level = from->level;
	a->privileged = from->privileged;
}
