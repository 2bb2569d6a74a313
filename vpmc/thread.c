// SPDX-License-Identifier: GPL-2.0-only
/* The counters of one thread. See thread.h. */
#include <linux/build_bug.h>
#include <linux/capability.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include <asm/msr.h>

#include "cpu.h"
#include "session.h"
#include "thread.h"

/* What a thread that counts may cost in memory. */
static_assert(sizeof(struct vpmc_thread) <= 256);

/* The thread's counters if it counts. */
static struct vpmc_thread *counting(struct task_struct *tsk)
{
	return test_tsk_thread_flag(tsk, TIF_VPMC) ? tsk->thread.vpmc : NULL;
}

/* Add what the hardware has counted for @t since it was last looked at. */
static void account(struct vpmc_thread *t, const u64 *now, u64 tsc)
{
	u64 mask = vpmc_cpu_mask();
	u32 i;

	raw_write_seqcount_begin(&t->seq);
	for (i = 0; i < t->events->nr; i++) {
		struct vpmc_counter *c = &t->counter[i];
		u64 value = now[t->events->counter[i]];

		c->sum += vpmc_delta(value, c->start, mask);
		c->start = value;
	}
	t->tsc += tsc - t->tsc_start;
	t->tsc_start = tsc;
	raw_write_seqcount_end(&t->seq);
}

/* From here on the hardware, which shows @now, counts for @t. */
static void begin(struct vpmc_thread *t, u64 *now, u64 tsc)
{
	u32 i;

	vpmc_cpu_load(t->events, now);
	raw_write_seqcount_begin(&t->seq);
	for (i = 0; i < t->events->nr; i++)
		t->counter[i].start = now[t->events->counter[i]];
	t->tsc_start = tsc;
	raw_write_seqcount_end(&t->seq);
}

/*
 * Each hardware counter is read once: the end of one thread's time is the
 * beginning of the other's.
 */
void vpmc_thread_switch(struct task_struct *prev, struct task_struct *next)
{
	struct vpmc_thread *out = counting(prev), *in = counting(next);
	u64 now[VPMC_MAX_COUNTERS], tsc;

	vpmc_pmu->read_counters((out ? out->events->used : 0) |
				(in ? in->events->used : 0), now);
	tsc = rdtsc();
	if (out)
		account(out, now, tsc);
	if (in)
		begin(in, now, tsc);
}

/* Bring @t, which counts on this processor, up to date. Interrupts off. */
static void fold(struct vpmc_thread *t)
{
	u64 now[VPMC_MAX_COUNTERS];

	vpmc_pmu->read_counters(t->events->used, now);
	account(t, now, rdtsc());
}

/* No hardware counter may wrap twice unseen. */
void vpmc_thread_tick(struct task_struct *curr)
{
	struct vpmc_thread *t = counting(curr);

	if (t)
		fold(t);
}

void vpmc_thread_fold(void *process)
{
	struct vpmc_thread *t = counting(current);

	if (t && (!process || t->process == process))
		fold(t);
}

/* Give the current thread, @t, another state. @t->process->lock held. */
static void set_state(struct vpmc_thread *t, enum vpmc_state state)
{
	u64 now[VPMC_MAX_COUNTERS];

	local_irq_disable();
	if (t->state == VPMC_STATE_RUNNING) {
		fold(t);
		clear_thread_flag(TIF_VPMC);
	}
	t->state = state;
	if (state == VPMC_STATE_RUNNING) {
		vpmc_pmu->read_counters(t->events->used, now);
		begin(t, now, rdtsc());
		set_thread_flag(TIF_VPMC);
	}
	local_irq_enable();
}

static struct vpmc_thread *create(struct vpmc_process *p)
{
	struct vpmc_thread *t = kzalloc(sizeof(*t), GFP_KERNEL_ACCOUNT);

	if (!t)
		return NULL;
	t->process = vpmc_process_get(p);
	seqcount_init(&t->seq);
	return t;
}

static void destroy(struct vpmc_thread *t)
{
	vpmc_events_put(t->events);
	vpmc_process_put(t->process);
	kfree(t);
}

/*
 * @tsk gets its first counters, @t. The exit hook's caller gives the reference
 * to the module back. vpmc_process_lock() held.
 */
