// SPDX-License-Identifier: GPL-2.0-only
/* This file lets processes join and leave the session of an open file. */
#include <linux/lockdep.h>
#include <linux/sched.h>

#include "calls/collect.h"
#include "process/process.h"
#include "process/session.h"

/*
 * Return whether only ancestors of @p could be shown its counts. @p was started for a session whose
 * file is closed. It has not started itself, and is not kept for a task to attach to it.
 */
static bool collect_is_unseen(const struct vpmc_process *p)
{
	return !p->files &&
	       !(p->how & VPMC_PROCESS_OWN) &&
	       !(p->inherited & VPMC_START_KEEP);
}

bool vpmc_collect_is_left(const struct vpmc_process *p)
{
	lockdep_assert_held(&p->lock);
	return p->how & VPMC_PROCESS_LEFT && collect_is_unseen(p);
}

/*
 * Return whether @p, which enters a cgroup, may leave @s, whose file is closed. A stopped @p may
 * leave, even if another task has started it before.
 */
static bool collect_may_leave(struct vpmc_process *p,
			      const struct vpmc_session *s)
{
	lockdep_assert_held(&p->lock);
	vpmc_process_enforce_epoch(p);
	return !p->nr_busy ||
	       (p->identity == s->identity && collect_is_unseen(p));
}

void vpmc_collect_leave_closed(struct vpmc_process *p, bool enters)
{
	struct vpmc_session *s;
	bool closed;

	rcu_read_lock();
	s = READ_ONCE(p->session);
	closed = s && READ_ONCE(s->closed);
	rcu_read_unlock();
	if (!closed)
		return;
	closed = vpmc_process_lock_killable(p);
	s = p->session;
	closed = closed && s && s->closed &&
		 (!enters || collect_may_leave(p, s));
	if (closed) {
		if (enters && p->nr_busy)
			p->how |= VPMC_PROCESS_LEFT;
		list_del_init(&p->member);
		WRITE_ONCE(p->session, NULL);
		WRITE_ONCE(p->special, 0);
	}
	vpmc_process_unlock_both(s, p);
	if (closed)
		vpmc_session_put(s);
}

static bool collect_has_others(struct vpmc_session *s, struct vpmc_process *p)
{
	struct vpmc_process *member;

	list_for_each_entry(member, &s->members, member) {
		if (member != p)
			return true;
	}
	return false;
}

/*
 * Return whether another process than @p is entering the cgroup of @s, and its start has given way.
 * Only the present call can occupy @p.
 */
static bool collect_awaits_others(const struct vpmc_session *s,
				  const struct vpmc_process *p)
{
	return s->nr_occupied > !!(p->special & VPMC_PROCESS_OCCUPIED);
}

int vpmc_collect_check(struct vpmc_session *s, struct vpmc_process *p)
{
	lockdep_assert_held(&s->lock);
	lockdep_assert_held(&p->lock);
	if ((p->session && p->session != s) || collect_has_others(s, p) ||
	    collect_awaits_others(s, p))
		return -EBUSY;
	return 0;
}

int vpmc_collect_check_enter(struct vpmc_session *s, struct vpmc_process *p)
{
	lockdep_assert_held(&s->lock);
	lockdep_assert_held(&p->lock);
	if (s->closed || p->session == s)
		return -EALREADY;
	if (s->restarts)
		return -ESTALE;
	return p->session ? -EBUSY : 0;
}

void vpmc_collect_enter(struct vpmc_session *s, struct vpmc_process *p)
{
	lockdep_assert_held(&s->lock);
	lockdep_assert_held(&p->lock);
	if (!list_empty(&p->threads))
		list_add_tail(&p->member, &s->members);
	WRITE_ONCE(p->session, vpmc_session_get(s));
	WRITE_ONCE(p->special, p->special | VPMC_PROCESS_COLLECTED);
}

void vpmc_collect_join(struct vpmc_session *s, struct vpmc_process *p)
{
	lockdep_assert_held(&s->lock);
	lockdep_assert_held(&p->lock);
	if (!p->session) {
		vpmc_collect_enter(s, p);
		/* The process is the only member. */
		s->epoch = p->epoch;
	}
	WRITE_ONCE(p->special, p->special | VPMC_PROCESS_STARTER);
}
