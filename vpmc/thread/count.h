/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares how a processor counts for a thread: switch, tick, and bringing
 * counts up to date.
 *
 * Each processor counts for the thread in its vpmc_loaded. No other processor writes the counters
 * of that thread. To start or stop a thread from elsewhere, set @run, then interrupt the processor
 * that the thread is on (vpmc_count_sync()). A processor that runs the thread later sees @run at
 * the switch. The flag TIF_VPMC makes a switch check the thread. The flag is set before @run is
 * set. The flag is cleared after @run is cleared, when no processor counts for the thread any more.
 *
 * A thread is isolated if its process may execute RDPMC in user mode. The hardware must not show
 * this thread the counts of other threads. When the thread is switched in, the counters that it
 * uses are set to the low bits of its own counts, if its page may show the counts. All other
 * counters are set to zero. If the thread does not count, all counters are set to zero.
 */
#ifndef VPMC_COUNT_H
#define VPMC_COUNT_H

#include <linux/cpumask.h>
#include <linux/sched.h>
#include <linux/tick.h>

#include "thread/loaded.h"
#include "thread/notify.h"
#include "thread/thread_counters.h"

struct task_struct;
struct vpmc_process;

/*
 * Make each switch check @t, which is about to count. @t->task is set. A processor that
 * runs only this thread keeps its ticks (nohz_full). Any context.
 */
static inline void vpmc_count_watch(struct vpmc_thread *t)
{
	set_tsk_thread_flag(t->task, TIF_VPMC);
	tick_dep_set_task(t->task, TICK_DEP_BIT_PERF_EVENTS);
}

/* Undo vpmc_count_watch(). No processor counts for @t any more. */
static inline void vpmc_count_unwatch(struct vpmc_thread *t)
{
	clear_tsk_thread_flag(t->task, TIF_VPMC);
	tick_dep_clear_task(t->task, TICK_DEP_BIT_PERF_EVENTS);
}

/**
 * vpmc_count_set_run() - let a thread count, or stop it
 * @t: the thread, whose @t->task has not exited
 * @epoch: the epoch of its process, to let it count, or 0 to stop it
 * @mask: receives the processor that must be interrupted, if any. NULL if the thread
 *	itself checks @run before it returns to user mode, see work.h.
 *
 * If the thread is on a processor, this takes effect in vpmc_count_sync().
 *
 * Context: @t->process->lock held, between vpmc_count_sync_begin() and
 * vpmc_count_sync().
 */
void vpmc_count_set_run(struct vpmc_thread *t, unsigned int epoch,
			struct cpumask *mask);

/*
 * Return whether @tsk is on a processor, or can be switched in without a check of
 * vpmc_thread.run.
 */
static inline bool vpmc_count_may_be_on_cpu(const struct task_struct *tsk)
{
#ifdef CONFIG_SMP
	return READ_ONCE(tsk->on_rq) || READ_ONCE(tsk->on_cpu);
#else
	return tsk == current;
#endif
}

/*
 * Like vpmc_count_set_run() for a thread that is not to count. The barrier pairs with
 * smp_mb__after_spinlock() at the beginning of each switch, in __schedule(). A task that
 * is neither running nor queued is switched in later, and that switch sees the present
 * @run. A task that is running or queued is on task_cpu(), or reaches another processor
 * by a switch that sees @run.
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
 * Let @t, which is watched and held, count again in @epoch. No processor needs to be
 * interrupted, because the thread itself checks @run (work.h).
 */
static inline void vpmc_count_run_held(struct vpmc_thread *t,
				       unsigned int epoch)
{
	/* The barrier is explained in vpmc_count_set_run(). */
	smp_wmb();
	WRITE_ONCE(t->run, epoch);
}

/*
 * Queue the work of @t for its thread @tsk, unless the work is queued already. The work
 * is initialized. Returns false if @tsk is exiting. Any context.
 */
bool vpmc_count_queue_work(struct vpmc_thread *t, struct task_struct *tsk);

/* Return an empty mask for vpmc_count_set_run(). Disables preemption. */
struct cpumask *vpmc_count_sync_begin(void);

/*
 * Add @mask to @all, and enable preemption. The caller calls vpmc_count_sync_begin()
 * again later.
 */
