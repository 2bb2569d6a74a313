// SPDX-License-Identifier: GPL-2.0-only
/* The counters of a process. See process.h. */
#include <linux/capability.h>
#include <linux/err.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "kernel.h"
#include "process.h"
#include "session.h"
#include "system.h"
#include "thread.h"

u64 vpmc_new_generation(void)
{
	static atomic64_t last = ATOMIC64_INIT(0);

	return atomic64_inc_return(&last);
}

static struct vpmc_process *create(void)
{
	struct vpmc_process *p = kzalloc(sizeof(*p), GFP_KERNEL_ACCOUNT);

	if (!p)
		return NULL;
	kref_init(&p->ref);
	spin_lock_init(&p->lock);
	INIT_LIST_HEAD(&p->member);
	INIT_LIST_HEAD(&p->threads);
	p->generation = vpmc_new_generation();
	return p;
}

struct vpmc_process *vpmc_process_get_or_create(struct task_struct *tsk)
{
	struct vpmc_process *p = READ_ONCE(tsk->signal->vpmc), *old;

	if (p)
		return p;
	p = create();
	if (!p)
		return NULL;
	/* The hooks must be live before anything is there for them to find. */
	vpmc_use();
	old = cmpxchg(&tsk->signal->vpmc, NULL, p);
	if (!old)
		return p;
	vpmc_unuse();
	kfree(p);
	return old;
}

static void find(struct signal_struct *sig, void *found)
{
	if (sig->vpmc)
		*(struct vpmc_process **)found = vpmc_process_get(sig->vpmc);
}

struct vpmc_process *vpmc_process_find(struct task_struct *tsk)
{
	struct vpmc_process *p = NULL;

	/* Nobody releases the process that calls. */
	if (tsk->signal == current->signal)
		find(current->signal, &p);
	else
		vpmc_look_at(tsk, find, &p);
	return p;
}

/* @mine becomes NULL unless the process has some already. */
static void install(struct signal_struct *sig, void *mine)
{
	struct vpmc_process **p = mine;

	if (!cmpxchg(&sig->vpmc, NULL, *p))
		*p = NULL;
}

struct vpmc_process *vpmc_process_obtain(struct task_struct *tsk)
{
	struct vpmc_process *p = vpmc_process_find(tsk), *spare;

	if (p)
		return p;
	spare = create();
	if (!spare)
		return ERR_PTR(-ENOMEM);
	vpmc_use();
	vpmc_look_at(tsk, install, &spare);
	if (spare) {
		vpmc_unuse();
		kfree(spare);
	}
	return vpmc_process_find(tsk) ?: ERR_PTR(-ESRCH);
}

static void free_process(struct kref *ref)
{
	struct vpmc_process *p = container_of(ref, struct vpmc_process, ref);

	vpmc_session_put(p->session);
	vpmc_events_put(p->events);
	kfree(p->exited.share);
	kfree(p);
}

void vpmc_process_put(struct vpmc_process *p)
{
	kref_put(&p->ref, free_process);
}

/* The end of the process and the end of the driver may both come here. */
void vpmc_process_release(struct signal_struct *sig)
{
	struct vpmc_process *p = xchg(&sig->vpmc, NULL);

	if (p) {
		vpmc_process_put(p);
		vpmc_unuse();
	}
}

void vpmc_process_release_all(void)
{
	struct task_struct *tsk;

	rcu_read_lock();
	for_each_process(tsk)
		vpmc_process_release(tsk->signal);
	rcu_read_unlock();
}

/* @s, whose lock is the outer one, may be NULL. */
static void lock_both(struct vpmc_session *s, struct vpmc_process *p)
	__acquires(&s->lock) __acquires(&p->lock)
{
	if (s)
		spin_lock(&s->lock);
	else
		__acquire(&s->lock);
	spin_lock(&p->lock);
}

static void unlock_both(struct vpmc_session *s, struct vpmc_process *p)
	__releases(&p->lock) __releases(&s->lock)
{
	spin_unlock(&p->lock);
	if (s)
		spin_unlock(&s->lock);
	else
		__release(&s->lock);
}

/*
 * A session is joined and left under both locks: if that came before we had
 * the inner one, our outer one was wrong, and may even be about to be freed.
 */
