// SPDX-License-Identifier: GPL-2.0-only
/* This file reads the counts of threads, processes and sessions. */
#include <linux/lockdep.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "thread/count.h"
#include "calls/read.h"
#include "process/session.h"
#include "process/thread.h"

/* Return whether current may see the counts of @p. */
static __always_inline bool read_may_see(const struct vpmc_process *p)
{
	lockdep_assert_held(&p->lock);
	return vpmc_access_may_see(&p->access, p == current->signal->vpmc);
}

/* Return the busier one of two states. A process has the state of its busiest thread. */
static enum vpmc_state read_busier(enum vpmc_state a, enum vpmc_state b)
{
	static const u8 rank[] = {
		[VPMC_STATE_EXITED] = 0,
		[VPMC_STATE_REVOKED] = 1,
		[VPMC_STATE_STOPPED] = 2,
		[VPMC_STATE_ARMED] = 3,
		[VPMC_STATE_RUNNING] = 4,
	};

	return rank[a] > rank[b] ? a : b;
}

/* Return the busiest state of @t, which has present counts, and of the threads after it. */
static noinline enum vpmc_state read_busiest(const struct vpmc_process *p,
					     const struct vpmc_thread *t)
{
	enum vpmc_state state = VPMC_STATE_EXITED;

	for (; t && state != VPMC_STATE_RUNNING;
	     t = vpmc_process_next_present(p, t))
		state = read_busier(state, t->state);
	return state;
}

/*
 * Return the state of the threads with present counts; VPMC_STATE_EXITED if there are
 * none. Usually the first thread counts, and its state decides.
 */
static __always_inline enum vpmc_state read_state(const struct vpmc_process *p)
{
	const struct vpmc_thread *t = vpmc_process_next_present(p, NULL);

	if (!t)
		return VPMC_STATE_EXITED;
	if (likely(t->state == VPMC_STATE_RUNNING))
		return VPMC_STATE_RUNNING;
	return read_busiest(p, t);
}

/*
 * This is the size of the memory on the stack for the sum of a read that does not ask for turns.
 */
#define READ_MEMORY VPMC_LARGE_COUNTS_SIZE(1)

/* Make @sum an empty sum of @events, which are large. This rare case is separate. */
static noinline void read_init_large(struct vpmc_sum *sum,
				     struct vpmc_read *read, u8 *memory,
				     const struct vpmc_events *events)
{
	struct vpmc_long_read *all =
		container_of(read, struct vpmc_long_read, read);

	if (read->size == VPMC_SIZE_LONG)
		vpmc_sum_init(sum, (void *)all->memory, events);
	else
		vpmc_sum_init_rows(sum, (void *)memory, events, 1);
}

/*
 * Make @sum an empty sum of @events. If they are large, it uses @memory or the memory
 * of @read.
 */
static __always_inline void read_init(struct vpmc_sum *sum,
				      struct vpmc_read *read, u8 *memory,
				      const struct vpmc_events *events)
{
	*sum = (struct vpmc_sum){};
	if (unlikely(vpmc_events_are_large(events)))
		read_init_large(sum, read, memory, events);
}

/* Report the counts of @t, or report them as missing. */
static noinline int read_thread_counts(const struct vpmc_thread *t,
				       struct vpmc_read *read)
{
	u8 memory[READ_MEMORY] __aligned(8) __uninitialized;
	struct vpmc_sum sum;

	read_init(&sum, read, memory, t->events);
	vpmc_count_add_to(&sum, t, t->events);
	if (t->state != VPMC_STATE_REVOKED)
		sum.stopped = vpmc_thread_stopped(t);
	return vpmc_sum_report(read, &sum, t->events->nr);
}

static __always_inline int read_thread_locked(struct vpmc_thread *t,
					      struct vpmc_read *read)
{
	if (!t->events)
		return -ENODATA;
	if (!read_may_see(t->process))
		return -EPERM;
	vpmc_count_fold_thread(t);
	/* Do this after the fold, because system mode may have taken the counters before it. */
	vpmc_process_enforce_epoch(t->process);
	read->state = t->state;
	read->running = 0;
	read->generation = t->generation;
	read->start = t->identity;
	read->unwaited = 0;
	if (unlikely(t->kind || t->state == VPMC_STATE_REVOKED))
		return read_thread_counts(t, read);
	read->nr_counts = t->events->nr;
	read->other_events = 0;
	read->revoked = 0;
	read->stopped = vpmc_thread_stopped(t);
	vpmc_count_read(read, t);
	return 0;
}

