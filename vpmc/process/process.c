// SPDX-License-Identifier: GPL-2.0-only
/* This file creates and frees the counters of processes, and locks them. */
#include <linux/err.h>
#include <linux/lockdep.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/wait_bit.h>

#include "kernel/account.h"
#include "thread/count.h"
#include "cpu/cpu.h"
#include "cpu/due.h"
#include "kernel/hooks.h"
#include "kernel/kernel.h"
#include "process/process.h"
#include "cpu/reserve.h"
#include "process/session.h"

/*
 * The large memory of a process, its first thread and its session take at most this number of
 * pages.
 */
#define PROCESS_LARGE_PAGES	3

/* Objects are charged to the memory cgroup of the task that allocates them. */
static struct kmem_cache *process_cache;

int vpmc_process_init(void)
{
	/* Readers of vpmc_loaded_process may find a process that has been freed. */
	process_cache = KMEM_CACHE(vpmc_process,
				   SLAB_ACCOUNT | SLAB_TYPESAFE_BY_RCU);
	return process_cache ? 0 : -ENOMEM;
}

void vpmc_process_exit(void)
{
	kmem_cache_destroy(process_cache);
}

u64 vpmc_process_new_number(void)
{
	static atomic64_t last = ATOMIC64_INIT(0);

	return atomic64_inc_return(&last);
}

void vpmc_process_use(struct vpmc_process *p)
{
	lockdep_assert_held(&p->lock);
	if (p->used || p->reserved)
		return;
	vpmc_hooks_use();
	p->used = true;
}

void vpmc_process_give_up(struct vpmc_process *p)
{
	lockdep_assert_held(&p->lock);
	if (!p->reserved || p->nr_busy)
		return;
	/*
	 * The threads still have counters, so the hooks must stay live. Until here, the
	 * reservation keeps them live.
	 */
	if (!p->used)
		vpmc_hooks_use();
	p->used = true;
	vpmc_unreserve(p->reserved);
	p->reserved = 0;
}

/* Initialize all fields except the references, the epoch and the identity. */
static __always_inline void process_init(struct vpmc_process *p)
{
	/* This is faster than __GFP_ZERO, because the compiler knows size and alignment. */
	*p = (struct vpmc_process){};
	spin_lock_init(&p->lock);
	INIT_LIST_HEAD(&p->member);
	INIT_LIST_HEAD(&p->threads);
	p->generation = vpmc_process_new_number();
}

/* Set the epoch and the identity of a process that does not count yet. */
static __always_inline void process_init_idle(struct vpmc_process *p)
{
	p->epoch = READ_ONCE(vpmc_epoch);
	p->identity = p->generation;
}

static struct vpmc_process *process_alloc(gfp_t gfp)
{
	struct vpmc_process *p = kmem_cache_alloc(process_cache, gfp);

	if (!p)
		return NULL;
	process_init(p);
	process_init_idle(p);
	kref_init(&p->ref);
	return p;
}

struct vpmc_process *vpmc_process_create(struct signal_struct *sig, gfp_t gfp)
{
	struct vpmc_process *p = process_alloc(gfp), *old;

	if (!p)
		return NULL;
	old = cmpxchg(&sig->vpmc, NULL, p);
	if (!old)
		return p;
	/*
	 * The reference count of freed memory must be 0, because vpmc_process_try_get()
	 * relies on it.
	 */
	vpmc_process_put(p);
	return old;
}

/*
 * Keep the memory of a freed child for the next child. A process that waits for a child
 * often forks another child soon, and it would take longer to free and allocate the
 * memory. Returns false if spare memory is kept already. Current's process, and the
 * driver, stay while current has counters.
 */
static bool process_keep_spare(struct vpmc_process *p)
{
	const struct vpmc_thread *t = current->thread.vpmc;
	struct vpmc_process *none = NULL;

	return t && try_cmpxchg(&t->process->spare, &none, p);
}

/* Return the spare memory of @parent, or new memory, or NULL. */
static struct vpmc_process *process_take_spare(struct vpmc_process *parent)
{
	struct vpmc_process *p = xchg(&parent->spare, NULL);

	return likely(p) ? p : kmem_cache_alloc(process_cache, GFP_KERNEL);
}

