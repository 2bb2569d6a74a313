/* SPDX-License-Identifier: GPL-2.0-only */
/* This file declares the hooks for fork, exec, mmap and exit of threads that have counters. */
#ifndef VPMC_LIFE_H
#define VPMC_LIFE_H

#include <linux/types.h>

struct task_struct;
struct vm_area_struct;

/* Implement the hooks of these names, which vpmc_hooks.h describes. */
int vpmc_life_fork(struct task_struct *child);
void vpmc_life_exec(bool raised);
void vpmc_life_mmap(struct vm_area_struct *vma);
void vpmc_life_exit(struct task_struct *tsk);

#endif /* VPMC_LIFE_H */