static void attach(struct task_struct *tsk, struct vpmc_thread *t)
{
	struct vpmc_process *p = t->process;

	__module_get(THIS_MODULE);
	if (p->session && list_empty(&p->threads))
		list_add_tail(&p->member, &p->session->members);
	list_add_tail(&t->node, &p->threads);
	t->task = tsk;
	tsk->thread.vpmc = t;
}

/* Does another thread than @self count what the process counts? */
static bool others_count(struct vpmc_process *p, struct vpmc_thread *self)
{
	struct vpmc_thread *t;

	list_for_each_entry(t, &p->threads, node) {
		if (t == self || t->generation != p->generation)
			continue;
		if (t->state == VPMC_STATE_RUNNING ||
		    t->state == VPMC_STATE_ARMED)
			return true;
	}
	return false;
}

/*
 * Point the stopped thread @t at zero of @events, in the process's present
 * generation if others count in it, else in a new one. vpmc_process_lock()
 * held.
 */
static void restart(struct vpmc_thread *t, struct vpmc_events *events)
{
	struct vpmc_process *p = t->process;

	if (others_count(p, t)) {
		vpmc_process_retire(p, t, VPMC_RECORD_RESTARTED);
	} else {
		vpmc_process_restart(p, vpmc_events_get(events));
		p->privileged = perfmon_capable();
	}
	vpmc_events_put(t->events);
	t->events = events;
	t->generation = p->generation;
	t->tsc = 0;
	memset(t->counter, 0, sizeof(t->counter));
}

/* May the calling thread, whose counters are @t if it has any, start? */
static int check_start(const struct vpmc_thread *t,
		       const struct vpmc_events *events, u32 flags)
{
	if (t && (t->state == VPMC_STATE_RUNNING ||
		  t->state == VPMC_STATE_ARMED))
		return -EBUSY;
	if (!(flags & VPMC_START_RESUME))
		return 0;
	if (!t || t->state != VPMC_STATE_STOPPED)
		return -ENODATA;
	return vpmc_events_equal(t->events, events) ? 0 : -EINVAL;
}

/*
 * Let @t go on, or begin at zero of @events. Takes the reference to @events if
 * it succeeds. vpmc_process_lock() held.
 */
static int start(struct vpmc_thread *t, struct vpmc_events *events, u32 flags,
		 struct vpmc_session *session)
{
	if (flags & VPMC_START_RESUME) {
		/* Others began anew: what would go on is not there any more. */
		if (t->generation != t->process->generation)
			return -ENODATA;
		vpmc_events_put(events);
	} else {
		restart(t, events);
	}
	if (session)
		vpmc_session_restart(session, flags & VPMC_START_RECORDS,
				     t->process);
	set_state(t, flags & VPMC_START_AT_EXEC ? VPMC_STATE_ARMED :
						  VPMC_STATE_RUNNING);
	return 0;
}

int vpmc_thread_start(struct vpmc_events *events, u32 flags,
		      struct vpmc_session *session, u64 *generation)
{
	struct vpmc_thread *t = current->thread.vpmc;
	struct vpmc_process *p;
	int err;

	err = check_start(t, events, flags);
	if (err)
		return err;
	p = vpmc_process_get_or_create(current);
	if (p && !t)
		t = create(p);
	if (!p || !t)
		return -ENOMEM;
	err = session ? vpmc_session_join(session, p) : 0;
	if (err)
		goto out;

	vpmc_process_lock(p);
	if (!current->thread.vpmc)
		attach(current, t);
	err = start(t, events, flags, session);
	*generation = t->generation;
	vpmc_process_unlock(p);
	return err;

out:
	if (!current->thread.vpmc)
		destroy(t);
	return err;
}

int vpmc_thread_stop(u64 *generation)
{
	struct vpmc_thread *t = current->thread.vpmc;

	if (!t)
		return -ENODATA;
	spin_lock(&t->process->lock);
	if (t->state != VPMC_STATE_REVOKED)
		set_state(t, VPMC_STATE_STOPPED);
	*generation = t->generation;
	spin_unlock(&t->process->lock);
	return 0;
}

void vpmc_thread_counts(struct vpmc_sum *sum, const struct vpmc_thread *t)
{
	u64 count[VPMC_MAX_COUNTERS], tsc;
	unsigned int seq;
	u32 i;

	do {
		seq = read_seqcount_begin(&t->seq);
		for (i = 0; i < t->events->nr; i++)
			count[i] = t->counter[i].sum;
		tsc = t->tsc;
	} while (read_seqcount_retry(&t->seq, seq));

	for (i = 0; i < t->events->nr; i++)
		sum->count[i] += count[i];
	sum->tsc += tsc;
	sum->added++;
}