struct vpmc_process *vpmc_process_fork(struct signal_struct *sig,
				       struct vpmc_process *parent)
{
	struct vpmc_process *p = process_take_spare(parent);

	if (!p)
		return NULL;
	process_init(p);
	p->first_taken = VPMC_PROCESS_BORN;
	p->unwaited = -1;
	/* The second reference belongs to the process's first thread. */
	refcount_set(&p->ref.refcount, 2);
	vpmc_thread_init(&p->first, p);
	WRITE_ONCE(sig->vpmc, p);
	return p;
}

struct vpmc_process *vpmc_process_fork_idle(struct signal_struct *sig,
					    struct vpmc_process *parent)
{
	struct vpmc_process *p = vpmc_process_fork(sig, parent);

	if (!p)
		return NULL;
	process_init_idle(p);
	p->first_taken = true;
	p->unwaited = 0;
	return p;
}

static void process_take(struct signal_struct *sig, void *found)
{
	if (sig->vpmc)
		*(struct vpmc_process **)found = vpmc_process_get(sig->vpmc);
}

struct vpmc_process *vpmc_process_find_other(struct task_struct *tsk)
{
	struct vpmc_process *p = NULL;

	vpmc_look_at(tsk, process_take, &p);
	return p;
}

/* The memory of a freed process may be reused at once, so check again. */
struct vpmc_process *vpmc_process_try_get(struct signal_struct *sig)
{
	struct vpmc_process *p = READ_ONCE(sig->vpmc);

	if (!p || !kref_get_unless_zero(&p->ref))
		return NULL;
	if (likely(READ_ONCE(sig->vpmc) == p))
		return p;
	vpmc_process_put(p);
	return NULL;
}

/* Install *@mine, and set it to NULL, unless the process has counters. */
static void process_install(struct signal_struct *sig, void *mine)
{
	struct vpmc_process **p = mine;

	if (!cmpxchg(&sig->vpmc, NULL, *p))
		*p = NULL;
}

static struct vpmc_process *process_obtain_other(struct task_struct *tsk)
{
	struct vpmc_process *p = vpmc_process_find_other(tsk), *spare;

	if (p)
		return p;
	spare = process_alloc(GFP_KERNEL);
	if (!spare)
		return ERR_PTR(-ENOMEM);
	vpmc_look_at(tsk, process_install, &spare);
	vpmc_process_put(spare);
	return vpmc_process_find_other(tsk) ?: ERR_PTR(-ESRCH);
}

struct vpmc_process *vpmc_process_obtain(struct task_struct *tsk)
{
	struct vpmc_process *p;

	if (tsk->signal != current->signal)
		return process_obtain_other(tsk);
	p = vpmc_process_get_or_create(current);
	return p ? vpmc_process_get(p) : ERR_PTR(-ENOMEM);
}

void vpmc_process_charge(struct vpmc_process *p)
{
	lockdep_assert_held(&p->lock);
	if (!p->user && vpmc_sum_large(&p->exited))
		p->user = vpmc_account_pages(PROCESS_LARGE_PAGES);
}

/* Free the memory of large sums. If there is no sum of children, the other sums are not large. */
static noinline void process_free_sums(struct vpmc_process *p)
{
	kfree(vpmc_sum_large(&p->exited));
	kfree(vpmc_sum_large(&p->before));
	vpmc_sum_free(p->children);
	if (p->user)
		vpmc_account_unpages(p->user, PROCESS_LARGE_PAGES);
}

void vpmc_process_free(struct kref *ref)
{
	struct vpmc_process *p = container_of(ref, struct vpmc_process, ref);

	vpmc_session_put(p->session);
	vpmc_events_put(p->events);
	vpmc_access_free(&p->access);
	if (unlikely(p->children))
		process_free_sums(p);
	if (!process_keep_spare(p))
		kmem_cache_free(process_cache, p);
}

/* The release hook and the driver's exit may call this at the same time. */
void vpmc_process_release(struct signal_struct *sig)
{
	struct vpmc_process *p = xchg(&sig->vpmc, NULL);

	if (!p)
		return;
	/* The process cannot fork any more. */
	if (p->spare) {
		kmem_cache_free(process_cache, p->spare);
		p->spare = NULL;
	}
	vpmc_process_put(p);
}

