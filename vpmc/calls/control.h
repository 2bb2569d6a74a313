/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares how to start and stop a thread or all threads of the calling or
 * another process. The caller of these functions has checked that current has the right
 * to do so.
 */
#ifndef VPMC_CONTROL_H
#define VPMC_CONTROL_H

#include "cpu/events.h"
#include "calls/populate.h"

struct vpmc_session;

/**
 * struct vpmc_answer - the numbers of the counts that a call has changed
 * @generation: generation of the counts
 * @identity: identity of the start that the counts belong to
 * @self: for a start, the identity of the start that began the generation; 0 if current
 *	must not see it
 */
struct vpmc_answer {
	u64 generation;
	u64 identity;
	u64 self;
};

/**
 * vpmc_control_start() - start threads
 * @target: the threads to start
 * @events: the events to count
 * @flags: VPMC_START_* bits
 * @session: the session that is to collect the process, with VPMC_START_COLLECT
 * @answer: receives the numbers of the counts
 *
 * Context: may sleep. Return: 0, or an error after which nothing has changed: -EBUSY (a
 * thread counts already, or another session collects the process), -ENODATA (there is
 * nothing to resume), -EINVAL (the events differ from those to resume), -EPERM (current
 * must not see the counts to resume), -ESRCH (the target has exited), -EADDRINUSE or
 * -EIO (see reserve.h), -EINTR or -ENOMEM.
 */
int vpmc_control_start(const struct vpmc_target *target,
		       struct vpmc_events *events, u32 flags,
		       struct vpmc_session *session,
		       struct vpmc_answer *answer);

/*
 * Start all threads of current's process from zero, with @events. The process enters a cgroup that
 * @session collects. Returns 0, -EALREADY if @session collects the process already, -ESTALE if
 * @session now counts other events or is being started again, or an error of vpmc_control_start().
 * The hooks are live. May sleep.
 */
int vpmc_control_enter(struct vpmc_session *session, struct vpmc_events *events);

/*
 * Stop threads. Returns 0, -ENODATA if none of them ever started, -ESRCH or -EINTR.
 * @answer is all zero if current must not see the numbers of the counts. May sleep.
 */
int vpmc_control_stop(const struct vpmc_target *target,
		      struct vpmc_answer *answer);

/*
 * Stop all threads of @p, the process of @tsk, unless their counts could be shown to a task.
 * @shows, which is called under the lock of @p, returns whether they could be shown. Returns
 * whether to review @p again, because @p was stopped or another call occupies @p. Process context;
 * does not sleep.
 */
bool vpmc_control_stop_unless(struct vpmc_process *p, struct task_struct *tsk,
			      bool (*shows)(struct vpmc_process *p));

#endif /* VPMC_CONTROL_H */
