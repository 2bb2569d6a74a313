// SPDX-License-Identifier: GPL-2.0-only
/* Taking the counters from all who have them, and who these are. See release.h. */
#include <linux/cred.h>
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/math64.h>
#include <linux/mmap_lock.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/sysfs.h>
#include <linux/timekeeping.h>
#include <linux/user_namespace.h>

#include "cpu/cpu.h"
#include "kernel/kernel.h"
#include "thread/mapping.h"
#include "process/process.h"
#include "cpu/rdpmc.h"
#include "system/release.h"
#include "cpu/reserve.h"
#include "calls/review.h"
#include "system/system.h"

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
 * May a process execute RDPMC, because its memory has a page? @found, unless it is NULL,
 * receives a reference to that memory then. A worker of io_uring or vhost keeps the memory
 * of threads that have exited.
 */
static bool release_has_page(struct task_struct *leader,
			     struct mm_struct **found)
{
	struct task_struct *tsk;
	struct mm_struct *mm;
	bool allowed;

	vpmc_for_each_thread(leader, tsk) {
		if (tsk->flags & PF_KTHREAD)
			return false;
		task_lock(tsk);
		mm = tsk->mm;
		allowed = vpmc_rdpmc_is_allowed(mm);
		if (allowed && found) {
			mmget(mm);
			*found = mm;
		}
		task_unlock(tsk);
		if (mm)
			return allowed;
	}
	return false;
}

/*
 * Take the pages of some processes. Memory whose lock somebody has is left out: @busy, unless
 * it has one, receives a reference to it. Returns whether there may be more.
 */
static bool release_some_pages(struct mm_struct **busy)
{
	struct mm_struct *found[RELEASE_PAGES];
	unsigned int nr = 0, i;
	struct task_struct *tsk;
	bool any = false;

	rcu_read_lock();
	for_each_process(tsk) {
		if (release_has_page(tsk, &found[nr]) && ++nr == RELEASE_PAGES)
			break;
	}
	rcu_read_unlock();
	for (i = 0; i < nr; i++) {
		if (mmap_read_trylock(found[i])) {
			any |= vpmc_mapping_take(found[i]);
			mmap_read_unlock(found[i]);
		} else if (!*busy) {
			*busy = found[i];
			continue;
		}
		mmput(found[i]);
	}
	return any && nr == RELEASE_PAGES;
}

/* Mappings that are under way can be finished meanwhile, so there is a bound. */
static void release_all_pages(struct mm_struct **busy)
{
	unsigned int passes = 0;

	while (release_some_pages(busy) && ++passes < RELEASE_PASSES &&
	       !fatal_signal_pending(current))
		cond_resched();
}

/* Whoever has the counters loses them, and is looked at until they are free. */
static int release_all(struct mm_struct **busy)
{
	unsigned int tries;

	for (tries = 0; tries < RELEASE_TRIES; tries++) {
		vpmc_review_now();
		release_all_pages(busy);
		if (fatal_signal_pending(current))
			return -EINTR;
		if (vpmc_reserve_return())
			return 0;
		if (*busy)
			break;
		msleep(RELEASE_PAUSE);
	}
	return -EBUSY;
}

/* A process that starts, or maps a page, again and again must not keep them. */
static int release_try(struct mm_struct **busy)
{
	int err;

	vpmc_reserve_close();
	vpmc_system_hold();
	err = release_all(busy);
	vpmc_system_unhold();
	vpmc_reserve_open();
	return err;
}

/* Others can count while this waits for the lock of a process's memory, which may take long. */
static int release_await(struct mm_struct *mm)
{
	int err = mmap_read_lock_killable(mm);

	if (!err) {
		vpmc_mapping_take(mm);
		mmap_read_unlock(mm);
	}
	mmput(mm);
	return err;
}

int vpmc_release_counters(void)
{
	unsigned int tries = 0;
	struct mm_struct *busy;
	int err;

	do {
		busy = NULL;
		err = release_try(&busy);
		if (!busy)
			return err;
		if (!err)
			mmput(busy);
		else
			err = release_await(busy) ?: -EBUSY;
	} while (err == -EBUSY && ++tries < RELEASE_TRIES);
	return err;
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
		return NULL;
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

/* What the process of @tsk has by its counters, which it may not have. */
static void release_look_at(struct task_struct *tsk,
			    struct release_holder *holder)
{
	struct vpmc_process *p = vpmc_process_try_get(tsk->signal);

	if (!p)
		return;
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
}

/* A page stays mapped when its thread is gone, and for others with the same memory. */
static bool release_look(struct task_struct *tsk, struct release_holder *holder)
{
	*holder = (struct release_holder){};
	release_look_at(tsk, holder);
	if (!holder->state && release_has_page(tsk, NULL))
		holder->state = "page";
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

	if (vpmc_system_is_active())
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