static __always_inline int read_thread(struct vpmc_thread *t,
				       struct vpmc_read *read)
{
	int err;

	if (!t)
		return -ENODATA;
	err = likely(vpmc_process_lock_killable(t->process)) ?
	      read_thread_locked(t, read) : -EINTR;
	vpmc_process_unlock(t->process);
	return err;
}

/* Return whether a thread other than current counts. */
static bool read_others_run(const struct vpmc_process *p)
{
	const struct vpmc_thread *own = current->thread.vpmc;

	lockdep_assert_held(&p->lock);
	return p->nr_busy > (own && own->process == p &&
			     vpmc_thread_is_busy(own));
}

static void read_fold(const struct vpmc_process *p)
{
	if (read_others_run(p))
		vpmc_count_fold_process(p);
	else
		vpmc_count_fold_own();
}

/* This is the time to add a thread, in units of VPMC_PROCESS_BATCH. */
#define READ_WEIGHT	2

/*
 * A sum may start over this number of times because of other tasks. Then these tasks have to wait.
 */
#define READ_TRIES	2

/**
 * struct read_sum - the state of a sum over all threads of a process
 * @sum: the sum so far
 * @state: state of the busiest thread so far
 * @gave_way: whether other tasks have run since the sum was begun
 * @killed: whether current is being killed while another call occupies the process
 * @left: how often the sum may start over before the read occupies the process
 */
struct read_sum {
	struct vpmc_sum sum;
	enum vpmc_state state;
	bool gave_way;
	bool killed;
	u32 left;
};

/**
 * struct read_mark - the state of a process before a read lets other tasks run
 * @generation: generation of the process
 * @added: number of exited threads in its sum
 * @other_events: number of exited threads that counted other events
 * @revoked: number of exited threads that must not be watched
 */
struct read_mark {
	u64 generation;
	u32 added;
	u32 other_events;
	u32 revoked;
};

static struct read_mark read_mark(const struct vpmc_process *p)
{
	return (struct read_mark){
		.generation = p->generation,
		.added = p->exited.added,
		.other_events = p->exited.other_events,
		.revoked = p->exited.revoked,
	};
}

/*
 * Return whether, since @mark, no thread has left the list or moved its counts to another sum.
 * Each thread that leaves or moves its counts is counted in @exited or ends the generation.
 */
static bool read_is_whole(const struct vpmc_process *p,
			  const struct read_mark *mark)
{
	return p->generation == mark->generation &&
	       p->exited.added == mark->added &&
	       p->exited.other_events == mark->other_events &&
	       p->exited.revoked == mark->revoked &&
	       p->exited.added < U32_MAX;
}

/*
 * Return whether a task waits until @p, or a member of its session, is no longer
 * occupied.
 */
static bool read_is_awaited(const struct vpmc_process *p)
{
	return p->nr_waiting || (p->session && p->session->nr_waiting);
}

/*
 * Let other tasks run before @t is added. Threads that begin in the meantime are at the
 * front of the list, and are not in the sum. A thread whose fork fails also leaves the
 * list, but without counts. Returns whether the sum so far is still right and @t is
 * still in the list.
 */
static noinline bool read_give_way(struct vpmc_process *p,
				   struct read_sum *s, struct vpmc_thread *t)
	__must_hold(&p->session->lock) __must_hold(&p->lock)
{
	struct read_mark before = read_mark(p);
	bool left;

	s->gave_way = true;
	if (!s->left) {
		/*
		 * Tasks that already wait for the end of another call must not have to wait for
		 * this call, too.
		 */
		if (!read_is_awaited(p))
			vpmc_process_give_way(p, p->session);
		return true;
	}
	vpmc_thread_get(t);
	vpmc_process_unlock(p);
	cond_resched();
	s->killed = !vpmc_process_lock_killable(p);
	left = !t->task;
	if (left) {
		vpmc_process_unlock(p);
		vpmc_thread_put(t);
		s->killed = !vpmc_process_lock_killable(p);
	} else {
		/* @t is in the list, so this is not the last reference. */
		vpmc_thread_put(t);
	}
	if (s->killed)
		return false;
	/*
	 * System mode may have taken the counters from threads that have not been added
	 * yet.
	 */
	vpmc_process_enforce_epoch(p);
	return !left && read_is_whole(p, &before);
}

