// SPDX-License-Identifier: GPL-2.0-only
/* This file maps threads' pages into their processes. */
#include <linux/errno.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/task_work.h>

#include <asm/tlbflush.h>

#include "kernel/compat.h"
#include "thread/count.h"
#include "cpu/cpu.h"
#include "cpu/due.h"
#include "thread/mapping.h"
#include "thread/page.h"
#include "cpu/rdpmc.h"
#include "cpu/reserve.h"

/*
 * This is the list of pages that have the counters, with its lock. The list also has pages in an mm
 * that no task uses any more. It does not depend on the mmap_lock, because a process can hold that
 * lock for as long as it likes. It does not use the kernel's tree of mappings either. A mapping
 * leaves this tree before it is closed, and its close can wait for another file's mapping for as
 * long as a process likes. Most forked processes never read their page. Such a page does not have
 * the counters, so the fork and exit of the process do not need the lock.
 */
static LIST_HEAD(mapping_list);
static DEFINE_MUTEX(mapping_lock);

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
 * Allow RDPMC in @mm, with a reservation of the counters. While RDPMC is allowed, it must not show
 * counts of perf_event, and the hooks must hide other tasks' events. This fails if there is no
 * reservation yet, and while the counters are released. A release takes the counters from the pages
 * under the lock before it ends the round. So the reservation belongs to the present round.
 */
static bool mapping_allow(struct mm_struct *mm)
{
	bool reserved = vpmc_reserve_again();

	lockdep_assert_held(&mapping_lock);
	if (reserved)
		vpmc_rdpmc_allow(mm);
	return reserved;
}

static void mapping_disallow(struct mm_struct *mm)
{
	lockdep_assert_held(&mapping_lock);
	vpmc_rdpmc_disallow(mm);
	/* The round has not ended, because pages lose the counters before its end. */
	vpmc_unreserve(vpmc_reserve_round);
	/* This mapping may have been the last use of the counters. */
	vpmc_due_note();
}

/* Take the counters from @u, which is in the list and mapped in @mm. */
static void mapping_take(struct vpmc_user_page *u, struct mm_struct *mm, void *unused)
{
	lockdep_assert_held(&mapping_lock);
	list_del(&u->node);
	mapping_disallow(mm);
	/* From here on, @mm may be freed. Pairs with mapping_remove(). */
	smp_store_release(&u->permitted, false);
}

/* Handle a copy of a mapping, by fork(2) or by mremap(2). The mremap(2) is refused afterwards. */
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

/* Note that @u, which does not have the counters, is mapped by @vma. */
static void mapping_add(struct vpmc_user_page *u, const struct vm_area_struct *vma)
{
	u->mm = vma->vm_mm;
	WRITE_ONCE(u->address, vma->vm_start);
}

/*
 * Give the counters to @u, the page of the calling thread, if it is mapped and does not have
 * them. Returns false if they are not reserved.
 */
static bool mapping_give(struct vpmc_user_page *u)
{
	lockdep_assert_held(&mapping_lock);
	if (u->permitted || !READ_ONCE(u->address))
		return true;
	if (!mapping_allow(current->mm))
		return false;
	list_add_tail(&u->node, &mapping_list);
	/*
	 * Another thread may be unmapping the page. Either the other thread finds that the page has
	 * the counters, or this thread finds that the page is not mapped. Pairs with
	 * mapping_remove().
	 */
	smp_store_mb(u->permitted, true);
	if (unlikely(!READ_ONCE(u->address)))
		mapping_take(u, current->mm, NULL);
	return true;
}

/* Take the counters from @u when its mapping is closed. */
static noinline void mapping_give_back(struct vpmc_user_page *u)
{
	mutex_lock(&mapping_lock);
	if (likely(u->permitted))
		mapping_take(u, u->mm, NULL);
	mutex_unlock(&mapping_lock);
}

/* Note that @u is not mapped any more. Its memory is not used after this. */
static void mapping_remove(struct vpmc_user_page *u)
{
	WRITE_ONCE(u->address, 0);
	smp_mb(); /* Pairs with mapping_give(). */
	/* A release that takes the counters uses the memory until it clears @permitted. */
	if (smp_load_acquire(&u->permitted))
		mapping_give_back(u);
	u->mm = NULL;
	/* The review may have found that the page could be read. */
	vpmc_due_note();
}

