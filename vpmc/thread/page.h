/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the page from which a thread reads its counts without a system
 * call.
 *
 * uapi/linux/vpmc.h (struct vpmc_page) explains the fields of the page and how to read
 * them. The page is valid only while its thread is on a processor and counts, and has
 * itself started or accepted its counts. A thread with a page is isolated (see count.h),
 * and the hardware counters hold the low 32 bits of its counts.
 */
#ifndef VPMC_PAGE_H
#define VPMC_PAGE_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/task_work.h>

#include "cpu/events.h"

struct mm_struct;
struct task_struct;
struct user_struct;
struct vm_area_struct;
struct vpmc_thread;

/**
 * struct vpmc_user_page - a thread's page
 * @ref: references by the thread and by each mapping, including copies by fork
 * @sequence: the initial value of the sequence of @content
 * @mm: the memory in which it is mapped, or NULL. Protected by the mmap_lock of @mm. Other tasks
 *	only compare @mm. For pages in the list of @node they can also dereference @mm.
 * @address: its address in @mm, 0 if it is not mapped. Protected like @mm; the thread
 *	reads it without a lock.
 * @node: node in the list of pages that have the counters, while @permitted is set.
 *	Protected by mapping_lock.
 * @copy: the copy of the mapping in the process that the thread is forking, or NULL.
 *	After a failed fork it stays set until the copy is closed. Other tasks only
 *	clear it.
 * @copy_mm: the memory of @copy; only compared
 * @content: the memory that is mapped, in the kernel's address space. NULL until the
 *	page is first read, because most processes that inherit a page never read it.
 *	Written on the processor that the thread is on, with interrupts off.
 * @holder: the thread, if it inherited the page, or 0. If the thread has exited and the
 *	page is still mapped, the user to whom the page is charged, with
 *	VPMC_PAGE_CHARGED.
 * @resume: task work that ends VPMC_PAGE_SUSPENDED when the thread returns to user mode. It also
 *	shows the thread's counts if another task has read the page first.
 * @blocked: VPMC_PAGE_SUSPENDED and VPMC_PAGE_UNDESCRIBED. They are in one field because each
 *	switch tests both. Written like @content.
 * @valid: whether the page shows the thread's counts
 * @queued: whether @resume is queued
 * @permitted: whether the mapping has the counters, so that this page allows RDPMC in @mm.
 *	VPMC_MAP, a start, or the first use of an inherited page gives the counters to the page, and
 *	VPMC_RELEASE takes them away. Protected by mapping_lock; other tasks read it without the
 *	lock.
 */
struct vpmc_user_page {
	struct kref ref;
	u32 sequence;
	struct mm_struct *mm;
	unsigned long address;
	struct list_head node;
	struct vm_area_struct *copy;
	const struct mm_struct *copy_mm;
	struct vpmc_page *content;
	unsigned long holder;
	struct callback_head resume;
	u8 blocked;
	bool valid;
	bool queued;
	bool permitted;
};

/*
 * Another process uses the thread's memory and thread pointer (vfork), and may mistake
 * the page for its own.
 */
#define VPMC_PAGE_SUSPENDED	0x1
/* @content is missing or does not describe the present events. */
#define VPMC_PAGE_UNDESCRIBED	0x2

/* This bit in @holder distinguishes the address of a user from the address of a thread. */
#define VPMC_PAGE_CHARGED	1UL

/*
 * Create a page with one reference and without @content. Returns NULL if memory is
 * short. May sleep.
 */
struct vpmc_user_page *vpmc_page_create(void);

/*
 * Allocate @content of @u if it has none. The thread shows its counts there when it
 * next begins to count. Returns 0 or -ENOMEM. May sleep.
 */
int vpmc_page_alloc(struct vpmc_user_page *u);

/* Return a number that changes whenever @u shows different values. */
static inline u32 vpmc_page_sequence(const struct vpmc_user_page *u)
{
	const struct vpmc_page *content = READ_ONCE(u->content);

	return content ? READ_ONCE(content->sequence) : u->sequence;
}

static inline struct vpmc_user_page *vpmc_page_get(struct vpmc_user_page *u)
{
	kref_get(&u->ref);
	return u;
}

/* Drop a reference. @u may be NULL. Any context. */
void vpmc_page_put(struct vpmc_user_page *u);

/*
 * Show the counts of @t, which begins to count on this processor at @tsc and is
 * isolated. Interrupts off.
 */
void vpmc_page_show(struct vpmc_thread *t, u64 tsc);

/* Update the page of @t, whose counts have just been brought up to date. Interrupts off. */
void vpmc_page_advance(struct vpmc_thread *t);

/*
 * Make the page of @t invalid. @t has stopped counting on this processor. Interrupts
 * off.
 */
void vpmc_page_hide(const struct vpmc_thread *t);

/*
 * Prepare the invalid page of @t for the events of @t, if @may is set and the events can be shown.
 * @t->process->lock held, or no other task can see @t.
 */
void vpmc_page_describe(struct vpmc_thread *t, bool may);

/*
 * Return the thread that inherited @u, or NULL if there is none or it has exited.
 * rcu_read_lock() held.
 */
struct task_struct *vpmc_page_thread(const struct vpmc_user_page *u);

/*
 * Return the user to whom @u is charged because its thread has exited, or NULL. @u is
 * mapped, and the caller keeps it mapped.
 */
struct user_struct *vpmc_page_user(const struct vpmc_user_page *u);

/* Return whether @u is mapped and does not have the counters. Any context. */
static inline bool vpmc_page_is_taken(const struct vpmc_user_page *u)
{
	return READ_ONCE(u->address) && !READ_ONCE(u->permitted);
}

/*
 * Remove the page of @t, which belongs to the calling thread or never ran. While the
 * page is still mapped, it is charged to current's user. Interrupts off.
 */
void vpmc_page_drop(struct vpmc_thread *t);

#endif /* VPMC_PAGE_H */
