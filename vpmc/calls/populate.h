/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares how threads without counters get them.
 *
 * The task that starts a thread gives the thread its counters. It must not do so after
 * the thread has passed its exit hook, because the counters would never be freed. So the
 * starter first queues a task work, which fails if the thread is exiting. If it succeeds,
 * the work runs before the exit hook, and waits for the process's lock until the counters
 * are in place.
 */
#ifndef VPMC_POPULATE_H
#define VPMC_POPULATE_H

#include <linux/types.h>

struct task_struct;
struct vpmc_process;

/**
 * struct vpmc_target - the threads that a call applies to
 * @task: a thread: current, or another thread to which the caller holds a reference, with
 *	its exec_update_lock held
 * @whole: whether the call applies to all threads of its process
 */
struct vpmc_target {
	struct task_struct *task;
	bool whole;
};

/*
 * Give counters to all threads of @target that have none. @p is their process. Threads that are
 * being created get their counters a little later. Returns 0, -ENOMEM, or -EINTR if current is
 * being killed. May sleep.
 */
int vpmc_populate(struct vpmc_process *p, const struct vpmc_target *target);

/*
 * Like vpmc_populate() for the whole process of @tsk. The caller holds @tsk like vpmc_target.task.
 */
int vpmc_populate_whole(struct vpmc_process *p, struct task_struct *tsk);

#endif /* VPMC_POPULATE_H */