static void read_sum_begin(const struct vpmc_process *p, struct read_sum *s,
			   struct vpmc_read *read, u8 *memory)
{
	read_init(&s->sum, read, memory, p->events);
	vpmc_sum_add(&s->sum, &p->exited);
	s->state = VPMC_STATE_EXITED;
}

/*
 * Add all threads. Stops early if current is being killed. Returns false if the sum has
 * to start over.
 */
static bool read_add_threads(struct vpmc_process *p, struct read_sum *s)
{
	struct vpmc_thread *t;
	u32 nr = 0;

	for (t = vpmc_process_next_present(p, NULL); t;
	     t = vpmc_process_next_present(p, t)) {
		nr += READ_WEIGHT;
		if (unlikely(nr > VPMC_PROCESS_BATCH)) {
			nr = READ_WEIGHT;
			if (!read_give_way(p, s, t))
				return s->killed;
		}
		vpmc_count_add_to(&s->sum, t, p->events);
		if (s->state != VPMC_STATE_RUNNING)
			s->state = read_busier(s->state, t->state);
	}
	return true;
}

static int read_self(struct vpmc_process *p, struct vpmc_read *read)
{
	u8 memory[READ_MEMORY] __aligned(8) __uninitialized;
	struct read_sum s;

	s.left = READ_TRIES;
	s.gave_way = false;
	s.killed = false;
	read_sum_begin(p, &s, read, memory);
	while (unlikely(!read_add_threads(p, &s))) {
		s.left--;
		read_sum_begin(p, &s, read, memory);
	}
	if (unlikely(s.gave_way)) {
		if (s.killed)
			return -EINTR;
		vpmc_process_leave(p, p->session);
		/* A call of another task may have restricted the access. */
		if (!read_may_see(p))
			return -EPERM;
	}
	/* The sum of exited threads also has the gaps of the living threads. */
	s.sum.stopped = p->exited.stopped;
	read->running = !list_empty(&p->threads);
	read->unwaited = 0;
	read->state = s.state;
	return vpmc_sum_report(read, &s.sum, p->events ? p->events->nr : 0);
}

static __always_inline int read_children(const struct vpmc_process *p,
					 struct vpmc_read *read)
{
	static const struct vpmc_sum none;

	read->running = 0;
	read->unwaited = vpmc_process_unwaited(p);
	return vpmc_sum_report(read, p->children ?: &none,
			       likely(p->events) ? p->events->nr : 0);
}

static __always_inline int read_process_locked(struct vpmc_process *p,
					       struct vpmc_read *read,
					       bool children)
{
	int err;

	if (!vpmc_process_has_counts(p))
		return -ENODATA;
	if (!read_may_see(p))
		return -EPERM;
	if (!children)
		read_fold(p);
	/* Do this after the fold, because system mode may have taken the counters before it. */
	vpmc_process_enforce_epoch(p);
	if (children) {
		err = read_children(p, read);
		read->state = read_state(p);
	} else {
		err = read_self(p, read);
	}
	read->generation = p->generation;
	read->start = p->identity;
	return err;
}

/* This is inlined in two functions, so that a read checks its scope only once. */
static __always_inline int read_process(struct vpmc_process *p,
					struct vpmc_read *read, bool children)
{
	int err;

	if (!p)
		return -ENODATA;
	err = likely(vpmc_process_lock_killable(p)) ?
	      read_process_locked(p, read, children) : -EINTR;
	vpmc_process_unlock(p);
	return err;
}

static noinline int read_process_self(struct vpmc_process *p,
				      struct vpmc_read *read)
{
	return read_process(p, read, false);
}

static noinline int read_process_children(struct vpmc_process *p,
					  struct vpmc_read *read)
{
	return read_process(p, read, true);
}

/* Return whether @s collects current's process. */
static bool read_is_own(const struct vpmc_session *s)
{
	const struct vpmc_process *own = current->signal->vpmc;

	return own && READ_ONCE(own->session) == s;
}

/* Return whether current may see the counts that @s collects. */
static bool read_may_see_session(const struct vpmc_session *s)
{
	lockdep_assert_held(&s->lock);
	return vpmc_access_may_see(&s->access, read_is_own(s));
}

/* Change the generation if system mode has taken counters from members. */
static void read_enforce_members(struct vpmc_session *s)
{
	unsigned int epoch = READ_ONCE(vpmc_epoch);
	struct vpmc_process *p;

	lockdep_assert_held(&s->lock);
	if (likely(s->epoch == epoch))
		return;
	s->epoch = epoch;
	list_for_each_entry(p, &s->members, member) {
		spin_lock(&p->lock);
		vpmc_process_enforce_epoch(p);
		spin_unlock(&p->lock);
	}
}

