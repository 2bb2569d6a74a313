/* SPDX-License-Identifier: GPL-2.0-only */
/* This file defines names of one series of Linux that another series lacks. */
#ifndef VPMC_COMPAT_H
#define VPMC_COMPAT_H

#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/coredump.h>
#include <linux/sched/user.h>
#include <linux/syscore_ops.h>
#include <linux/task_work.h>
#include <linux/uio.h>

/* Linux 6.1 does not define this. Its only user workers are the workers of io_uring. */
#ifndef PF_USER_WORKER

#define PF_USER_WORKER	PF_IO_WORKER

/*
 * In Linux 6.1, task_work_add() allocates only for KASAN, and this cannot be switched
 * off.
 */
#define TWAF_NO_ALLOC	0

static inline void vm_flags_mod(struct vm_area_struct *vma, vm_flags_t set,
				vm_flags_t clear)
{
	mmap_assert_write_locked(vma->vm_mm);
	vma->vm_flags = (vma->vm_flags | set) & ~clear;
}

/* In Linux 6.1, a mapped file of overlayfs has the path that its user has opened. */
static inline const struct path *file_user_path(const struct file *file)
{
	return &file->f_path;
}

/* In Linux 6.1, /proc/PID/maps shows the inode of the file below overlayfs. */
static inline const struct inode *file_user_inode(const struct file *file)
{
	return file_inode(file);
}

/* Return the address of the first segment of an iovec. */
static inline void __user *iter_iov_addr(const struct iov_iter *iter)
{
	return iter->iov->iov_base + iter->iov_offset;
}

/* In Linux 6.1, the callbacks of suspend and resume have no argument. */
#define VPMC_SYSCORE_ARGUMENT	void
#define VPMC_SYSCORE_OPS	struct syscore_ops

struct syscore {
	struct syscore_ops *ops;
};

static inline void register_syscore(struct syscore *syscore)
{
	register_syscore_ops(syscore->ops);
}

static inline void unregister_syscore(struct syscore *syscore)
{
	unregister_syscore_ops(syscore->ops);
}

#define VPMC_LOCKED_PAGES	locked_vm

#else

#define VPMC_SYSCORE_ARGUMENT	void *unused
#define VPMC_SYSCORE_OPS	const struct syscore_ops

/* Without sockets and io_uring, struct user_struct has only perf_event's counter. */
#if IS_ENABLED(CONFIG_NET) || IS_ENABLED(CONFIG_IO_URING)
#define VPMC_LOCKED_PAGES	locked_vm
#else
#define VPMC_LOCKED_PAGES	perf_mlock
#endif

#endif

#ifdef SUID_DUMP_USER

/*
 * In Linux 6, whether a task is dumpable is a property of its mm. The task must have an mm, which
 * must not be freed during the call.
 */
static inline bool vpmc_is_dumpable(const struct task_struct *tsk)
{
	return get_dumpable(tsk->mm) == SUID_DUMP_USER;
}

#else

/* In Linux 7, task_work_add() never allocates. */
#define TWAF_NO_ALLOC	0

#endif

#ifndef CONFIG_PERF_GUEST_MEDIATED_PMU

/* Before Linux 7, no guest has the counters without a reservation. */
static inline int vpmc_exclude_guests(void)
{
	return 0;
}

static inline void vpmc_admit_guests(void) { }

#endif

/* Return the counter of pages that are charged to @user. */
static inline atomic_long_t *vpmc_locked_pages(struct user_struct *user)
{
	return &user->VPMC_LOCKED_PAGES;
}

#endif /* VPMC_COMPAT_H */
