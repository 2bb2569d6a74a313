// SPDX-License-Identifier: GPL-2.0-only
/* Taking the counters from all who have them, and who these are. See release.h. */
#include <linux/cred.h>
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/math64.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/sysfs.h>
#include <linux/timekeeping.h>
#include <linux/user_namespace.h>

#include "cpu.h"
#include "kernel.h"
#include "mapping.h"
#include "process.h"
#include "rdpmc.h"
#include "release.h"
#include "reserve.h"
#include "review.h"
#include "system.h"

/* A process that is being forked, or a start that is under way, is found a little later. */
#define RELEASE_TRIES	10
#define RELEASE_PAUSE	10 /* milliseconds */

/* How many processes with pages are looked at in one pass. */
#define RELEASE_PAGES	16

/* And how many passes there are at most. */
#define RELEASE_PASSES	1024

/* The longest line of the list. */
#define RELEASE_LINE	128

/*
 * Of a process that may execute RDPMC: a reference to its memory, or NULL. A worker of
 * io_uring or vhost keeps that of threads that have exited.
 */
static struct mm_struct *release_get_mm(struct task_struct *leader)
{
	struct task_struct *tsk;
	struct mm_struct *mm;
	bool allowed;

	vpmc_for_each_thread(leader, tsk) {
		if (tsk->flags & PF_KTHREAD)
			return NULL;
		task_lock(tsk);
		mm = tsk->mm;
		allowed = vpmc_rdpmc_is_allowed(mm);
		if (allowed)
			mmget(mm);
		task_unlock(tsk);
		if (mm)
			return allowed ? mm : NULL;
	}
	return NULL;
}

/* Returns whether there may be more. */
static bool release_some_pages(void)
{
	struct mm_struct *found[RELEASE_PAGES];
	unsigned int nr = 0, i;
	struct task_struct *tsk;
	bool any = false;

	rcu_read_lock();
	for_each_process(tsk) {
		found[nr] = release_get_mm(tsk);
		if (found[nr] && ++nr == RELEASE_PAGES)
			break;
	}
	rcu_read_unlock();
	for (i = 0; i < nr; i++) {
		any |= vpmc_mapping_take(found[i]);
		mmput(found[i]);
	}
	return any && nr == RELEASE_PAGES;
}

/* Others can map pages as fast as these are taken, so there is a bound. */
static void release_all_pages(void)
{
	unsigned int passes = 0;

	while (release_some_pages() && ++passes < RELEASE_PASSES &&
	       !fatal_signal_pending(current))
		cond_resched();
}

int vpmc_release_counters(void)
{
	unsigned int tries;

	vpmc_system_revoke();
	for (tries = 0; tries < RELEASE_TRIES; tries++) {
		vpmc_review_now();
		release_all_pages();
		if (fatal_signal_pending(current))
			return -EINTR;
		if (vpmc_reserve_return())
			return 0;
		msleep(RELEASE_PAUSE);
	}
	return -EBUSY;
}

/**
 * struct release_holder - what a line says
 * @state: what it does, or NULL if it does not have the counters
 * @since: when that was started, in seconds of CLOCK_MONOTONIC; 0 if it was inherited
 */
struct release_holder {
	const char *state;
	u64 since;
};

static const char *release_state(const struct vpmc_process *p)
{
	const struct vpmc_thread *t;

	lockdep_assert_held(&p->lock);
	if (!p->reserved)
		return vpmc_review_has_page(p) ? "page" : NULL;
	list_for_each_entry(t, &p->threads, node) {
		if (t->state == VPMC_STATE_RUNNING)
			return "running";
	}
	return p->nr_busy ? "armed" : "stopped";
}

static void release_note(const struct vpmc_process *p,
			 struct release_holder *holder)
{
	holder->state = release_state(p);
	holder->since = p->access.since;
}

static bool release_look(struct task_struct *tsk, struct release_holder *holder)
{
	struct vpmc_process *p = vpmc_process_try_get(tsk->signal);

	if (!p)
		return false;
	if (vpmc_process_trylock(p)) {
		__acquire(&p->session->lock);
		__acquire(&p->lock);
		vpmc_process_enforce_epoch(p);
		release_note(p, holder);
		vpmc_process_unlock(p);
	} else {
		/* The call that occupies it looks at the epoch by itself. */
		spin_lock(&p->lock);
		release_note(p, holder);
		spin_unlock(&p->lock);
	}
	vpmc_process_put(p);
	return holder->state;
}

static int release_print(char *buf, int at, struct task_struct *tsk, pid_t pid,
			 const struct release_holder *holder)
{
	u64 now = div_u64(ktime_get_ns(), NSEC_PER_SEC);
	u64 began = max(holder->since,
			div_u64(tsk->start_time, NSEC_PER_SEC));
	char comm[TASK_COMM_LEN];

	get_task_comm(comm, tsk);
	return sysfs_emit_at(buf, at, "%d %u %s %llu %*pE\n", pid,
			     from_kuid_munged(current_user_ns(), task_uid(tsk)),
			     holder->state,
			     now - began,
			     (int)strlen(comm), comm);
}

ssize_t vpmc_release_holders(char *buf)
{
	struct pid_namespace *ns = task_active_pid_ns(current);
	struct release_holder holder;
	struct task_struct *tsk;
	unsigned int more = 0;
	int at = 0;
	pid_t pid;

	if (vpmc_epoch_is_system(READ_ONCE(vpmc_epoch)))
		at = sysfs_emit(buf, "0 0 system 0 -\n");
	rcu_read_lock();
	for_each_process(tsk) {
		if (!release_look(tsk, &holder))
			continue;
		pid = task_tgid_nr_ns(tsk, ns);
		if (pid && at < PAGE_SIZE - 2 * RELEASE_LINE)
			at += release_print(buf, at, tsk, pid, &holder);
		else
			more++;
	}
	rcu_read_unlock();
	if (more)
		at += sysfs_emit_at(buf, at, "0 0 more %u -\n", more);
	return at;
}