/*
 * Return whether current, which may see the session that collects @p, may see the counts
 * of @p.
 */
static bool read_may_see_member(const struct vpmc_process *p)
{
	lockdep_assert_held(&p->lock);
	return p == current->signal->vpmc ||
	       vpmc_access_may_see_part(p->access.cred);
}

/* Return whether the counts of @p, a member of @s, are shown to current. */
static bool read_shows_member(const struct vpmc_session *s,
			      struct vpmc_process *p)
{
	bool shows;

	lockdep_assert_held(&s->lock);
	spin_lock(&p->lock);
	shows = read_may_see_member(p) &&
		vpmc_access_may_add(&s->access, &p->access);
	spin_unlock(&p->lock);
	return shows;
}

/*
 * Find the processors that count for members whose counts are shown to current. Other processors
 * are not interrupted. A process that is found here may be freed and its memory reused, unless it
 * is a member. A member stays valid, because a process joins, and its last thread leaves, only
 * under the session's lock.
 */
static void read_find_members(const struct vpmc_session *s,
			      struct cpumask *mask)
{
	struct vpmc_process *p;
	int cpu;

	rcu_read_lock();
	for_each_online_cpu(cpu) {
		p = READ_ONCE(per_cpu(vpmc_loaded_process, cpu));
		if (p && READ_ONCE(p->session) == s && read_shows_member(s, p))
			cpumask_set_cpu(cpu, mask);
	}
	rcu_read_unlock();
}

/* Bring the counts of the members up to date. */
static void read_fold_members(const struct vpmc_session *s)
{
	struct cpumask *mask;

	lockdep_assert_held(&s->lock);
	mask = vpmc_count_sync_begin();
	read_find_members(s, mask);
	vpmc_count_fold(mask);
}

/*
 * Return whether the stop of @t, which @s collects, is to be reported as a gap, even though nothing
 * has followed the stop yet. The processes of a cgroup are to be counted as long as they run, but
 * they can stop their own counts. The stop of the process for which @s was started is intended, so
 * it is not a gap. The generation does not identify this process, because system mode gives @s the
 * new generation of any member.
 */
static bool read_is_stopped(const struct vpmc_session *s,
			    const struct vpmc_thread *t)
{
	return s->group && t->state == VPMC_STATE_STOPPED &&
	       !(t->stopped & VPMC_THREAD_GAP_NOTED) &&
	       !(t->process->special & VPMC_PROCESS_STARTER) &&
	       vpmc_events_equal(t->events, s->events);
}

/* Add the counts of the living threads of a member. Returns their state. */
static enum vpmc_state read_member(struct vpmc_session *s,
				   struct vpmc_process *p, struct vpmc_sum *sum)
{
	const struct vpmc_thread *t;
	enum vpmc_state state;
	bool may;

	spin_lock(&p->lock);
	vpmc_process_enforce_epoch(p);
	may = read_may_see_member(p);
	for (t = vpmc_process_next_present(p, NULL); t;
	     t = vpmc_process_next_present(p, t)) {
		if (vpmc_thread_add_to_session(sum, t, s, may) &&
		    read_is_stopped(s, t))
			vpmc_sum_add_stopped(sum, 1);
	}
	state = read_state(p);
	spin_unlock(&p->lock);
	return state;
}

/*
 * Read all counts that @s collects. The access is also checked at the end, because adding
 * a member may restrict it. The access is checked at the beginning so that a task without
 * access does not interrupt other tasks.
 */
static int read_session_locked(struct vpmc_session *s, struct vpmc_read *read)
{
	enum vpmc_state state = VPMC_STATE_EXITED;
	u8 memory[READ_MEMORY] __aligned(8) __uninitialized;
	struct vpmc_process *p;
	struct vpmc_sum sum;

	if (!s->events)
		return -ENODATA;
	if (!read_may_see_session(s))
		return -EPERM;
	read_fold_members(s);
	read_init(&sum, read, memory, s->events);
	if (likely(vpmc_access_may_see_part(s->cred)))
		vpmc_sum_add(&sum, &s->sum);
	else
		vpmc_sum_hide(&sum, &s->sum);
	read->running = 0;
	list_for_each_entry(p, &s->members, member) {
		state = read_busier(state, read_member(s, p, &sum));
		read->running++;
	}
	if (!read_may_see_session(s))
		return -EPERM;
	read->state = state;
	read->unwaited = 0;
	read->generation = s->generation;
	read->start = s->identity;
	return vpmc_sum_report(read, &sum, s->events->nr);
}

