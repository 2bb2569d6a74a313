/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the task work of a thread. The thread runs the work before it next
 * returns to user mode. The work waits for the lock, which the task that queued it holds.
 * The thread then counts or stops according to its present @run, so no processor has to
 * be interrupted.
 */
#ifndef VPMC_WORK_H
#define VPMC_WORK_H

#include <linux/task_work.h>

#include "thread/thread_counters.h"

/**
 * vpmc_work_queue() - queue the work of a thread, unless it is queued already
 * @t: the counters of @tsk, or new counters for it
 * @tsk: the thread, which is not current
 * @func: the function of the work; it calls vpmc_work_begin() first
 *
 * A thread that runs in user mode runs the work at the next interrupt. If the thread
 * exits, the work runs before the exit hook.
 *
 * Context: the lock of @t's process is held until all changes that the work must see
 * are done. Return: false if @tsk is exiting and never returns to user mode.
 */
bool vpmc_work_queue(struct vpmc_thread *t, struct task_struct *tsk,
		     task_work_func_t func);

/*
 * Queue a work that only makes the thread apply its @run, unless another work is queued already.
 * The context is the same as for vpmc_work_queue(). @t->work_queued then says whether a work is
 * queued. No work is queued if the thread is being created or exits.
 */
void vpmc_work_queue_follow(struct vpmc_thread *t);

/* Only vpmc_work_hold() uses this. */
void vpmc_work_follow(struct callback_head *work);

/*
 * Let the processor of @t, which is watched (count.h), queue the work of @t. Call this before @run
 * of @t is cleared. The processor queues the work when it is interrupted to stop counting for @t,
 * or when it switches to @t. So no work is queued for a thread that continues to sleep. The context
 * is the same as for vpmc_work_queue().
 */
static inline void vpmc_work_hold(struct vpmc_thread *t)
{
	if (!t->work_queued)
		init_task_work(&t->work, vpmc_work_follow);
	smp_wmb(); /* A processor that sees @held queues the work, which must be initialized. */
	t->held = true;
}

/*
 * Let the calling thread, which runs this work, apply its @run. Returns its counters. May
 * sleep.
 */
struct vpmc_thread *vpmc_work_begin(struct callback_head *work);

#endif /* VPMC_WORK_H */
