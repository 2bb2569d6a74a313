/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the task work of a thread, which the thread runs before it next
 * returns to user mode. The work waits for the lock of the task that queued it. The
 * thread then counts or stops as its @run says by then, so no processor has to be
 * interrupted.
 */
#ifndef VPMC_WORK_H
#define VPMC_WORK_H

#include <linux/task_work.h>

#include "thread/thread_counters.h"

/**
 * vpmc_work_queue() - queue the work of a thread, unless it is queued already
 * @t: the thread: @t->task, or a new one for @tsk
 * @tsk: not current
 * @func: the work; calls vpmc_work_begin() first
 *
 * A thread that runs in user mode does not look before the next interrupt. If
 * the thread exits, the work runs before the exit hook does.
 *
 * Context: the lock of @t's process held until all is as the work shall find it.
 * Return: false if @tsk is exiting, and never returns to user mode.
 */
bool vpmc_work_queue(struct vpmc_thread *t, struct task_struct *tsk,
		     task_work_func_t func);

/*
 * Queue the work that only counts or not, as told. It does no harm if another
 * one is queued already. As above, but @t->work_queued says whether one is: not if
 * the thread is being created or exits.
 */
void vpmc_work_queue_follow(struct vpmc_thread *t);

/* Only for vpmc_work_hold(). */
void vpmc_work_follow(struct callback_head *work);

/*
 * The same for a thread that is watched, see count.h, before its @run is cleared: its
 * processor queues the work, when it is told to stop counting for the thread, or when the
 * thread comes to it while it is not to count. So a thread that goes on sleeping has no
 * work. As above.
 */
static inline void vpmc_work_hold(struct vpmc_thread *t)
{
	if (!t->work_queued)
		init_task_work(&t->work, vpmc_work_follow);
	smp_wmb(); /* Whoever finds it held queues the work. */
	t->held = true;
}

/* Returns the calling thread, whose work this is. May sleep. */
struct vpmc_thread *vpmc_work_begin(struct callback_head *work);

#endif /* VPMC_WORK_H */
