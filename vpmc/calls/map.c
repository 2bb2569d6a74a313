// SPDX-License-Identifier: GPL-2.0-only
/* This file implements VPMC_MAP. */
#include <linux/err.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include <asm/tlbflush.h>

#include "kernel/account.h"
#include "thread/count.h"
#include "cpu/cpu.h"
#include "calls/map.h"
#include "thread/mapping.h"
#include "thread/page.h"
#include "calls/populate.h"
#include "cpu/rdpmc.h"
#include "cpu/reserve.h"
#include "process/thread.h"

/*
 * Let the page of @t show its counts, if the thread may see them. The epoch of @t's
 * process has been enforced. Returns whether the thread has counts and may see them.
 */
static bool map_show(struct vpmc_thread *t)
{
	bool may = vpmc_access_may_see(&t->process->access, true);

	lockdep_assert_held(&t->process->lock);
	local_irq_disable();
	vpmc_count_pause();
	t->isolated = true;
	vpmc_page_describe(t, may);
	vpmc_count_continue();
	local_irq_enable();
	return may && t->events;
}

void vpmc_map_accept_in_page(struct vpmc_thread *t, u64 identity)
{
	/* A page from which the counters were taken cannot show counts. */
	if (vpmc_page_is_taken(t->page) && vpmc_mapping_permit(t->page))
		return;
	if (vpmc_process_lock_killable(t->process) && t->identity == identity)
		map_show(t);
	vpmc_process_unlock(t->process);
}

/* Return the calling thread's counters, or ERR_PTR(). Create them if necessary. */
static struct vpmc_thread *map_own_thread(void)
{
	struct vpmc_target self = { .task = current };
	struct vpmc_process *p;
	int err;

	if (current->thread.vpmc)
		return current->thread.vpmc;
	p = vpmc_process_get_or_create(current);
	err = p ? vpmc_populate(p, &self) : -ENOMEM;
	return err ? ERR_PTR(err) : current->thread.vpmc;
}

/*
 * Check whether the calling thread may have a page. A thread with counts must be allowed
 * to see them, and a thread without counts must be allowed to count.
 */
static int map_check(const struct vpmc_thread *t)
{
	bool counts = false, denied = false, lives;

	if (t) {
		lives = vpmc_process_lock_killable(t->process);
		counts = t->events;
		denied = counts &&
			 !vpmc_access_may_see(&t->process->access, true);
		vpmc_process_unlock(t->process);
		if (!lives)
			return -EINTR;
	}
	if (denied)
		return -EPERM;
	return counts ? 0 : vpmc_access_may_count(false);
}

/* Return whether perf's attribute "rdpmc" forbids RDPMC, so that CR4.PCE stays clear. */
static bool map_is_forbidden(void)
{
	bool forbidden;

	local_irq_disable();
	if (!(cr4_read_shadow() & X86_CR4_PCE))
		vpmc_rdpmc_update();
	forbidden = !(cr4_read_shadow() & X86_CR4_PCE) &&
		    !vpmc_cpu_counts_kernel();
	local_irq_enable();
	return forbidden;
}

/*
 * Check whether a page can get the counters before it is mapped. This does not reserve
 * the counters, because a process can wait for its mmap_lock for as long as it likes.
 */
static int map_check_counters(void)
{
	u8 reservation;
	int err = vpmc_reserve(&reservation);

	if (!err)
		vpmc_unreserve(reservation);
	return err;
}

/*
 * Let the kernel map the memory of the page at @address. A fault here takes fewer
 * instructions than MAP_POPULATE. If this fails, the first read of the page faults.
 */
static void map_touch(unsigned long address)
{
	const u8 __user *byte = (const u8 __user *)address;
	u8 unused __maybe_unused;

	(void)get_user(unused, byte);
}

/* Map the page of @t. The page does not exist yet, or is not mapped. */
static int map_page(struct file *file, struct vpmc_thread *t)
{
	unsigned long address = -ENOMEM;
	int err;

	if (!t->page && vpmc_account_is_exceeded())
		return -ENOMEM;
	err = map_check_counters();
	if (err)
		return err;
	if (!t->page)
		t->page = vpmc_page_create();
	/*
	 * Allocate and map the memory now, because a page fault in the first read would
	 * cost more than a system call.
	 */
	if (t->page && !vpmc_page_alloc(t->page))
		address = vm_mmap(file, 0, PAGE_SIZE, PROT_READ, MAP_SHARED, 0);
	if (IS_ERR_VALUE(address))
		return (int)address;
	map_touch(address);
	err = vpmc_mapping_permit(t->page);
	if (!err && map_is_forbidden())
		err = -EOPNOTSUPP;
	if (err)
		vm_munmap(address, PAGE_SIZE);
	return err;
}

static void map_answer(struct vpmc_thread *t, struct vpmc_map *args)
{
	bool shown;

	vpmc_process_enforce_epoch(t->process);
	shown = map_show(t);
	args->generation = shown ? t->generation : 0;
	args->start = shown ? t->identity : 0;
	args->address = READ_ONCE(t->page->address);
}

int vpmc_map_own(struct file *file, struct vpmc_map *args)
{
	struct vpmc_thread *t;
	int err;

	if (!(vpmc_pmu->features & VPMC_FEATURE_MAP))
		return -EOPNOTSUPP;
	err = map_check(current->thread.vpmc);
	if (err)
		return err;
	t = map_own_thread();
	if (IS_ERR(t))
		return PTR_ERR(t);
	if (!t->page || !READ_ONCE(t->page->address))
		err = map_page(file, t);
	else if (vpmc_page_is_taken(t->page))
		err = vpmc_mapping_permit(t->page);
	if (err)
		return err;
	if (vpmc_process_lock_killable(t->process))
		map_answer(t, args);
	else
		err = -EINTR;
	vpmc_process_unlock(t->process);
	return err;
}
