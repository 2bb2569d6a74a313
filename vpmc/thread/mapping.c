// SPDX-License-Identifier: GPL-2.0-only
/* This file maps threads' pages into their processes. */
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/rbtree.h>
#include <linux/sched.h>
#include <linux/task_work.h>

#include "kernel/compat.h"
#include "kernel/space.h"
#include "thread/count.h"
#include "cpu/due.h"
#include "thread/mapping.h"
#include "thread/page.h"
#include "cpu/rdpmc.h"
#include "cpu/reserve.h"

/*
 * Return false if @vma is a copy of the mapping of a page whose thread is in another
 * process.
 */
static bool mapping_is_own(const struct vm_area_struct *vma)
{
	const struct vpmc_user_page *u = vma->vm_private_data;

	return vma->vm_mm == u->mm;
}

/*
 * Allow RDPMC in @mm, with a reservation of the counters. While RDPMC is allowed, it
 * must not show what perf_event counts, and the hooks must hide other tasks' events.
 * Fails unless there is a reservation already.
 */
static bool mapping_allow(struct mm_struct *mm)
{
	bool reserved = vpmc_reserve_again();

	if (reserved)
		vpmc_rdpmc_allow(mm);
	return reserved;
}

static void mapping_disallow(struct mm_struct *mm)
{
	vpmc_rdpmc_disallow(mm);
	vpmc_unreserve();
	/* This mapping may have been the last use of the counters. */
	vpmc_due_note();
}

/* Handle a copy of a mapping, by fork(2) or by mremap(2), which is refused afterwards. */
static void mapping_open(struct vm_area_struct *vma)
{
	struct vpmc_user_page *u = vpmc_page_get(vma->vm_private_data);
	const struct vpmc_thread *t = current->thread.vpmc;

	mmap_assert_write_locked(vma->vm_mm);
	if (!mapping_is_own(vma)) {
		if (t && t->page == u) {
			u->copy_mm = vma->vm_mm;
			WRITE_ONCE(u->copy, vma);
		}
	}
}

static void mapping_close(struct vm_area_struct *vma)
{
	struct vpmc_user_page *u = vma->vm_private_data;

	if (mapping_is_own(vma)) {
		/* A refused mremap(2) closes its copy, which is at another address. */
		if (vma->vm_start == u->address) {
			/*
			 * The mapping is not in vpmc_space any more, so the counters
			 * cannot be taken from it.
			 */
			if (likely(!u->taken))
				mapping_disallow(vma->vm_mm);
			else
				WRITE_ONCE(u->taken, false);
			WRITE_ONCE(u->address, 0);
			u->mm = NULL;
		}
	} else {
		/*
		 * If the fork has failed, forget the copy. The thread may already be
		 * forking again.
		 */
		cmpxchg(&u->copy, vma, NULL);
	}
	vpmc_page_put(u);
}

/*
 * Let @u show what current counts, if it is current's page and current has accepted the
 * counts. Returns whether it is current's page.
 */
static bool mapping_show(const struct vpmc_user_page *u)
{
	const struct vpmc_thread *t = current->thread.vpmc;

	lockdep_assert_irqs_disabled();
	if (!t || t->page != u)
		return false;
	if (READ_ONCE(t->accepted) && !u->valid) {
		vpmc_count_pause();
		vpmc_count_continue();
	}
	return true;
}

static void mapping_resume(struct callback_head *work)
{
	struct vpmc_user_page *u =
		container_of(work, struct vpmc_user_page, resume);

	/* The work can be queued again from here on. Pairs with mapping_queue(). */
	smp_store_mb(u->queued, false);
	local_irq_disable();
	u->blocked &= ~VPMC_PAGE_SUSPENDED;
	mapping_show(u);
	local_irq_enable();
	vpmc_page_put(u);
}

/*
 * Let @tsk, the thread of @u, show its counts and end the suspension of the page before
 * it next executes an instruction in user mode. This fails only if the thread is
 * exiting, and such a thread does not read its page any more.
 */
static void mapping_queue(struct vpmc_user_page *u, struct task_struct *tsk)
{
	/* If the work is queued already, it sees what the caller has changed before. */
	if (xchg(&u->queued, true))
		return;
	init_task_work(&u->resume, mapping_resume);
	vpmc_page_get(u);
	if (!task_work_add(tsk, &u->resume, TWA_RESUME))
		return;
	WRITE_ONCE(u->queued, false);
	vpmc_page_put(u);
}

/*
 * Let the thread of @u, which may be running, show its counts, because another task has
 * read @u first.
 */
static void mapping_tell(struct vpmc_user_page *u)
{
	struct task_struct *tsk;

	rcu_read_lock();
	tsk = vpmc_page_thread(u);
	if (tsk)
		mapping_queue(u, tsk);
	rcu_read_unlock();
}

/*
 * Handle the first read of a page, or the first read by its thread after another task
 * has read it. Other threads of the process, and tasks that may read its memory, can
 * also read the page.
 */
static int mapping_begin(struct vpmc_user_page *u)
{
	bool is_first = !READ_ONCE(u->content);
	int err = vpmc_page_alloc(u);
	bool own;

	if (err)
		return err;
	local_irq_disable();
	own = mapping_show(u);
	local_irq_enable();
	if (is_first && !own)
		mapping_tell(u);
	return 0;
}

static vm_fault_t mapping_fault(struct vm_fault *vmf)
{
	struct vpmc_user_page *u = vmf->vma->vm_private_data;

	if (!mapping_is_own(vmf->vma))
		return VM_FAULT_SIGBUS;
	if (mapping_begin(u))
		return VM_FAULT_OOM;
	vmf->page = virt_to_page(u->content);
	get_page(vmf->page);
	return 0;
}

