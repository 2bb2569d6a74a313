/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the cgroups whose processes an open file collects.
 *
 * A task enters such a cgroup while locks are held and interrupts are off, so it cannot be started
 * at that moment. The kernel makes the task call the driver before the task returns to user mode.
 * The task then starts its process for each of its cgroups that is collected, unless the process is
 * collected already. Tasks that are in the cgroup when its collection begins also start their
 * processes. No memory is needed before these starts, however often a task is moved while it
 * sleeps.
 */
#ifndef VPMC_CGROUP_H
#define VPMC_CGROUP_H

#include <linux/err.h>

struct cgroup;
struct task_struct;
struct vpmc_session;
struct vpmc_group;

#ifdef CONFIG_CGROUPS
/*
 * Let @s, which has been started, collect the cgroup whose directory is open as @fd. Returns
 * ERR_PTR(-EBADF), ERR_PTR(-EINVAL) if the cgroup is threaded, ERR_PTR(-ENOMEM), or
 * ERR_PTR(-EOPNOTSUPP) if the running kernel has no cgroups. May sleep.
 */
struct vpmc_group *vpmc_group_begin(struct vpmc_session *s, int fd);

/*
 * Let the tasks of the cgroup start their processes again, because the session has been started
 * again.
 */
void vpmc_group_again(struct vpmc_group *g);

/*
 * Do not collect tasks any more. This does not wait for a task that is being started. Such a task
 * does not join the session after the session has been closed. @g may be NULL. May sleep.
 */
void vpmc_group_end(struct vpmc_group *g);

/* Implement the hooks of these names, which vpmc_hooks.h describes. */
bool vpmc_group_enter(struct task_struct *tsk, struct cgroup *from);
void vpmc_group_entered(void);
#else
/* A kernel without CONFIG_CGROUPS does not have cgroups. */
#define vpmc_group_enter NULL
#define vpmc_group_entered NULL

static inline struct vpmc_group *vpmc_group_begin(struct vpmc_session *s, int fd)
{
	return ERR_PTR(-EOPNOTSUPP);
}

static inline void vpmc_group_again(struct vpmc_group *g) { }
static inline void vpmc_group_end(struct vpmc_group *g) { }
#endif

#endif /* VPMC_CGROUP_H */
