/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares how the counts of a process and of its waited-for children are added to
 * those of its parent's children. This happens when the process is reaped or, on request, when
 * it exits.
 */
#ifndef VPMC_FOLD_H
#define VPMC_FOLD_H

#include "process/process.h"

struct vpmc_prealloc;

/*
 * Start a new generation, with empty sums of @events. The old sums are kept for the
 * parent, if they are of the same events. The caller keeps the counts of the threads.
 * This takes memory from @pre, which is for @events, and takes over @access, the access
 * of the new counts. vpmc_process_lock() must be held.
 */
void vpmc_fold_restart(struct vpmc_process *p, struct vpmc_events *events,
		       struct vpmc_access *access, struct vpmc_prealloc *pre);

/*
 * Give @p, which is new and not visible to other tasks yet, empty sums of its events,
 * which are large. Takes memory from @pre.
 */
void vpmc_fold_begin(struct vpmc_process *p, struct vpmc_prealloc *pre);

/* Fold @c, which is current's process and has no other thread left. */
void vpmc_fold_at_exit(struct vpmc_process *c);

/* Implement the hook of this name, which vpmc_hooks.h describes. */
void vpmc_fold_wait(struct task_struct *child);

#endif /* VPMC_FOLD_H */