static int mapping_mremap(struct vm_area_struct *vma)
{
	return -EINVAL;
}

static const struct vm_operations_struct mapping_ops = {
	.open = mapping_open,
	.close = mapping_close,
	.fault = mapping_fault,
	.mremap = mapping_mremap,
};

int vpmc_mapping_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct vpmc_thread *t = current->thread.vpmc;
	struct vpmc_user_page *u = t ? t->page : NULL;

	mmap_assert_write_locked(vma->vm_mm);
	if (!u || u->address || vma->vm_pgoff || vma_pages(vma) != 1 ||
	    vma->vm_flags & VM_WRITE)
		return -EINVAL;
	if (!mapping_allow(vma->vm_mm))
		return -EADDRINUSE;
	/*
	 * READ_IMPLIES_EXEC, the personality of old programs, must not make the page
	 * executable.
	 */
	vm_flags_mod(vma, VM_DONTEXPAND | VM_DONTDUMP,
		     VM_EXEC | VM_MAYWRITE | VM_MAYEXEC);
	vma->vm_private_data = vpmc_page_get(u);
	vma->vm_ops = &mapping_ops;
	u->mm = vma->vm_mm;
	WRITE_ONCE(u->address, vma->vm_start);
	return 0;
}

/*
 * Make @vma, the copy of the mapping of @own, a mapping of @u. No other task has its mm
 * yet, so this needs no lock. But @vma is in vpmc_space already, and mapping_page() must
 * not look at @own, which may be freed at any time afterwards. So RDPMC is allowed last.
 */
static void mapping_replace(struct vm_area_struct *vma,
			    struct vpmc_user_page *own,
			    struct vpmc_user_page *u)
{
	struct mm_struct *mm = vma->vm_mm;

	WRITE_ONCE(own->copy, NULL);
	/* The parent may have lost the counters since the copy. */
	u->taken = READ_ONCE(own->taken);
	/*
	 * The page gets its content at the first read, because most children never read
	 * it.
	 */
	WRITE_ONCE(vma->vm_private_data, vpmc_page_get(u));
	u->address = vma->vm_start;
	u->mm = mm;
	/* The atomic operation in there pairs with mapping_page(). */
	if (!u->taken && !mapping_allow(mm))
		u->taken = true;
	vpmc_page_put(own);
}

void vpmc_mapping_inherit(struct task_struct *child, struct vpmc_user_page *u,
			  bool may)
{
	const struct vpmc_thread *parent = current->thread.vpmc;
	struct vpmc_user_page *own = parent->page;
	struct vpmc_thread *t = child->thread.vpmc;

	t->page = u;
	WRITE_ONCE(u->holder, (unsigned long)child);
	/* vpmc_mark() must notice if a signal handler forks in the middle of it. */
	u->sequence = vpmc_page_sequence(own) + 1;
	vpmc_page_describe(t, may && parent->accepted);
	if (own->copy && own->copy_mm == child->mm)
		mapping_replace(own->copy, own, u);
}

void vpmc_mapping_suspend(struct vpmc_thread *t)
{
	struct vpmc_user_page *u = t->page;

	if (u->blocked & VPMC_PAGE_SUSPENDED)
		return;
	local_irq_disable();
	u->blocked |= VPMC_PAGE_SUSPENDED;
	vpmc_page_hide(t);
	local_irq_enable();
	mapping_queue(u, current);
}

/*
 * Return the page of @vma, or NULL if @vma is a copy or the page does not have the
 * counters. A fork may be replacing the page at the same time. Until it has finished,
 * RDPMC is not allowed in the child.
 */
static struct vpmc_user_page *mapping_page(const struct vm_area_struct *vma)
{
	struct vpmc_user_page *u;

	if (!vpmc_rdpmc_is_allowed(vma->vm_mm))
		return NULL;
	/* Pairs with mapping_replace(). */
	smp_rmb();
	u = READ_ONCE(vma->vm_private_data);
	if (vma->vm_mm != READ_ONCE(u->mm) || READ_ONCE(u->taken))
		return NULL;
	return u;
}

void vpmc_mapping_for_each(vpmc_mapping_look *look, void *arg)
{
	struct vm_area_struct *vma;
	struct vpmc_user_page *u;
	struct rb_node *node;

	i_mmap_lock_read(vpmc_space);
	for (node = rb_first_cached(&vpmc_space->i_mmap); node; node = rb_next(node)) {
		vma = rb_entry(node, struct vm_area_struct, shared.rb);
		u = mapping_page(vma);
		if (u)
			look(u, vma->vm_mm, arg);
		cond_resched();
	}
	i_mmap_unlock_read(vpmc_space);
}

/* Several tasks may take the counters at the same time. */
static void mapping_take(struct vpmc_user_page *u, struct mm_struct *mm, void *unused)
{
	if (!xchg(&u->taken, true))
		mapping_disallow(mm);
}

void vpmc_mapping_take_all(void)
{
	vpmc_mapping_for_each(mapping_take, NULL);
}

int vpmc_mapping_permit(struct vpmc_user_page *u)
{
	struct mm_struct *mm = current->mm;
	int err = vpmc_reserve();

	if (err)
		return err;
	mmap_write_lock(mm);
	if (u->taken && u->mm == mm)
		WRITE_ONCE(u->taken, !mapping_allow(mm));
	mmap_write_unlock(mm);
	/* The mapping now holds a reservation of its own. */
	vpmc_unreserve();
	return 0;
}