static void mapping_close(struct vm_area_struct *vma)
{
	struct vpmc_user_page *u = vma->vm_private_data;

	if (mapping_is_own(vma)) {
		/* A refused mremap(2) closes its copy, which is at another address. */
		if (vma->vm_start == u->address)
			mapping_remove(u);
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
 * Give the counters to the page of the calling thread @t, if the page is to show the counts of @t.
 * A thread that has lost the counters does not count in the present epoch, because a release
 * changes the epoch before it takes the counters from pages.
 */
static noinline void mapping_give_inherited(struct vpmc_thread *t)
{
	bool given = false;

	mutex_lock(&mapping_lock);
	/* A thread that exits may have left its mm, in which the page is still mapped. */
	if (current->mm && READ_ONCE(t->run) == READ_ONCE(vpmc_epoch))
		given = mapping_give(t->page);
	mutex_unlock(&mapping_lock);
	/* A release has begun. The thread starts again before its page shows counts. */
	if (!given)
		WRITE_ONCE(t->accepted, false);
}

/* Return whether the page of @t is to show the counts of @t, and does not have the counters yet. */
static bool mapping_is_needed(const struct vpmc_thread *t)
{
	return READ_ONCE(t->accepted) && vpmc_page_is_taken(t->page);
}

void vpmc_mapping_need(struct vpmc_thread *t)
{
	if (unlikely(mapping_is_needed(t)))
		mapping_give_inherited(t);
}

/*
 * Let @u show the counts of the calling thread, if @u is the thread's page and the thread has
 * accepted the counts. Returns whether @u is the thread's page.
 */
static bool mapping_show(const struct vpmc_user_page *u)
{
	struct vpmc_thread *t = current->thread.vpmc;

	if (!t || t->page != u)
		return false;
	vpmc_mapping_need(t);
	local_irq_disable();
	if (READ_ONCE(t->accepted) && !u->valid) {
		vpmc_count_pause();
		/* A switch from a thread with the same mm does not set this. */
		t->isolated = vpmc_rdpmc_is_possible(current->mm);
		vpmc_count_continue();
	}
	local_irq_enable();
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
	local_irq_enable();
	mapping_show(u);
	vpmc_page_put(u);
}

/*
 * Let @tsk, the thread of @u, show its counts and end the suspension of the page before
 * it next executes an instruction in user mode. This fails only if the thread is
 * exiting, and such a thread does not read its page any more.
 */
static void mapping_queue(struct vpmc_user_page *u, struct task_struct *tsk)
{
	/* A work that is queued already sees the caller's earlier changes. */
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
 * Prepare @t, whose RDPMC in user mode was refused, for its return to user mode. Returns false if
 * there is nothing to do. Interrupts off.
 */
static bool mapping_use(struct vpmc_thread *t)
{
	lockdep_assert_irqs_disabled();
	if (!mapping_is_needed(t))
		return false;
	mapping_queue(t->page, current);
	return true;
}

/*
 * Handle a #GP that RDPMC may have caused. If RDPMC returns zero, because perf's
 * attribute has changed, make the page invalid.
 */
bool vpmc_mapping_fixup(struct pt_regs *regs)
{
	struct vpmc_thread *t = current->thread.vpmc;
	unsigned long flags;
	bool done;

	local_irq_save(flags);
	done = vpmc_rdpmc_is_at(regs, t && t->page &&
				READ_ONCE(t->page->address));
	if (done && !(t && t->page && mapping_use(t)))
		vpmc_rdpmc_complete(regs);
	if (done && t && t->page && !(cr4_read_shadow() & X86_CR4_PCE))
		vpmc_page_hide(t);
	local_irq_restore(flags);
	return done;
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

	if (err)
		return err;
	if (!mapping_show(u) && is_first)
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
	/*
	 * READ_IMPLIES_EXEC, the personality of old programs, must not make the page
	 * executable.
	 */
	vm_flags_mod(vma, VM_DONTEXPAND | VM_DONTDUMP,
		     VM_EXEC | VM_MAYWRITE | VM_MAYEXEC);
	vma->vm_private_data = vpmc_page_get(u);
	vma->vm_ops = &mapping_ops;
	mapping_add(u, vma);
	return 0;
}

/*
 * Make @vma, the copy of the mapping of @own, a mapping of @u. No other task uses the mm
 * of @vma yet, so this does not need the mmap_lock.
 */
static void mapping_replace(struct vm_area_struct *vma,
			    struct vpmc_user_page *own,
			    struct vpmc_user_page *u)
{
	WRITE_ONCE(own->copy, NULL);
	/*
	 * The page gets its content and the counters at the first read, because most children never
	 * read it. No release of the counters could find the page before the fork is over.
	 */
	vma->vm_private_data = vpmc_page_get(u);
	mapping_add(u, vma);
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

void vpmc_mapping_for_each(vpmc_mapping_look *look, void *arg)
{
	struct vpmc_user_page *u, *next;

	mutex_lock(&mapping_lock);
	list_for_each_entry_safe(u, next, &mapping_list, node) {
		look(u, u->mm, arg);
		cond_resched();
	}
	mutex_unlock(&mapping_lock);
}

void vpmc_mapping_take_all(void)
{
	vpmc_mapping_for_each(mapping_take, NULL);
}

int vpmc_mapping_permit(struct vpmc_user_page *u)
{
	u8 reservation;
	int err = vpmc_reserve(&reservation);

	if (err)
		return err;
	mutex_lock(&mapping_lock);
	if (!mapping_give(u))
		err = -EADDRINUSE;
	mutex_unlock(&mapping_lock);
	/* The mapping now holds its own reservation. */
	vpmc_unreserve(reservation);
	return err;
}
