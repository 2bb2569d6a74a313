/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares how to start and stop a thread or all threads of a process, of the
 * caller's own or of another one. The caller of these functions has checked that
 * current has the right to do so.
 */
#ifndef VPMC_CONTROL_H
#define VPMC_CONTROL_H

#include "cpu/events.h"
#include "calls/populate.h"

struct vpmc_session;

/**
 * struct vpmc_answer - which counts a call was about
 * @generation: of these counts
 * @identity: of the start that they belong to
 * @self: of a start: the one that began the generation, 0 if that is hidden
 */
struct vpmc_answer {
	u64 generation;
	u64 identity;
	u64 self;
};

/**
 * vpmc_control_start() - start threads
 * @target: which threads
 * @events: what to count
 * @flags: VPMC_START_* bits
 * @session: with VPMC_START_COLLECT, who collects the process
 * @answer: receives which counts these are
 *
 * Context: may sleep.
 * Return: 0, or, with nothing changed, -EBUSY (counts already, or another
 * session collects the process), -ENODATA (nothing to resume), -EINVAL (not the
 * events to resume), -ESRCH (has exited), -EADDRINUSE (see reserve.h), -ENOMEM.
 */
int vpmc_control_start(const struct vpmc_target *target,
		       struct vpmc_events *events, u32 flags,
		       struct vpmc_session *session,
		       struct vpmc_answer *answer);

/*
 * Stop threads. Returns 0, -ENODATA if none ever started, or -ESRCH. @answer is zero
 * if current must not see which counts these are. May sleep.
 */
int vpmc_control_stop(const struct vpmc_target *target,
		      struct vpmc_answer *answer);

/*
 * Stop all threads of @p, whose process @tsk is of, unless @shows says, under the lock of
 * @p, that somebody could be shown what they count. Returns whether to look at it
 * again: it was stopped, or another call is about it just now. Process context; does not
 * sleep.
 */
bool vpmc_control_stop_unless(struct vpmc_process *p, struct task_struct *tsk,
			      bool (*shows)(struct vpmc_process *p));

#endif /* VPMC_CONTROL_H */