static void lock_with_session(struct vpmc_process *p)
	__acquires(&p->session->lock) __acquires(&p->lock)
{
	struct vpmc_session *s;

	rcu_read_lock();
	for (;;) {
		s = READ_ONCE(p->session);
		lock_both(s, p);
		if (s == p->session)
			break;
		unlock_both(s, p);
	}
	rcu_read_unlock();
}

void vpmc_process_lock(struct vpmc_process *p)
	__acquires(&p->session->lock) __acquires(&p->lock)
{
	lock_both(NULL, p);
	if (unlikely(p->session)) {
		unlock_both(NULL, p);
		lock_with_session(p);
	}
}

void vpmc_process_unlock(struct vpmc_process *p)
	__releases(&p->lock) __releases(&p->session->lock)
{
	unlock_both(p->session, p);
}

static bool is_taken(const struct vpmc_thread *t, unsigned int epoch)
{
	return t->epoch != epoch && vpmc_thread_is_busy(t);
}

/* What is seldom so stays out of the way of what asks often. */
static noinline void revoke_taken(struct vpmc_process *p, unsigned int epoch)
{
	u64 old = p->generation;
	struct vpmc_thread *t;

	list_for_each_entry(t, &p->threads, node) {
		if (is_taken(t, epoch)) {
			t->state = VPMC_STATE_REVOKED;
			t->run = false;
			clear_tsk_thread_flag(t->task, TIF_VPMC);
		}
	}
	p->generation = vpmc_new_generation();
	if (p->session)
		p->session->generation = p->generation;
	list_for_each_entry(t, &p->threads, node) {
		if (t->generation != old)
			continue;
		t->generation = p->generation;
		t->accepted = false;
	}
}

void vpmc_process_settle(struct vpmc_process *p)
{
	unsigned int epoch = READ_ONCE(vpmc_epoch);
	struct vpmc_thread *t;

	list_for_each_entry(t, &p->threads, node) {
		if (is_taken(t, epoch)) {
			revoke_taken(p, epoch);
			break;
		}
	}
}

/* The sums are of nothing already, but have no shares yet. */
static void init_shares(struct vpmc_process *p, struct vpmc_share **room)
{
	u32 nr = vpmc_events_shared(p->events);

	vpmc_sum_init(&p->exited, *room, nr);
	vpmc_sum_init(&p->before, *room + nr, nr);
	vpmc_sum_init(&p->children, *room + 2 * nr, nr);
	*room = NULL;
}

/* Its generation is as new as itself. */
void vpmc_process_inherit(struct vpmc_process *p, struct vpmc_process *parent,
			  struct vpmc_events *events, struct vpmc_share **room)
{
	if (parent->session)
		vpmc_process_join(p, parent->session);
	p->privileged = parent->privileged;
	p->fold = parent->fold;
	p->raised = parent->raised;
	p->hidden = parent->hidden;
	p->secret = parent->secret;
	p->events = vpmc_events_get(events);
	if (vpmc_events_shared(events))
		init_shares(p, room);
}

void vpmc_process_join(struct vpmc_process *p, struct vpmc_session *s)
{
	if (!list_empty(&p->threads))
		list_add_tail(&p->member, &s->members);
	WRITE_ONCE(p->session, vpmc_session_get(s));
}

void vpmc_process_retire(struct vpmc_process *p, const struct vpmc_thread *t,
			 u32 what)
{
	struct vpmc_session *s = p->session;
	bool present = t->generation == p->generation;

	if (present)
		vpmc_thread_add(&p->exited, t, p->events);
	if (s && present)
		vpmc_session_add(&s->sum, t, s->events);
	if (s && (present || what & VPMC_RECORD_LAST))
		vpmc_session_record(s, t, what);
}

/* Adds a sum to another. */
typedef void sum_adder(struct vpmc_sum *sum, const struct vpmc_sum *more);

/* Add what @p counts, with the children that it reaped, for its parent. */
static void add_for_parent(struct vpmc_sum *sum, const struct vpmc_process *p,
			   sum_adder *add, bool may_have)
{
	if (p->hidden && !may_have)
		add = vpmc_sum_hide;
	add(sum, &p->exited);
	add(sum, &p->children);
}

/* If these are other events, what is in the sums is missing from now on. */
static void set_events(struct vpmc_process *p, struct vpmc_events *events,
		       struct vpmc_share **room)
{
	u32 nr = vpmc_events_shared(events);
	struct vpmc_share *share = *room;

