/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A thread on its processor: switch, tick, and bringing counts up to date.
 *
 * Each processor counts for the thread in its vpmc_loaded; no other processor
 * touches its counters. To start or stop a thread from elsewhere, set @run,
 * then interrupt the processor that the thread is on (vpmc_count_sync()). A
 * processor that it comes to later sees @run at the switch. TIF_VPMC makes the
 * switch look at the thread: it is set before @run, and cleared after it, when
 * no processor counts for the thread any more.
 *
 * A thread is isolated if its process may execute RDPMC in user mode. Then the
 * hardware must show nothing of others: when the thread is switched in, the
 * counters that it uses are set to the low bits of its own counts if its page may
 * show these, and the others to zero. If it does not count, all are set to zero.
 */
#ifndef VPMC_COUNT_H
#define VPMC_COUNT_H

#include <linux/cpumask.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/tick.h>

#include <asm/msr.h>

#include "cpu/cpu.h"
#include "thread/notify.h"
#include "thread/thread_counters.h"

struct pt_regs;
struct task_struct;
struct vpmc_process;

/*
 * The thread, current's, for which this processor counts, or NULL; and its
 * process. Other processors compare it, or read its @session under RCU: it may be gone,
 * but not if that is a session whose lock they hold.
 */
DECLARE_PER_CPU(struct vpmc_thread *, vpmc_loaded);
DECLARE_PER_CPU(struct vpmc_process *, vpmc_loaded_process);

/*
 * @t, whose @task is set, is about to count: each switch looks at it, and a processor
 * that it has to itself keeps its ticks (nohz_full). Any context.
 */
static inline void vpmc_count_watch(struct vpmc_thread *t)
{
	set_tsk_thread_flag(t->task, TIF_VPMC);
	tick_dep_set_task(t->task, TICK_DEP_BIT_PERF_EVENTS);
}

/* No processor counts for @t any more. */
static inline void vpmc_count_unwatch(struct vpmc_thread *t)
{
	clear_tsk_thread_flag(t->task, TIF_VPMC);
	tick_dep_clear_task(t->task, TICK_DEP_BIT_PERF_EVENTS);
}

/*
 * Bring @t, for which this processor counts, up to date: @counter are its counters.
 * Interrupts off.
 */
static __always_inline void vpmc_count_advance(struct vpmc_thread *t,
					       struct vpmc_counter *counter)
{
	u64 tsc;

	raw_write_seqcount_begin(&t->seq);
	vpmc_pmu->exchange(t->events->load.used, counter, counter);
	tsc = rdtsc();
	t->tsc += tsc - t->tsc_start;
	t->tsc_start = tsc;
	raw_write_seqcount_end(&t->seq);
}

/**
 * vpmc_count_set_run() - tell a thread to count or to stop
 * @t: the thread, whose @t->task lives
 * @epoch: that of its process, in which it is to count, or 0 to stop
 * @mask: receives the processor that must be told, if any. NULL if the thread
 *	looks by itself before it returns to user mode, see work.h.
 *
 * Has no effect on a processor that the thread is on until vpmc_count_sync().
 *
 * Context: @t->process->lock held, between vpmc_count_sync_begin() and
 * vpmc_count_sync().
 */
void vpmc_count_set_run(struct vpmc_thread *t, unsigned int epoch,
			struct cpumask *mask);

/* Is @tsk on a processor, or may it come to one before it looks at vpmc_thread.run? */
static inline bool vpmc_count_may_be_on_cpu(const struct task_struct *tsk)
{
#ifdef CONFIG_SMP
	return READ_ONCE(tsk->on_rq) || READ_ONCE(tsk->on_cpu);
#else
	return tsk == current;
#endif
}

/*
 * vpmc_count_set_run() of a thread that is not to count. Pairs with the barrier with which
 * the scheduler begins each switch (smp_mb__after_spinlock() in __schedule()). A task that
 * is neither on a processor nor queued here is switched in later, and that switch finds
 * @run as it is now. A task that is found is on the processor that task_cpu() says, or
 * comes to another one through such a switch.
 */
static __always_inline void vpmc_count_clear_run(struct vpmc_thread *t,
						 struct cpumask *mask)
{
	struct task_struct *tsk = t->task;

	lockdep_assert_preemption_disabled();
	WRITE_ONCE(t->accepted, false);
	WRITE_ONCE(t->run, 0);
	smp_mb(); /* See above. */
	if (vpmc_count_may_be_on_cpu(tsk) && tsk != current)
		cpumask_set_cpu(task_cpu(tsk), mask);
}

/*
 * Let @t, which is watched and held, count again in @epoch: it looks by itself, see work.h. As
 * above, without a mask.
 */
static inline void vpmc_count_run_held(struct vpmc_thread *t,
				       unsigned int epoch)
{
	/* As in vpmc_count_set_run(). */
	smp_wmb();
	WRITE_ONCE(t->run, epoch);
}

