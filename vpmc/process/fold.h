/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares how the counts of a process and of its waited-for children are
 * added to those of its parent's children: when the process is reaped or, on request,
 * when it exits.
 */
#ifndef VPMC_FOLD_H
#define VPMC_FOLD_H

#include "process/process.h"

struct vpmc_prealloc;

/*
 * Start a new generation, with empty sums of @events. The old sums are kept
 * for the parent, if they are of the same events. The caller keeps what the threads have.
 * Takes memory from @pre, which is
 * for these. @access: of the new counts; taken over. vpmc_process_lock() held.
 */
void vpmc_fold_restart(struct vpmc_process *p, struct vpmc_events *events,
		       struct vpmc_access *access, struct vpmc_prealloc *pre);

/*
 * Give @p, which is new and which nobody else sees yet, empty sums of its events,
 * which are large. Takes memory from @pre.
 */
void vpmc_fold_begin(struct vpmc_process *p, struct vpmc_prealloc *pre);

/* Fold @c, current's process, which has no other thread left. */
void vpmc_fold_at_exit(struct vpmc_process *c);

/* Hook, see vpmc_hooks.h. */
void vpmc_fold_wait(struct task_struct *child);

#endif /* VPMC_FOLD_H */
