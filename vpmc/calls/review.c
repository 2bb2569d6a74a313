// SPDX-License-Identifier: GPL-2.0-only
/* This file checks which processes still need the hardware counters. */
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "calls/control.h"
#include "cpu/due.h"
#include "thread/page.h"
#include "process/process.h"
#include "cpu/rdpmc.h"
#include "calls/review.h"
#include "process/session.h"

/* This lock serializes reviews, and protects review_turn. */
static DEFINE_MUTEX(review_lock);

/* This bit marks a process in the present review. */
static u8 review_turn = VPMC_PROCESS_EVEN;

/*
 * Return whether the page of @t can show its counts, even if the thread has not used the page yet.
 */
static bool review_reads(const struct vpmc_thread *t)
{
	const struct vpmc_user_page *u = READ_ONCE(t->page);

	return u && READ_ONCE(t->accepted) && READ_ONCE(u->address);
}

/*
 * Return whether a page that is mapped in the process has the counters. All threads have the same
 * mm, except exiting threads, which do not have an mm.
 */
static bool review_may_execute_rdpmc(const struct vpmc_process *p)
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

/* Return whether the process can read its counts from a page. */
static bool review_has_page(const struct vpmc_process *p)
{
	const struct vpmc_thread *t;

	lockdep_assert_held(&p->lock);
	list_for_each_entry(t, &p->threads, node) {
		if (review_reads(t))
			return true;
	}
	return review_may_execute_rdpmc(p);
}

/*
 * Return whether @p itself meets a condition under which its counts could be shown to a
 * task. Conditions that its ancestors meet do not matter here.
 */
static bool review_shows(struct vpmc_process *p)
{
	lockdep_assert_held(&p->lock);
	return p->files || p->how & VPMC_PROCESS_OWN ||
	       p->inherited & VPMC_START_KEEP ||
	       (p->session && !READ_ONCE(p->session->closed)) ||
	       review_has_page(p);
}

enum review_verdict {
	REVIEW_SHOWN,
	REVIEW_NOT_SHOWN,
	REVIEW_LATER, /* the process is getting another parent */
};

/*
 * Return whether the counts of the process of @tsk could be shown to one of its
 * ancestors. Parents come before their children in the list of processes, so the verdict
 * on the parent is usually known. So a long chain of ancestors does not make the review
 * longer.
 */
static enum review_verdict review_ancestors(struct task_struct *tsk)
{
	bool counts, known, shows;
	struct vpmc_process *p;

	lockdep_assert_held(&review_lock);
	for (;;) {
		if (!pid_alive(tsk))
			return REVIEW_LATER;
		tsk = rcu_dereference(tsk->real_parent);
		p = vpmc_process_try_get(tsk->signal);
		if (!p)
			return REVIEW_NOT_SHOWN;
		spin_lock(&p->lock);
		counts = !list_empty(&p->threads);
		known = counts && p->how & review_turn;
		shows = known ? p->how & VPMC_PROCESS_SHOWN :
				counts && review_shows(p);
		spin_unlock(&p->lock);
		vpmc_process_put(p);
		if (shows)
			return REVIEW_SHOWN;
		if (known)
			return REVIEW_NOT_SHOWN;
		/* The children of a process that exits are getting another parent. */
		if (!counts)
			return READ_ONCE(tsk->flags) & PF_EXITING ?
				       REVIEW_LATER :
				       REVIEW_NOT_SHOWN;
	}
}

/* Forget what an earlier review has found, because a start or stop occupies @p. */
static void review_postpone(struct vpmc_process *p)
{
	spin_lock(&p->lock);
	p->how &= ~VPMC_PROCESS_LOOKED;
	spin_unlock(&p->lock);
}

/*
 * Check @p. Returns true if @p has counters, and does not itself meet a condition under which its
 * counts could be shown. Sets @again if a call occupies @p, because RCU does not allow a wait.
 */
static bool review_process(struct vpmc_process *p, bool *again)
{
	bool hidden;

	if (!vpmc_process_trylock(p)) {
		review_postpone(p);
		*again = true;
		return false;
	}
	__acquire(&p->session->lock);
	__acquire(&p->lock);
	/* If the counters were taken from the process, it does not count. */
	vpmc_process_enforce_epoch(p);
	vpmc_process_give_up(p);
	hidden = !list_empty(&p->threads) && !review_shows(p);
	p->how &= ~VPMC_PROCESS_LOOKED;
	if (!hidden)
		p->how &= ~VPMC_PROCESS_HIDDEN;
	vpmc_process_unlock(p);
	return hidden;
}

/* Note the verdict. Returns whether @p counts and was hidden in the previous review, too. */
static bool review_note(struct vpmc_process *p, enum review_verdict verdict,
			bool *busy)
{
	bool was;

	spin_lock(&p->lock);
	*busy = p->nr_busy;
	was = *busy && p->how & VPMC_PROCESS_HIDDEN;
	if (verdict == REVIEW_SHOWN) {
		p->how &= ~VPMC_PROCESS_HIDDEN;
		p->how |= review_turn | VPMC_PROCESS_SHOWN;
	} else if (verdict == REVIEW_NOT_SHOWN) {
		p->how |= review_turn | (*busy ? VPMC_PROCESS_HIDDEN : 0);
	}
	spin_unlock(&p->lock);
	return was;
}

/*
 * Decide on @p, which does not itself meet a condition under which its counts could be
 * shown. Returns whether another review is needed.
 */
static bool review_hidden(struct vpmc_process *p, struct task_struct *tsk)
{
	enum review_verdict verdict = review_ancestors(tsk);
	bool busy, was = review_note(p, verdict, &busy);

	if (!busy || verdict == REVIEW_SHOWN)
		return false;
	if (verdict == REVIEW_LATER)
		return true;
	/*
	 * A child that the process is creating may still inherit from it, so review again
	 * after a stop.
	 */
	return !was || vpmc_control_stop_unless(p, tsk, review_shows);
}

void vpmc_review_now(void)
{
	struct vpmc_process *p;
	struct task_struct *tsk;
	bool again = false;

	mutex_lock(&review_lock);
	review_turn ^= VPMC_PROCESS_EVEN | VPMC_PROCESS_ODD;
	rcu_read_lock();
	for_each_process(tsk) {
		p = vpmc_process_try_get(tsk->signal);
		if (!p)
			continue;
		if (review_process(p, &again))
			again |= review_hidden(p, tsk);
		vpmc_process_put(p);
	}
	rcu_read_unlock();
	mutex_unlock(&review_lock);
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
