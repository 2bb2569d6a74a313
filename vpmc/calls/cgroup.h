/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the cgroups whose processes an open file collects.
 *
 * A task enters such a cgroup while locks are held and interrupts are off, so it cannot be
 * started at that moment. The kernel lets it call the driver before it executes more in user
 * mode. The task then starts its process for each collected cgroup that it is in, unless the
 * process is collected already. The tasks that are in the cgroup when this begins do the same.
 * No memory is needed until then, however often a task is moved while it sleeps.
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
 * Let @s, which has been started, collect the cgroup whose directory @fd is open. Returns
 * ERR_PTR(-EBADF); ERR_PTR(-EINVAL) if it is threaded; ERR_PTR(-ENOMEM); or
 * ERR_PTR(-EOPNOTSUPP) if the kernel was built without CONFIG_CGROUPS, unlike the driver. May
 * sleep.
 */
struct vpmc_group *vpmc_group_begin(struct vpmc_session *s, int fd);

/* The session has been started again: look at the cgroup again. */
void vpmc_group_again(struct vpmc_group *g);

/*
 * Do not collect tasks any more. A task that is being started is not waited for, and does not
 * join the session after that has been closed. @g may be NULL. May sleep.
 */
void vpmc_group_end(struct vpmc_group *g);

/* Implement the hooks of these names, which vpmc_hooks.h describes. */
bool vpmc_group_enter(struct task_struct *tsk, struct cgroup *from);
void vpmc_group_entered(void);
#else
/* Such a kernel does not have cgroups. */
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