	if (!vpmc_events_equal(p->events, events)) {
		*room = p->exited.share;
		vpmc_sum_change(&p->exited, share, nr);
		vpmc_sum_change(&p->before, share + nr, nr);
		vpmc_sum_change(&p->children, share + 2 * nr, nr);
	}
	vpmc_events_put(p->events);
	p->events = events;
}

void vpmc_process_restart(struct vpmc_process *p, struct vpmc_events *events,
			  struct vpmc_share **room)
{
	struct vpmc_thread *t;

	list_for_each_entry(t, &p->threads, node)
		vpmc_process_retire(p, t, VPMC_RECORD_RESTARTED);
	add_for_parent(&p->before, p, vpmc_sum_add, false);
	vpmc_sum_clear(&p->exited);
	vpmc_sum_clear(&p->children);
	set_events(p, events, room);
	p->generation = vpmc_new_generation();
}

/* Did @p or its children ever count? */
static bool has_counts(const struct vpmc_process *p)
{
	return p->events || p->children.other_events;
}

/* Add the dead process @c to @p, whose lock is held. */
static void add_sums(struct vpmc_process *p, const struct vpmc_process *c,
		     bool may_watch)
{
	sum_adder *add = vpmc_events_equal(p->events, c->events) ?
			 vpmc_sum_add : vpmc_sum_miss;

	/* Whose counting ended there shall not see what it reaps either. */
	if (p->raised && !p->privileged) {
		p->hidden = true;
		p->secret = true;
	}
	add_for_parent(&p->children, c, add, may_watch || p->hidden);
	add(&p->children, &c->before);
}

/*
 * May current watch what its child @tsk, with counters @c, counted? Asked only
 * if that makes a difference.
 */
static bool may_watch_child(struct vpmc_process *c, struct task_struct *tsk)
{
	bool may;

	if (!c->own && !c->hidden)
		return true;
	may = perfmon_capable();
	/* What raised its rights before it counted: the rights still tell. */
	if (!may && c->own && !vpmc_may_access(tsk, false))
		c->hidden = true;
	return may;
}

/*
 * Add the dead process @c, with what it had reaped itself, to @p's children. A
 * process without events of its own takes those of its first child. If there
 * is no memory for that, the child is missing in its sum. Returns whether it
 * was added: not to one that has itself been folded.
 */
static bool add_child(struct vpmc_process *p, const struct vpmc_process *c,
		      bool may_watch)
{
	struct vpmc_share *room;
	bool has_room = !vpmc_share_alloc(c->events, VPMC_PROCESS_SUMS, &room);
	bool fit;

	spin_lock(&p->lock);
	fit = !p->folded;
	if (fit) {
		if (!p->events && c->events && has_room)
			set_events(p, vpmc_events_get(c->events), &room);
		add_sums(p, c, may_watch);
	}
	spin_unlock(&p->lock);
	kfree(room);
	return fit;
}

void vpmc_process_wait(struct task_struct *child)
{
	struct vpmc_process *c = child->signal->vpmc;
	struct vpmc_process *p;
	bool may_watch;

	if (!has_counts(c) || c->folded)
		return;
	may_watch = may_watch_child(c, child);
	p = vpmc_process_get_or_create(current);
	if (p)
		add_child(p, c, may_watch);
}

/*
 * The parent of @tsk, or whoever inherited it, with a reference; NULL if @tsk
 * has been released, and its children have another one.
 */
static struct task_struct *get_parent(struct task_struct *tsk)
{
	struct task_struct *parent = NULL;

	rcu_read_lock();
	if (pid_alive(tsk))
		parent = get_task_struct(rcu_dereference(tsk->real_parent));
	rcu_read_unlock();
	return parent;
}

static void set_folded(struct vpmc_process *c, bool folded)
{
	spin_lock(&c->lock);
	c->folded = folded;
	spin_unlock(&c->lock);
}

/*
 * Add @c to @parent's children. Returns 0, -ESRCH if that has been released,
 * -EEXIST if it has itself been folded, or -ENOMEM.
 */