void vpmc_process_release_all(void)
{
	struct task_struct *tsk;

	rcu_read_lock();
	for_each_process(tsk)
		vpmc_process_release(tsk->signal);
	rcu_read_unlock();
}

#ifdef CONFIG_LOCKDEP
/*
 * For lockdep, the occupation of a process is a lock. It is taken outside the other locks, and may
 * be held for long.
 */
static struct lockdep_map process_occupation =
	STATIC_LOCKDEP_MAP_INIT("vpmc_process_occupation", &process_occupation);

/* Turns are like a lock, too, outside of occupation. */
static struct lockdep_map process_turn =
	STATIC_LOCKDEP_MAP_INIT("vpmc_process_turn", &process_turn);
#endif

/*
 * Sleep in @state until @condition holds. wake_up_var() wakes one task at a time. The
 * value is false if current is being killed and the condition does not hold.
 */
#define process_sleep(var, condition, state)				\
	(!___wait_var_event(var, condition, state, WQ_FLAG_EXCLUSIVE, 0, \
			    schedule()))

/*
 * Sleep until no call occupies @p. Called between process_wait() and process_waited().
 * Returns false if current is being killed.
 */
static bool process_await(struct vpmc_process *p, unsigned int state)
{
	lock_map_acquire(&process_occupation);
	lock_map_release(&process_occupation);
	return process_sleep(&p->special,
			     !(READ_ONCE(p->special) & VPMC_PROCESS_OCCUPIED),
			     state);
}

/* Wake one of the tasks that sleep on @var, if a task sleeps. */
static void process_wake(void *var)
{
	smp_mb(); /* Order the write for which tasks wait before the check for waiters. */
	wake_up_var(var);
}

static void process_wait(struct vpmc_process *p)
{
	lockdep_assert_held(&p->lock);
	WRITE_ONCE(p->nr_waiting, p->nr_waiting + 1);
}

/*
 * Decrement the number of waiters, because a waiter has woken up. Wake the next task that need not
 * wait.
 */
static void process_waited(struct vpmc_process *p)
{
	lockdep_assert_held(&p->lock);
	WRITE_ONCE(p->nr_waiting, p->nr_waiting - 1);
	if (!p->nr_waiting)
		process_wake(&p->nr_waiting);
	else if (!(p->special & VPMC_PROCESS_OCCUPIED))
		process_wake(&p->special);
}

static void process_lock_both(struct vpmc_session *s, struct vpmc_process *p)
	__acquires(&s->lock) __acquires(&p->lock)
{
	if (s)
		spin_lock(&s->lock);
	else
		__acquire(&s->lock);
	spin_lock(&p->lock);
}

void vpmc_process_unlock_both(struct vpmc_session *s, struct vpmc_process *p)
	__releases(&p->lock) __releases(&s->lock)
{
	spin_unlock(&p->lock);
	if (s)
		spin_unlock(&s->lock);
	else
		__release(&s->lock);
}

bool vpmc_process_lock_both(struct vpmc_session *s, struct vpmc_process *p)
	__acquires(&s->lock) __acquires(&p->lock)
{
	bool lives = true;

	process_lock_both(s, p);
	while (lives && unlikely(p->special & VPMC_PROCESS_OCCUPIED)) {
		process_wait(p);
		vpmc_process_unlock_both(s, p);
		lives = process_await(p, TASK_KILLABLE);
		process_lock_both(s, p);
		process_waited(p);
	}
	return lives;
}

/*
 * Take the locks of @p and of its session.
 *
 * A process joins and leaves a session under both locks. If the process has joined another session
 * before this function gets the inner lock, the outer lock is the wrong one, so try again. RCU
 * keeps the old session from being freed.
 */
static void process_lock_with_session(struct vpmc_process *p)
	__acquires(&p->session->lock) __acquires(&p->lock)
{
	struct vpmc_session *s;

	rcu_read_lock();
	for (;;) {
		s = READ_ONCE(p->session);
		process_lock_both(s, p);
		if (s == p->session)
			break;
		vpmc_process_unlock_both(s, p);
	}
	rcu_read_unlock();
}

