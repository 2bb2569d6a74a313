/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The page from which a thread reads its counts without a system call.
 *
 * uapi/linux/vpmc.h (struct vpmc_page) explains its fields and how they are
 * read. It is valid only while its thread is on a processor and counts what the
 * thread has started or accepted itself. A thread with a page is isolated (see
 * count.h): the hardware counters hold the low 32 bits of its counts.
 */
#ifndef VPMC_PAGE_H
#define VPMC_PAGE_H

#include <linux/kref.h>
#include <linux/task_work.h>

#include "events.h"

struct mm_struct;
struct page;
struct vpmc_thread;

/**
 * struct vpmc_user_page - a thread's page
 * @ref: the thread, and each mapping, copies by fork included
 * @mm: where it is mapped, else NULL; only compared, never dereferenced
 * @address: its address there, 0 if it is not mapped. Under the mmap_lock of
 *	@mm; the thread reads it without that lock.
 * @page: the memory that is mapped
 * @content: the same, in the kernel's address space. Written on the processor
 *	that the thread is on, with interrupts off.
 * @resume: ends @suspended when the thread returns to user mode
 * @suspended: another process has the thread's memory and thread pointer
 *	(vfork), and may take the page for its own
 * @valid: the thread's counts are shown
 */
struct vpmc_user_page {
	struct kref ref;
	struct mm_struct *mm;
	unsigned long address;
	struct page *page;
	struct vpmc_page *content;
	struct callback_head resume;
	bool suspended;
	bool valid;
};

/* A page with one holder, or NULL if memory is short. May sleep. */
struct vpmc_user_page *vpmc_page_create(void);

static inline struct vpmc_user_page *vpmc_page_get(struct vpmc_user_page *u)
{
	kref_get(&u->ref);
	return u;
}

/* @u may be NULL. Any context. */
void vpmc_page_put(struct vpmc_user_page *u);

/*
 * The thread @t begins to count on this processor, at @tsc, and is isolated.
 * Interrupts off, as in the following two.
 */
void vpmc_page_show(struct vpmc_thread *t, u64 tsc);

/* Its counts have just been brought up to date. */
void vpmc_page_advance(struct vpmc_thread *t);

/* It has stopped counting on this processor. */
void vpmc_page_hide(const struct vpmc_thread *t);

/*
 * Prepare the page of @t, which is invalid, for what @t counts, if @may and if
 * it can be shown. @t->process->lock held, or nobody else can see @t.
 */
void vpmc_page_describe(struct vpmc_thread *t, bool may);

/* Take its page from @t, which is the calling thread's or never ran. */
void vpmc_page_drop(struct vpmc_thread *t);

#endif /* VPMC_PAGE_H */