void vpmc_thread_add(struct vpmc_sum *sum, const struct vpmc_thread *t,
		     const struct vpmc_events *events)
{
	if (t->state == VPMC_STATE_REVOKED)
		sum->revoked++;
	else if (vpmc_events_equal(t->events, events))
		vpmc_thread_counts(sum, t);
	else
		sum->other_events++;
}

int vpmc_thread_read(struct vpmc_read *read)
{
	struct vpmc_thread *t = current->thread.vpmc;
	struct vpmc_sum sum = {};

	if (!t)
		return -ENODATA;
	local_irq_disable();
	vpmc_thread_fold(t->process);
	vpmc_thread_counts(&sum, t);
	local_irq_enable();

	read->state = t->state;
	read->running = 0;
	read->generation = t->generation;
	vpmc_sum_report(read, &sum, t->events->nr);
	return 0;
}

/* The child's process: its parent's, or a new one that counts the same. */
static struct vpmc_process *process_of_child(struct task_struct *child,
					     struct vpmc_thread *parent)
{
	struct vpmc_process *p;

	if (child->signal == current->signal)
		return parent->process;
	p = vpmc_process_get_or_create(child);
	if (!p)
		return NULL;
	if (parent->process->session)
		vpmc_process_join(p, parent->process->session);
	vpmc_process_lock(p);
	vpmc_process_restart(p, vpmc_events_get(parent->events));
	p->privileged = parent->process->privileged;
	vpmc_process_unlock(p);
	return p;
}

int vpmc_thread_fork(struct task_struct *child)
{
	struct vpmc_thread *parent = current->thread.vpmc, *t;
	struct vpmc_process *p;

	if (parent->state != VPMC_STATE_RUNNING)
		return 0;
	p = process_of_child(child, parent);
	if (!p)
		return -ENOMEM;
	t = create(p);
	if (!t) {
		if (p != parent->process)
			vpmc_process_release(child->signal);
		return -ENOMEM;
	}
	t->events = vpmc_events_get(parent->events);
	t->state = VPMC_STATE_RUNNING;

	vpmc_process_lock(p);
	t->generation = p == parent->process ? parent->generation :
					       p->generation;
	attach(child, t);
	set_tsk_thread_flag(child, TIF_VPMC);
	vpmc_process_unlock(p);
	return 0;
}

/*
 * The new program may do what the user may not: nothing of it is counted for
 * somebody who has no right to watch it, and the generation says so.
 */
static void revoke(struct vpmc_thread *t)
{
	struct vpmc_process *p = t->process;

	set_state(t, VPMC_STATE_REVOKED);
	p->generation = vpmc_new_generation();
	t->generation = p->generation;
}

void vpmc_thread_exec(bool raised)
{
	struct vpmc_thread *t = current->thread.vpmc;

	vpmc_process_lock(t->process);
	if (raised && !t->process->privileged)
		revoke(t);
	else if (t->state == VPMC_STATE_ARMED)
		set_state(t, VPMC_STATE_RUNNING);
	vpmc_process_unlock(t->process);
}

/* What @t counted stays with its process. A thread that never ran has nothing. */
static void leave(struct vpmc_thread *t, bool ran)
{
	struct vpmc_process *p = t->process;
	bool last;

	vpmc_process_lock(p);
	list_del(&t->node);
	last = list_empty(&p->threads);
	if (last)
		list_del_init(&p->member);
	if (ran)
		vpmc_process_retire(p, t, last ? VPMC_RECORD_LAST : 0);
	vpmc_process_unlock(p);
}

void vpmc_thread_exit(struct task_struct *tsk)
{
	struct vpmc_thread *t = tsk->thread.vpmc;
	bool ran = tsk == current;

	local_irq_disable();
	if (ran)
		vpmc_thread_fold(t->process);
	clear_tsk_thread_flag(tsk, TIF_VPMC);
	tsk->thread.vpmc = NULL;
	local_irq_enable();

	leave(t, ran);
	/* A fork that failed: nobody will reap the process that was not. */
	if (!ran && tsk->signal != current->signal)
		vpmc_process_release(tsk->signal);
	destroy(t);
}
