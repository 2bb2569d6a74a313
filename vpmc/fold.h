/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a process counted, and its waited-for children, become its parent's: when
 * it is reaped or, if it was told to, when it exits.
 */
#ifndef VPMC_FOLD_H
#define VPMC_FOLD_H

#include "process.h"

struct vpmc_prealloc;

/*
 * Start a new generation, one that no process ever had, and let all sums begin
 * at zero of @events. What was counted is kept for the parent, if it is of the
 * same events. Takes memory from @pre, which is for these. @access: as it is to
 * be from now on; taken over. vpmc_process_lock() held.
 */
void vpmc_fold_restart(struct vpmc_process *p, struct vpmc_events *events,
		       struct vpmc_access *access, struct vpmc_prealloc *pre);

/*
 * Let @p, which is new and which nobody else sees yet, have sums of nothing of
 * @events. Takes memory from @pre.
 */
void vpmc_fold_begin(struct vpmc_process *p, struct vpmc_events *events,
		     struct vpmc_prealloc *pre);

/* Current's process @c, which has no other thread left, was told to fold. */
void vpmc_fold_at_exit(struct vpmc_process *c);

/* Hook, see vpmc_hooks.h. */
void vpmc_fold_wait(struct task_struct *child);

#endif /* VPMC_FOLD_H */
