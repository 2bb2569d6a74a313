// SPDX-License-Identifier: GPL-2.0-only
/* Which processes still need the counters. See review.h. */
#include <linux/lockdep.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "control.h"
#include "due.h"
#include "process.h"
#include "rdpmc.h"
#include "review.h"
#include "session.h"
#include "thread.h"

/* All threads have the same memory. Those that exit have none any more. */
bool vpmc_review_has_page(const struct vpmc_process *p)
{
	const struct vpmc_thread *t;
	bool has = false, allowed;

	lockdep_assert_held(&p->lock);
	list_for_each_entry(t, &p->threads, node) {
		task_lock(t->task);
		has = t->task->mm;
		allowed = vpmc_rdpmc_is_allowed(t->task->mm);
		task_unlock(t->task);
		if (has)
			return allowed;
	}
	return false;
}

/* Could somebody be shown what @p counts, but for its ancestors? */
static bool review_shows(struct vpmc_process *p)
{
	lockdep_assert_held(&p->lock);
	return p->files || p->how & VPMC_PROCESS_OWN ||
	       p->inherited & VPMC_START_KEEP ||
	       (p->session && !READ_ONCE(p->session->closed)) ||
	       vpmc_review_has_page(p);
}

enum review_verdict {
	REVIEW_SHOWN,
	REVIEW_NOT_SHOWN,
	REVIEW_LATER, /* it is just getting another parent */
};

/* Could one of the ancestors of the process of @tsk be shown what that counts? */
static enum review_verdict review_ancestors(struct task_struct *tsk)
{
	struct vpmc_process *p;
	bool counts, shows;

	for (;;) {
		if (!pid_alive(tsk))
			return REVIEW_LATER;
		tsk = rcu_dereference(tsk->real_parent);
		p = vpmc_process_try_get(tsk->signal);
		if (!p)
			return REVIEW_NOT_SHOWN;
		spin_lock(&p->lock);
		counts = !list_empty(&p->threads);
		shows = counts && review_shows(p);
		spin_unlock(&p->lock);
		vpmc_process_put(p);
		if (shows)
			return REVIEW_SHOWN;
		if (!counts)
			return vpmc_thread_find_living(tsk) ? REVIEW_NOT_SHOWN :
							      REVIEW_LATER;
	}
}

/* Returns whether it counts, and nothing of its own shows that. */
static bool review_process(struct vpmc_process *p)
{
	bool hidden;

	vpmc_process_lock(p);
	/* If they were taken from it, it does not count. */
	vpmc_process_enforce_epoch(p);
	vpmc_process_give_up(p);
	hidden = p->nr_busy && !review_shows(p);
	if (!hidden)
		p->how &= ~VPMC_PROCESS_HIDDEN;
	vpmc_process_unlock(p);
	return hidden;
}

/* Note whether @p is hidden. Returns whether it was. */
static bool review_note(struct vpmc_process *p, bool hidden)
{
	bool was;

	spin_lock(&p->lock);
	was = p->how & VPMC_PROCESS_HIDDEN;
	p->how &= ~VPMC_PROCESS_HIDDEN;
	if (hidden)
		p->how |= VPMC_PROCESS_HIDDEN;
	spin_unlock(&p->lock);
	return was;
}

/* It counts, and nothing of its own shows that. Is another look needed? */
static bool review_hidden(struct vpmc_process *p, struct task_struct *tsk)
{
	switch (review_ancestors(tsk)) {
	case REVIEW_SHOWN:
		review_note(p, false);
		return false;
	case REVIEW_NOT_SHOWN:
		/* A child that it is creating may still inherit from it. */
		return !review_note(p, true) ||
		       vpmc_control_stop_unless(p, tsk, review_shows);
	default:
		return true;
	}
}

void vpmc_review_now(void)
{
	struct vpmc_process *p;
	struct task_struct *tsk;
	bool again = false;

	rcu_read_lock();
	for_each_process(tsk) {
		p = vpmc_process_try_get(tsk->signal);
		if (!p)
			continue;
		if (review_process(p))
			again |= review_hidden(p, tsk);
		vpmc_process_put(p);
	}
	rcu_read_unlock();
	if (again)
		vpmc_due_note();
}

void vpmc_review_init(void)
{
	vpmc_due_init(vpmc_review_now);
}

void vpmc_review_exit(void)
{
	vpmc_due_exit();
}