/*
 * Queue the work of @t, which is set up, for its thread @tsk, unless it is queued
 * already. Returns false if @tsk is exiting. Any context.
 */
bool vpmc_count_queue_work(struct vpmc_thread *t, struct task_struct *tsk);

/* An empty mask for vpmc_count_set_run(). Disables preemption. */
struct cpumask *vpmc_count_sync_begin(void);

/* Add @mask to @all, and enable preemption, until another vpmc_count_sync_begin(). */
void vpmc_count_sync_pause(struct cpumask *all, const struct cpumask *mask);

/*
 * Make the processors in @mask obey @run of the threads of @p, and enable
 * preemption. When this returns, no processor counts for a thread whose @run
 * is 0, and each counts for its thread whose @run is the epoch. Interrupts each
 * processor at most once. Interrupts on.
 */
void vpmc_count_sync(struct cpumask *mask, const struct vpmc_process *p);

/*
 * The same for the calling thread alone, whose lock is held: let it count in @epoch, that
 * of its process, or stop. Interrupts on.
 */
void vpmc_count_start_own(struct vpmc_thread *t, unsigned int epoch);
void vpmc_count_stop_own(struct vpmc_thread *t);

/* @t has stopped, and no processor counts for it: switches need not look at it. */
static inline void vpmc_count_forget(struct vpmc_thread *t)
{
	if (unlikely(t->has_signals))
		vpmc_notify_stopped(t);
	vpmc_count_unwatch(t);
}

/*
 * Between these two, this processor does not count for the calling thread.
 * Interrupts off.
 */
void vpmc_count_pause(void);
void vpmc_count_continue(void);

/*
 * Stop @t for good and take it from its thread, which is current or never ran.
 * Its counts are final. @t->process->lock held.
 */
void vpmc_count_end(struct vpmc_thread *t);

/* Bring the calling thread's counts up to date. Interrupts on. */
void vpmc_count_fold_own(void);

/*
 * Bring up to date what the processors in @mask count, after vpmc_count_sync_begin(),
 * and enable preemption. No others are interrupted: threads that are not on a processor
 * are up to date. Interrupts on.
 */
void vpmc_count_fold(struct cpumask *mask);

/* The same for the processors that count for threads of @p, whose lock may be held. */
void vpmc_count_fold_process(const struct vpmc_process *p);

/* The same for @t alone, whose lock is held. */
void vpmc_count_fold_thread(struct vpmc_thread *t);

/*
 * Add to @sum what @t, which has started, had counted when it was last brought
 * up to date. It may be counting on another processor. @t->process->lock held.
 */
void vpmc_count_add(struct vpmc_sum *sum, const struct vpmc_thread *t);

/**
 * struct vpmc_count_batch - what some threads have counted, until it is in a sum
 * @counter: in the order of vpmc_thread.counter
 * @tsc: their clocks
 * @nr: how many threads
 */
struct vpmc_count_batch {
	u64 counter[VPMC_SMALL_EVENTS];
	u64 tsc;
	u32 nr;
};

/* Add @t, which counts nowhere, and whose events are not large and those of the others. */
static __always_inline void
vpmc_count_batch_add(struct vpmc_count_batch *batch,
		     const struct vpmc_thread *t)
{
	u32 i;

	for (i = 0; i < VPMC_SMALL_EVENTS; i++)
		batch->counter[i] += t->counter[i].sum;
	batch->tsc += t->tsc;
	batch->nr++;
}

/* Move @batch, of threads that counted @events, to @sum. */
static inline void vpmc_count_batch_end(struct vpmc_count_batch *batch,
					const struct vpmc_events *events,
					struct vpmc_sum *sum)
{
	u32 i;

	for (i = 0; i < events->nr; i++)
		sum->count[i] += batch->counter[vpmc_events_index(events, i)];
	sum->tsc += batch->tsc;
	sum->added = vpmc_sum_saturate(sum->added, batch->nr);
	*batch = (struct vpmc_count_batch){};
}

/*
 * The same into @read, in place of a sum of @t alone. The events of @t are not
 * large. Their times are filled in if the caller has room for some.
 */
void vpmc_count_read(struct vpmc_read *read, const struct vpmc_thread *t);

/*
 * The same as vpmc_count_add() if @t counts @events, as @sum does, and is not
 * revoked. If not, note in @sum that it is missing.
 */
void vpmc_count_add_to(struct vpmc_sum *sum, const struct vpmc_thread *t,
		       const struct vpmc_events *events);

/* Hooks, see vpmc_hooks.h. */
void vpmc_count_switch(struct task_struct *prev, struct task_struct *next);
void vpmc_count_rdpmc(struct task_struct *tsk);
void vpmc_count_tick(struct task_struct *curr);
bool vpmc_count_fixup(struct pt_regs *regs);

#endif /* VPMC_COUNT_H */
