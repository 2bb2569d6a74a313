// SPDX-License-Identifier: GPL-2.0-only
/* This file queues and runs the task work of a thread. */
#include <linux/irqflags.h>
#include <linux/lockdep.h>
#include <linux/sched.h>

#include "thread/count.h"
#include "process/process.h"
#include "process/work.h"

bool vpmc_work_queue(struct vpmc_thread *t, struct task_struct *tsk,
		     task_work_func_t func)
{
	lockdep_assert_held(&t->process->lock);
	if (READ_ONCE(t->work_queued))
		return true;
	init_task_work(&t->work, func);
	return vpmc_count_queue_work(t, tsk);
}

struct vpmc_thread *vpmc_work_begin(struct callback_head *work)
{
	struct vpmc_thread *t = container_of(work, struct vpmc_thread, work);

	vpmc_process_lock(t->process);
	WRITE_ONCE(t->work_queued, false);
	t->held = false;
	vpmc_process_unlock(t->process);

	local_irq_disable();
	vpmc_count_continue();
	local_irq_enable();
	return t;
}

void vpmc_work_follow(struct callback_head *work)
{
	vpmc_work_begin(work);
}

/*
 * Return whether @tsk is being created. The last steps of its creation drop works that
 * were queued for it.
 */
static bool work_is_being_created(const struct task_struct *tsk)
{
	return READ_ONCE(tsk->__state) == TASK_NEW;
}

void vpmc_work_queue_follow(struct vpmc_thread *t)
{
	if (!work_is_being_created(t->task))
		vpmc_work_queue(t, t->task, vpmc_work_follow);
}