static noinline int read_session(struct vpmc_session *s, struct vpmc_read *read)
{
	int err;

	if (!s)
		return -ENODATA;
	err = vpmc_session_lock(s) ? read_session_locked(s, read) : -EINTR;
	spin_unlock(&s->lock);
	return err;
}

int vpmc_read_own(struct vpmc_read *read)
{
	return read_thread(current->thread.vpmc, read);
}

static noinline int read_other_thread(struct vpmc_thread *t,
				      struct vpmc_read *read)
{
	return read_thread(t, read);
}

/*
 * The functions called here are not inlined, so that this function does not save
 * registers for them a second time.
 */
int vpmc_read_counts(const struct vpmc_subject *subject,
		     struct vpmc_read *read)
{
	switch (read->scope) {
	case VPMC_SCOPE_THREAD:
		return read_other_thread(subject->thread, read);
	case VPMC_SCOPE_SELF:
		return read_process_self(subject->process, read);
	case VPMC_SCOPE_CHILDREN:
		return read_process_children(subject->process, read);
	case VPMC_SCOPE_ALL:
		return read_session(subject->session, read);
	default:
		return -EINVAL;
	}
}

static int read_list(struct vpmc_query *query, const struct vpmc_events *events,
		     u64 generation, u64 start, bool may)
{
	u32 i;

	if (!events)
		return -ENODATA;
	if (!may)
		return -EPERM;
	query->generation = generation;
	query->start = start;
	query->nr_events = events->nr;
	for (i = 0; i < events->nr; i++)
		query->event[i] = events->slot[i].event;
	return 0;
}

static int read_thread_events(struct vpmc_thread *t, struct vpmc_query *query)
{
	int err;

	if (!t)
		return -ENODATA;
	err = -EINTR;
	if (vpmc_process_lock_killable(t->process)) {
		vpmc_process_enforce_epoch(t->process);
		err = read_list(query, t->events, t->generation, t->identity,
				read_may_see(t->process));
	}
	vpmc_process_unlock(t->process);
	return err;
}

static int read_process_events(struct vpmc_process *p, struct vpmc_query *query)
{
	int err;

	if (!p)
		return -ENODATA;
	err = -EINTR;
	if (vpmc_process_lock_killable(p)) {
		vpmc_process_enforce_epoch(p);
		err = read_list(query, p->events, p->generation, p->identity,
				read_may_see(p));
	}
	vpmc_process_unlock(p);
	return err;
}

static int read_session_events(struct vpmc_session *s, struct vpmc_query *query)
{
	int err;

	if (!s)
		return -ENODATA;
	err = -EINTR;
	if (vpmc_session_lock(s)) {
		read_enforce_members(s);
		err = read_list(query, s->events, s->generation, s->identity,
				read_may_see_session(s));
	}
	spin_unlock(&s->lock);
	return err;
}

int vpmc_read_events(const struct vpmc_subject *subject,
		     struct vpmc_query *query)
{
	switch (query->scope) {
	case VPMC_SCOPE_THREAD:
		return read_thread_events(subject->thread, query);
	case VPMC_SCOPE_SELF:
	case VPMC_SCOPE_CHILDREN:
		return read_process_events(subject->process, query);
	case VPMC_SCOPE_ALL:
		return read_session_events(subject->session, query);
	default:
		return -EINVAL;
	}
}

int vpmc_read_record(struct vpmc_session *s, struct vpmc_record *record)
{
	int err;

	err = -EINTR;
	if (vpmc_session_lock(s)) {
		read_enforce_members(s);
		err = vpmc_session_peek(s, read_is_own(s), record);
	}
	spin_unlock(&s->lock);
	return err;
}

void vpmc_read_numbers(struct vpmc_process *p, const struct vpmc_thread *t,
		       u64 *generation, u64 *identity)
{
	bool may = vpmc_process_lock_killable(p);

	/* The answer does not matter if the calling thread is being killed. */
	if (may)
		vpmc_process_enforce_epoch(p);
	may = may && p->events && read_may_see(p);
	*generation = may ? p->generation : 0;
	*identity = may ? p->identity : 0;
	if (may && t)
		*identity = t->events ? t->identity : 0;
	vpmc_process_unlock(p);
}