void vpmc_process_note_gap(struct vpmc_thread *t)
{
	struct vpmc_process *p = t->process;

	lockdep_assert_held(&p->lock);
	if (t->state != VPMC_STATE_STOPPED || !t->events ||
	    t->stopped & VPMC_THREAD_GAP_NOTED)
		return;
	if (t->stopped < VPMC_MAX_STOPPED)
		t->stopped++;
	t->stopped |= VPMC_THREAD_GAP_NOTED;
	/* A thread that counts other events is missing in the sum. */
	if (t->generation == p->generation &&
	    vpmc_events_equal(t->events, p->events))
		vpmc_sum_add_stopped(&p->exited, 1);
}

bool vpmc_process_lock_special(struct vpmc_process *p, unsigned int state)
	__releases(&p->lock) __acquires(&p->session->lock) __acquires(&p->lock)
{
	bool lives = true;

	spin_unlock(&p->lock);
	process_lock_with_session(p);
	while (lives && p->special & VPMC_PROCESS_OCCUPIED) {
		process_wait(p);
		vpmc_process_unlock(p);
		lives = process_await(p, state);
		process_lock_with_session(p);
		process_waited(p);
	}
	return lives;
}

bool vpmc_process_trylock(struct vpmc_process *p)
{
	process_lock_with_session(p);
	if (unlikely(p->special & VPMC_PROCESS_OCCUPIED)) {
		vpmc_process_unlock(p);
		return false;
	}
	/*
	 * Both locks are held. This only balances sparse's annotations, because the
	 * caller annotates that it holds them.
	 */
	__release(&p->lock);
	__release(&p->session->lock);
	return true;
}

static bool process_lock_either(struct vpmc_session *s, struct vpmc_process *p)
	__acquires(&s->lock) __acquires(&p->lock)
{
	return s ? vpmc_process_lock_both(s, p) : vpmc_process_lock_killable(p);
}

/*
 * Sleep until *@nr_waiting is 0. A woken task wakes the next task at once, and not at the end of
 * its own call, because this call may be for another session, and may fail. Returns false if
 * current is being killed.
 */
static bool process_let_others(u32 *nr_waiting)
{
	bool lives = process_sleep(nr_waiting, !READ_ONCE(*nr_waiting),
				   TASK_KILLABLE);

	process_wake(nr_waiting);
	return lives;
}

bool vpmc_process_lock_in_turn(struct vpmc_session *s, struct vpmc_process *p)
	__acquires(&s->lock) __acquires(&p->lock)
{
	struct vpmc_session *own;
	bool lives, waits = true;

	for (;;) {
		lives = process_lock_either(s, p);
		own = s ?: p->session;
		if (likely(!p->nr_waiting && !(own && own->nr_waiting)) ||
		    !lives || !waits)
			return lives;
		/* @p may leave the session while the locks are released. */
		if (own)
			vpmc_session_get(own);
		vpmc_process_unlock_both(own, p);
		/*
		 * A task that is being killed does not let other tasks go first, because
		 * its call ends soon.
		 */
		waits = (!own || process_let_others(&own->nr_waiting)) &&
			process_let_others(&p->nr_waiting);
		vpmc_session_put(own);
	}
}

static void process_occupy(struct vpmc_process *p, struct vpmc_session *s)
{
	/* No other call occupies @p, so this does not wait. */
	lock_acquire_exclusive(&process_occupation, 0, 1, NULL, _THIS_IP_);
	WRITE_ONCE(p->special, p->special | VPMC_PROCESS_OCCUPIED);
	if (s)
		vpmc_session_occupy(s);
}

void vpmc_process_give_way(struct vpmc_process *p, struct vpmc_session *s)
	__must_hold(&s->lock) __must_hold(&p->lock)
{
	if (!(p->special & VPMC_PROCESS_OCCUPIED))
		process_occupy(p, s);
	vpmc_process_unlock_both(s, p);
	cond_resched();
	process_lock_both(s, p);
}