void vpmc_count_sync_pause(struct cpumask *all, const struct cpumask *mask);

/*
 * Make the processors in @mask apply @run of the threads of @p, and enable preemption.
 * When this returns, no processor counts for a thread whose @run is 0, and each processor
 * that runs a thread whose @run is the epoch counts for it. Interrupts each processor at
 * most once. Interrupts on.
 */
void vpmc_count_sync(struct cpumask *mask, const struct vpmc_process *p);

/*
 * Let the calling thread count in @epoch, the epoch of its process, or stop it if @epoch
 * is 0. The process's lock is held. Interrupts on.
 */
void vpmc_count_start_own(struct vpmc_thread *t, unsigned int epoch);
void vpmc_count_stop_own(struct vpmc_thread *t);

/* Let switches ignore @t. @t has stopped, and no processor counts for it. */
static inline void vpmc_count_forget(struct vpmc_thread *t)
{
	if (unlikely(t->has_signals))
		vpmc_notify_stopped(t);
	vpmc_count_unwatch(t);
}

/*
 * Suspend and resume counting for the calling thread on this processor. Interrupts off
 * in both calls and between them.
 */
void vpmc_count_pause(void);
void vpmc_count_continue(void);

/*
 * Like vpmc_notify_drop(), and vpmc_notify_install() with NULL, for a thread whose counters may
 * interrupt for its signals. @t belongs to the calling thread or does not count. @t->process->lock
 * must be held.
 */
void vpmc_count_drop_signals(struct vpmc_thread *t);
void vpmc_count_remove_signals(struct vpmc_thread *t);

/*
 * Stop @t for good and detach it from its thread, which is current or never ran. The
 * counts of @t are final. @t->process->lock must be held.
 */
void vpmc_count_end(struct vpmc_thread *t);

/* Bring the calling thread's counts up to date. Interrupts on. */
void vpmc_count_fold_own(void);

/*
 * Bring the threads on the processors in @mask up to date, and enable preemption. The
 * caller has called vpmc_count_sync_begin(). Other processors are not interrupted,
 * because threads that are not on a processor are up to date. Interrupts on.
 */
void vpmc_count_fold(struct cpumask *mask);

/* Bring the threads of @p up to date. @p->lock may be held. Interrupts on. */
void vpmc_count_fold_process(const struct vpmc_process *p);

/* Bring @t up to date. @t->process->lock is held. Interrupts on. */
void vpmc_count_fold_thread(struct vpmc_thread *t);

/*
 * Add to @sum the counts that @t had when it was last brought up to date. @t has started,
 * and may be counting on another processor. @t->process->lock must be held.
 */
void vpmc_count_add(struct vpmc_sum *sum, const struct vpmc_thread *t);

/**
 * struct vpmc_count_batch - counts of several threads that are not in a sum yet
 * @counter: events, in the order of vpmc_thread.counter
 * @tsc: clocks for which the threads have counted
 * @nr: number of threads
 */
struct vpmc_count_batch {
	u64 counter[VPMC_SMALL_EVENTS];
	u64 tsc;
	u32 nr;
};

/*
 * Add @t to @batch. No processor counts for @t. All threads in @batch count the same
 * events, which are not large.
 */
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

/* Move @batch, whose threads counted @events, to @sum. */
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
 * Fill in @read from @t directly, without a sum. The events of @t are not large. The
 * times are filled in if the caller's structure has them. @t->process->lock must be held.
 */
void vpmc_count_read(struct vpmc_read *read, const struct vpmc_thread *t);

/*
 * Like vpmc_count_add() if @t counts @events, as @sum does, and is not revoked. If not,
 * note in @sum that @t is missing.
 */
void vpmc_count_add_to(struct vpmc_sum *sum, const struct vpmc_thread *t,
		       const struct vpmc_events *events);

/* Implement the hooks of these names, which vpmc_hooks.h describes. */
void vpmc_count_switch(struct task_struct *prev, struct task_struct *next);
void vpmc_count_rdpmc(struct task_struct *tsk);
void vpmc_count_tick(struct task_struct *curr);

#endif /* VPMC_COUNT_H */
