// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file takes the counters from all processes that have them, and lists these
 * processes.
 */
#include <linux/cred.h>
#include <linux/errno.h>
#include <linux/math64.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/sched/user.h>
#include <linux/sysfs.h>
#include <linux/timekeeping.h>
#include <linux/user_namespace.h>

#include "cpu/cpu.h"
#include "kernel/kernel.h"
#include "thread/mapping.h"
#include "thread/page.h"
#include "process/process.h"
#include "cpu/rdpmc.h"
#include "system/release.h"
#include "cpu/reserve.h"
#include "calls/review.h"
#include "system/system.h"

/* This is the longest line of the list. */
#define RELEASE_LINE	128

/*
 * Release the counters while starts and new mappings fail. A call that has already begun, such as a
 * fork or a start, does not keep the counters, however long it takes. Its epoch is over, so the
 * threads that it starts do not count.
 */
int vpmc_release_counters(void)
{
	int err;

	vpmc_reserve_close();
	vpmc_system_hold();
	vpmc_review_now();
	vpmc_mapping_take_all();
	err = vpmc_reserve_take_back();
	vpmc_system_unhold();
	vpmc_reserve_open();
	return err;
}

/*
 * Return the mm of the process of @leader, only for comparison, or NULL. All threads
 * are tried, because a worker of io_uring or vhost keeps the mm of threads that have
 * exited.
 */
static const struct mm_struct *release_mm(struct task_struct *leader)
{
	const struct mm_struct *mm;
	struct task_struct *tsk;

	vpmc_for_each_thread(leader, tsk) {
		if (tsk->flags & PF_KTHREAD)
			return NULL;
		mm = READ_ONCE(tsk->mm);
		if (mm)
			return mm;
	}
	return NULL;
}

/* Return whether a process may execute RDPMC because a page is mapped in its mm. */
static bool release_has_page(struct task_struct *leader)
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
		task_unlock(tsk);
		if (mm)
			return allowed;
	}
	return false;
}

/**
 * struct release_holder - the contents of a line of the list
 * @state: the state of the process, or NULL if it does not have the counters
 * @since: the time of its start, in seconds of CLOCK_MONOTONIC; 0 if it was inherited
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

/*
 * Return whether a thread of @p has a page that has the counters. If a process exits or executes a
 * program, its page stays mapped until its mm is freed. No task uses this mm any more.
 */
static bool release_maps(const struct vpmc_process *p)
{
	const struct vpmc_user_page *u;
	const struct vpmc_thread *t;

	lockdep_assert_held(&p->lock);
	list_for_each_entry(t, &p->threads, node) {
		u = READ_ONCE(t->page);
		if (u && READ_ONCE(u->permitted))
			return true;
	}
	return false;
}

static void release_note(const struct vpmc_process *p,
			 struct release_holder *holder)
{
	holder->state = release_state(p);
	if (!holder->state && release_maps(p))
		holder->state = "page";
	holder->since = p->access.since;
}

/* Fill in @holder from the counters of @tsk's process, if it has counters. */
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
		/* The call that occupies the process enforces the epoch itself. */
		spin_lock(&p->lock);
		release_note(p, holder);
		spin_unlock(&p->lock);
	}
	vpmc_process_put(p);
}

/*
 * Fill in @holder. A page stays mapped after its thread has exited. It is also mapped in other
 * processes that use the same mm. Returns whether the process has the counters.
 */
static bool release_look(struct task_struct *tsk, struct release_holder *holder)
{
	*holder = (struct release_holder){};
	release_look_at(tsk, holder);
	if (!holder->state && release_has_page(tsk))
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

/**
 * struct release_list - the state of writing the file "holders"
 * @buf: the output, a page
 * @at: length of the text so far
 * @more: number of lines that do not fit, or that belong to other PID namespaces
 */
struct release_list {
	char *buf;
	int at;
	unsigned int more;
};

static bool release_has_room(struct release_list *list)
{
	if (list->at < PAGE_SIZE - 2 * RELEASE_LINE)
		return true;
	list->more++;
	return false;
}

static void release_list_process(struct release_list *list, struct task_struct *tsk)
{
	pid_t pid = task_tgid_nr_ns(tsk, task_active_pid_ns(current));
	struct release_holder holder;

	if (!release_look(tsk, &holder))
		return;
	if (!pid)
		list->more++;
	else if (release_has_room(list))
		list->at += release_print(list->buf, list->at, tsk, pid, &holder);
}

static bool release_any_has(const struct mm_struct *mm)
{
	struct task_struct *tsk;
	bool found = false;

	rcu_read_lock();
	for_each_process(tsk) {
		found = release_mm(tsk) == mm;
		if (found)
			break;
	}
	rcu_read_unlock();
	return found;
}

/*
 * List a page whose thread has exited. If the process has exited, too, the id of the process is
 * unknown. The page then stays mapped while another task reads the process's memory. A page that
 * has a thread is listed with the thread's process.
 */
static void release_list_page(struct vpmc_user_page *u, struct mm_struct *mm, void *arg)
{
	const struct user_struct *user = vpmc_page_user(u);
	struct release_list *list = arg;

	if (!user || release_any_has(mm) || !release_has_room(list))
		return;
	list->at += sysfs_emit_at(list->buf, list->at, "0 %u page 0 -\n",
				  from_kuid_munged(current_user_ns(), user->uid));
}

ssize_t vpmc_release_holders(char *buf)
{
	struct release_list list = { .buf = buf };
	struct task_struct *tsk;

	if (vpmc_system_is_active())
		list.at = sysfs_emit(buf, "0 0 system 0 -\n");
	rcu_read_lock();
	for_each_process(tsk)
		release_list_process(&list, tsk);
	rcu_read_unlock();
	vpmc_mapping_for_each(release_list_page, &list);
	if (list.more)
		list.at += sysfs_emit_at(buf, list.at, "0 0 more %u -\n", list.more);
	return list.at;
}
