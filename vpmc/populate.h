/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters for threads that have none.
 *
 * A thread gets its counters from whoever starts it. Somebody else must not
 * give it some when it has passed the exit hook, which nobody would take away
 * any more. So a task work is queued first: that fails once the thread exits;
 * and if it does not, the work runs before the exit hook does, and waits for
 * the process's lock until the counters are in place.
 */
#ifndef VPMC_POPULATE_H
#define VPMC_POPULATE_H

#include <linux/types.h>

struct task_struct;
struct vpmc_process;

/**
 * struct vpmc_target - whom a call is about
 * @task: a thread, to which the caller holds a reference. While it is not
 *	current, the caller also holds its exec_update_lock.
 * @whole: its whole process
 */
struct vpmc_target {
	struct task_struct *task;
	bool whole;
};

/*
 * See to it that all threads of @target, whose process has the counters @p,
 * have some, too. Those that one of them is just creating get theirs a little
 * later. Returns 0 or -ENOMEM. May sleep.
 */
int vpmc_populate(struct vpmc_process *p, const struct vpmc_target *target);

/* The same for the whole process of @tsk, which the caller holds likewise. */
int vpmc_populate_whole(struct vpmc_process *p, struct task_struct *tsk);

#endif /* VPMC_POPULATE_H */
