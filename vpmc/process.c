// SPDX-License-Identifier: GPL-2.0-only
/* The counters of a process. See process.h. */
#include <linux/err.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "kernel.h"
#include "process.h"
#include "thread.h"

u64 vpmc_new_generation(void)
{
	static atomic64_t last = ATOMIC64_INIT(0);

	return atomic64_inc_return(&last);
}

struct vpmc_process *vpmc_process_get_or_create(struct signal_struct *sig)
{
	struct vpmc_process *p = READ_ONCE(sig->vpmc), *old;

	if (p)
		return p;
	p = kzalloc(sizeof(*p), GFP_KERNEL_ACCOUNT);
	if (!p)
		return NULL;
	kref_init(&p->ref);
	spin_lock_init(&p->lock);
	INIT_LIST_HEAD(&p->threads);
	p->generation = vpmc_new_generation();

	/* The hooks must be live before anything is there for them to find. */
	__module_get(THIS_MODULE);
	vpmc_use();
	old = cmpxchg(&sig->vpmc, NULL, p);
	if (!old)
		return p;
	vpmc_unuse();
	module_put(THIS_MODULE);
	kfree(p);
	return old;
}

static void free_process(struct kref *ref)
{
	struct vpmc_process *p = container_of(ref, struct vpmc_process, ref);

	vpmc_events_put(p->events);
	kfree(p);
}

void vpmc_process_put(struct vpmc_process *p)
{
	kref_put(&p->ref, free_process);
}

void vpmc_process_release(struct signal_struct *sig)
{
	struct vpmc_process *p = sig->vpmc;

	/*
	 * With preemption off the module's text outlives module_put(): before
	 * it goes, there is a grace period.
	 */
	preempt_disable();
	sig->vpmc = NULL;
	vpmc_process_put(p);
	vpmc_unuse();
	module_put(THIS_MODULE);
	preempt_enable();
}

void vpmc_process_restart(struct vpmc_process *p, struct vpmc_events *events)
{
	vpmc_events_put(p->events);
	p->events = events;
	p->generation = vpmc_new_generation();
	memset(&p->exited, 0, sizeof(p->exited));
	memset(&p->children, 0, sizeof(p->children));
}

static void add(struct vpmc_sum *sum, const struct vpmc_sum *more)
{
	int i;

	for (i = 0; i < VPMC_MAX_COUNTERS; i++)
		sum->count[i] += more->count[i];
	sum->tsc += more->tsc;
	sum->not_added += more->not_added;
}

/*
 * @child is dead and being reaped by current: add it, with the children that
 * it reaped itself, to current's children if that has counters of its own.
 */
void vpmc_process_wait(struct task_struct *child)
{
	struct vpmc_process *c = child->signal->vpmc;
	struct vpmc_process *p = current->signal->vpmc;

	if (!p)
		return;
	spin_lock(&p->lock);
	if (vpmc_events_equal(p->events, c->events)) {
		add(&p->children, &c->exited);
		add(&p->children, &c->children);
	} else {
		p->children.not_added += 1 + c->children.not_added;
	}
	spin_unlock(&p->lock);
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

/* Sum up the threads, living and gone. @p->lock held. */
static enum vpmc_state sum_threads(struct vpmc_process *p,
				   struct vpmc_sum *sum)
{
	enum vpmc_state state = VPMC_STATE_EXITED;
	struct vpmc_thread *t;

	*sum = p->exited;
	list_for_each_entry(t, &p->threads, node) {
		if (t->generation != p->generation)
			continue;
		state = busier(state, t->state);
		if (vpmc_events_equal(t->events, p->events))
			vpmc_thread_add(sum, t);
		else
			sum->not_added++;
	}
	return state;
}

u64 vpmc_process_generation(struct vpmc_process *p)
{
	u64 generation;

	spin_lock(&p->lock);
	generation = p->generation;
	spin_unlock(&p->lock);
	return generation;
}

int vpmc_process_read(struct vpmc_process *p, struct vpmc_read *read)
{
	struct vpmc_sum sum;

	/* Others' counts are as old as their last tick. */
	on_each_cpu(vpmc_thread_fold, p, 1);

	spin_lock(&p->lock);
	if (!p->events) {
		spin_unlock(&p->lock);
		return -ENODATA;
	}
	read->state = sum_threads(p, &sum);
	if (read->scope == VPMC_SCOPE_CHILDREN)
		sum = p->children;
	read->generation = p->generation;
	read->nr_counts = p->events->nr;
	read->not_added = sum.not_added;
	read->tsc = sum.tsc;
	memcpy(read->count, sum.count, sizeof(sum.count));
	spin_unlock(&p->lock);
	return 0;
}
