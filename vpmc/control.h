/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Starting and stopping a thread or all threads of a process: the caller's own
 * or, for whoever may, somebody else's.
 */
#ifndef VPMC_CONTROL_H
#define VPMC_CONTROL_H

#include "events.h"

struct task_struct;
struct vpmc_session;

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

/**
 * vpmc_control_start() - let threads count
 * @target: which
 * @events: what to count; takes over the caller's reference if it succeeds
 * @flags: VPMC_START_* bits
 * @session: with VPMC_START_COLLECT, who collects the process
 * @generation: receives the generation of the counts
 *
 * Context: may sleep.
 * Return: 0, or, with nothing changed, -EBUSY (counts already, or another
 * session collects the process), -ENODATA (nothing to resume), -EINVAL (not the
 * events to resume), -ESRCH (has exited), -ENOMEM.
 */
int vpmc_control_start(const struct vpmc_target *target,
		       struct vpmc_events *events, u32 flags,
		       struct vpmc_session *session, u64 *generation);

/*
 * Let them count no more. Returns 0, -ENODATA if none ever started, or -ESRCH.
 * May sleep.
 */
int vpmc_control_stop(const struct vpmc_target *target, u64 *generation);

#endif /* VPMC_CONTROL_H */