static int fold_into(struct task_struct *parent, const struct vpmc_process *c)
{
	struct vpmc_process *p = vpmc_process_obtain(parent);
	int err;

	if (IS_ERR(p))
		return PTR_ERR(p);
	err = add_child(p, c, false) ? 0 : -EEXIST;
	vpmc_process_put(p);
	return err;
}

/*
 * The parent may have been folded at this moment, too, and not be known as gone
 * yet: then its parent is the one. That ends with the first process of all. Or
 * it is released while we look: then current has another one.
 */
void vpmc_process_fold(struct vpmc_process *c)
{
	struct task_struct *tsk = get_task_struct(current), *parent;
	int err;

	set_folded(c, true);
	do {
		parent = get_parent(tsk);
		err = parent ? fold_into(parent, c) : -ESRCH;
		put_task_struct(tsk);
		if (err == -ESRCH) {
			if (parent)
				put_task_struct(parent);
			parent = get_task_struct(current);
		}
		tsk = parent;
	} while (err == -ESRCH || err == -EEXIST);
	put_task_struct(tsk);
	/* Perhaps there is memory when somebody waits. */
	if (err)
		set_folded(c, false);
}

bool vpmc_process_may_read(struct vpmc_process *p)
{
	return !READ_ONCE(p->secret) || perfmon_capable();
}

/* The state of a process is that of its busiest thread. */
static enum vpmc_state busier(enum vpmc_state a, enum vpmc_state b)
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

enum vpmc_state vpmc_process_sum(struct vpmc_process *p, vpmc_adder *add,
				 const struct vpmc_events *events,
				 struct vpmc_sum *sum, enum vpmc_state state)
{
	struct vpmc_thread *t;

	list_for_each_entry(t, &p->threads, node) {
		if (t->generation != p->generation)
			continue;
		state = busier(state, t->state);
		if (sum)
			add(sum, t, events);
	}
	return state;
}

u64 vpmc_process_generation(struct vpmc_process *p)
{
	u64 generation;

	vpmc_process_lock(p);
	vpmc_process_settle(p);
	generation = p->events ? p->generation : 0;
	vpmc_process_unlock(p);
	return generation;
}

static u32 nr_events(const struct vpmc_process *p)
{
	return p->events ? p->events->nr : 0;
}

/* Does a thread other than current count? vpmc_process_lock() held. */
static bool others_run(const struct vpmc_process *p)
{
	const struct vpmc_thread *t;

	list_for_each_entry(t, &p->threads, node) {
		if (t->run && t->task != current)
			return true;
	}
	return false;
}

/* Others' counts are as old as their last tick. */
static void bring_up_to_date(struct vpmc_process *p)
{
	if (others_run(p)) {
		on_each_cpu(vpmc_thread_fold, p, 1);
	} else {
		local_irq_disable();
		vpmc_thread_fold(p);
		local_irq_enable();
	}
}

/* vpmc_process_lock() held. */
static int read_self(struct vpmc_process *p, struct vpmc_read *read)
{
	/* Large, and seldom used. */
	struct vpmc_share share[VPMC_MAX_EVENTS] __uninitialized;
	struct vpmc_sum sum;

	bring_up_to_date(p);
	/* Once they are: what was taken before is missing in them. */
	vpmc_process_settle(p);
	vpmc_sum_init(&sum, share, vpmc_events_shared(p->events));
	vpmc_sum_add(&sum, &p->exited);
	read->state = vpmc_process_sum(p, vpmc_thread_add, p->events, &sum,
				       VPMC_STATE_EXITED);
	read->running = !list_empty(&p->threads);
	return vpmc_sum_report(read, &sum, nr_events(p));
}

/* vpmc_process_lock() held. */
static int read_children(struct vpmc_process *p, struct vpmc_read *read)
{
	vpmc_process_settle(p);
	read->state = vpmc_process_sum(p, NULL, NULL, NULL, VPMC_STATE_EXITED);
	read->running = 0;
	return vpmc_sum_report(read, &p->children, nr_events(p));
}

int vpmc_process_read(struct vpmc_process *p, struct vpmc_read *read)
{
	int err = -ENODATA;

	vpmc_process_lock(p);
	if (has_counts(p)) {
		err = read->scope == VPMC_SCOPE_CHILDREN ?
		      read_children(p, read) : read_self(p, read);
		read->generation = p->generation;
	}
	vpmc_process_unlock(p);
	return err;
}
