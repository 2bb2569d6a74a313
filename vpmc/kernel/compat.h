/* SPDX-License-Identifier: GPL-2.0-only */
/* What Linux 6.1 names otherwise than 6.12 does: under the newer names. */
#ifndef VPMC_COMPAT_H
#define VPMC_COMPAT_H

#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/user.h>
#include <linux/syscore_ops.h>
#include <linux/task_work.h>
#include <linux/uio.h>

/* Linux 6.1 does not have this name; the only such tasks are those of io_uring. */
#ifndef PF_USER_WORKER

#define PF_USER_WORKER	PF_IO_WORKER

/* Only KASAN has task_work_add() allocate, and there is no way not to. */
#define TWAF_NO_ALLOC	0

static inline void vm_flags_mod(struct vm_area_struct *vma, vm_flags_t set,
				vm_flags_t clear)
{
	mmap_assert_write_locked(vma->vm_mm);
	vma->vm_flags = (vma->vm_flags | set) & ~clear;
}

/* Where the first part of an iovec is. */
static inline void __user *iter_iov_addr(const struct iov_iter *iter)
{
	return iter->iov->iov_base + iter->iov_offset;
}

/* What runs at suspend and resume has no argument. */
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

/* A kernel with neither sockets nor io_uring has no counter but perf_event's. */
#if IS_ENABLED(CONFIG_NET) || IS_ENABLED(CONFIG_IO_URING)
#define VPMC_LOCKED_PAGES	locked_vm
#else
#define VPMC_LOCKED_PAGES	perf_mlock
#endif

#endif

/* How many pages are charged to @user. */
static inline atomic_long_t *vpmc_locked_pages(struct user_struct *user)
{
	return &user->VPMC_LOCKED_PAGES;
}

#endif /* VPMC_COMPAT_H */
