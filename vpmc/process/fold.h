/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares how the counts of a process and of its waited-for children are added to the
 * children's sum of its parent. This happens when the process is reaped or, on request, when it
 * exits.
 */
#ifndef VPMC_FOLD_H
#define VPMC_FOLD_H

#include "process/process.h"

struct vpmc_prealloc;

/*
 * Start a new generation, with empty sums of @events. If the events stay the same, the
 * old sums are kept for the parent. The caller keeps the counts of the threads. This
 * takes memory from @pre, which was allocated for @events, and takes over @access, the
 * access to the new counts. vpmc_process_lock() must be held.
 */
void vpmc_fold_restart(struct vpmc_process *p, struct vpmc_events *events,
		       struct vpmc_access *access, struct vpmc_prealloc *pre);

/*
 * Give @p empty sums of its events, which are large. @p is new and not visible to other
 * tasks yet. Takes memory from @pre.
 */
void vpmc_fold_begin(struct vpmc_process *p, struct vpmc_prealloc *pre);

/* Fold @c, the process of current. Current is the last thread of @c. */
void vpmc_fold_at_exit(struct vpmc_process *c);

/* Implement the hook of this name, which vpmc_hooks.h describes. */
void vpmc_fold_wait(struct task_struct *child);

#endif /* VPMC_FOLD_H */