void vpmc_process_leave_occupied(struct vpmc_process *p,
				 struct vpmc_session *s)
{
	WRITE_ONCE(p->special, p->special & ~VPMC_PROCESS_OCCUPIED);
	if (s)
		vpmc_session_leave(s);
	process_wake(&p->special);
	lock_map_release(&process_occupation);
}

/* Take the turn if it is free, or else join the end of the queue. */
static void process_queue_turn(struct vpmc_process *p, struct vpmc_turn *turn)
{
	INIT_LIST_HEAD(&turn->node);
	turn->task = current;
	spin_lock(&p->lock);
	if (p->turn)
		list_add_tail(&turn->node, &p->turn->node);
	else
		WRITE_ONCE(p->turn, turn);
	spin_unlock(&p->lock);
}

/* Sleep until the turn has come or current is being killed. */
static void process_await_turn(struct vpmc_process *p,
			       const struct vpmc_turn *turn)
{
	for (;;) {
		set_current_state(TASK_KILLABLE);
		if (READ_ONCE(p->turn) == turn ||
		    fatal_signal_pending(current))
			break;
		schedule();
	}
	__set_current_state(TASK_RUNNING);
}

/* Leave the queue, unless the turn has come. Returns whether the turn has come. */
static bool process_leave_queue(struct vpmc_process *p, struct vpmc_turn *turn)
{
	bool has;

	spin_lock(&p->lock);
	has = p->turn == turn;
	if (!has) {
		list_del(&turn->node);
		turn->task = NULL;
	}
	spin_unlock(&p->lock);
	return has;
}

bool vpmc_process_take_turn(struct vpmc_process *p, struct vpmc_turn *turn)
{
	lock_map_acquire(&process_turn);
	process_queue_turn(p, turn);
	if (likely(READ_ONCE(p->turn) == turn))
		return true;
	process_await_turn(p, turn);
	if (process_leave_queue(p, turn))
		return true;
	lock_map_release(&process_turn);
	return false;
}

/*
 * The next task cannot return before it has the lock, so its task and turn stay valid
 * until then.
 */
void vpmc_process_end_turn(struct vpmc_process *p, struct vpmc_turn *turn)
{
	struct vpmc_turn *next = NULL;

	spin_lock(&p->lock);
	if (!list_empty(&turn->node)) {
		next = list_first_entry(&turn->node, struct vpmc_turn, node);
		list_del(&turn->node);
	}
	WRITE_ONCE(p->turn, next);
	if (next)
		wake_up_process(next->task);
	spin_unlock(&p->lock);
	turn->task = NULL;
	lock_map_release(&process_turn);
}

/*
 * Stop the threads from which system mode has taken the counters. Returns whether there
 * are such threads.
 */
static bool process_stop_taken(struct vpmc_process *p)
{
	struct cpumask *mask = vpmc_count_sync_begin();
	struct vpmc_thread *t;
	bool taken = false;

	list_for_each_entry(t, &p->threads, node) {
		if (!vpmc_thread_is_busy(t))
			continue;
		vpmc_process_set_state(t, VPMC_STATE_REVOKED);
		vpmc_count_set_run(t, 0, mask);
		taken = true;
	}
	/* System mode may not have interrupted their processors yet. */
	vpmc_count_sync(mask, p);
	return taken;
}

void vpmc_process_revoke_taken(struct vpmc_process *p)
{
	unsigned int epoch = READ_ONCE(vpmc_epoch);
	bool taken = process_stop_taken(p);
	u64 old = p->generation;
	struct vpmc_thread *t;

	p->epoch = epoch;
	/* The counters may have been taken back since the reservation was made. */
	vpmc_process_give_up(p);
	if (!taken)
		return;
	vpmc_due_note();
	p->generation = vpmc_process_new_number();
	if (p->session) {
		lockdep_assert_held(&p->session->lock);
		p->session->generation = p->generation;
	}
	list_for_each_entry(t, &p->threads, node) {
		if (t->generation != old)
			break;
		/*
		 * vpmc_own_begin() reads the generation on the thread's processor
		 * without the lock, but only while the thread counts.
		 */
		WARN_ON_ONCE(t->run);
		t->generation = p->generation;
		t->accepted = false;
		if (t->state == VPMC_STATE_REVOKED)
			vpmc_count_unwatch(t);
	}
}

