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

#include "cpu/events.h"

struct mm_struct;
struct task_struct;
struct user_struct;
struct vm_area_struct;
struct vpmc_thread;

/**
 * struct vpmc_user_page - a thread's page
 * @ref: the thread, and each mapping, copies by fork included
 * @sequence: what that of @content begins with
 * @mm: where it is mapped, else NULL; only compared, never dereferenced
 * @address: its address there, 0 if it is not mapped. Under the mmap_lock of
 *	@mm; the thread reads it without that lock.
 * @copy: the copy of the mapping in the process that the thread is forking, else NULL or,
 *	until its memory is gone, that of a fork that has failed. Others only clear it.
 * @copy_mm: the memory that @copy is in; only compared
 * @content: the memory that is mapped, in the kernel's address space. NULL until the
 *	page is first read: most processes that inherit one never do that. Written
 *	on the processor that the thread is on, with interrupts off.
 * @holder: the thread, if it inherited the page, or 0; when it is gone and the page is
 *	still mapped, the user to whom it is charged then, with VPMC_PAGE_CHARGED
 * @resume: ends VPMC_PAGE_SUSPENDED when the thread returns to user mode, and shows its
 *	counts if somebody else has read the page first
 * @blocked: VPMC_PAGE_SUSPENDED and VPMC_PAGE_UNDESCRIBED. In one word, for each
 *	switch looks at them. Written as @content is.
 * @valid: the thread's counts are shown
 * @queued: @resume is queued
 * @taken: VPMC_RELEASE has taken the counters from the mapping: RDPMC is refused in @mm
 *	as far as this page is concerned, until the thread starts or maps it itself.
 *	Like @address; VPMC_RELEASE sets it with the lock of vpmc_space held.
 */
struct vpmc_user_page {
	struct kref ref;
	u32 sequence;
	struct mm_struct *mm;
	unsigned long address;
	struct vm_area_struct *copy;
	const struct mm_struct *copy_mm;
	struct vpmc_page *content;
	unsigned long holder;
	struct callback_head resume;
	u8 blocked;
	bool valid;
	bool queued;
	bool taken;
};

/*
 * Another process has the thread's memory and thread pointer (vfork), and may take the
 * page for its own.
 */
#define VPMC_PAGE_SUSPENDED	0x1
/* @content does not say what is counted, or there is none. */
#define VPMC_PAGE_UNDESCRIBED	0x2

/* The address of a user, unlike that of a thread, in @holder. */
#define VPMC_PAGE_CHARGED	1UL

/* A page with one holder, without @content, or NULL if memory is short. May sleep. */
struct vpmc_user_page *vpmc_page_create(void);

/*
 * Give @u its @content if it has none. The thread shows its counts there when it next
 * begins to count. Returns 0 or -ENOMEM. May sleep.
 */
int vpmc_page_alloc(struct vpmc_user_page *u);

/* The number that changes with each change of what @u shows. */
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

/*
 * The thread that inherited @u, or NULL if there is none or it is gone.
 * rcu_read_lock() held.
 */
struct task_struct *vpmc_page_thread(const struct vpmc_user_page *u);

/*
 * The user to whom @u is charged, because its thread is gone, or NULL. @u is mapped, and the
 * caller does not let that end.
 */
struct user_struct *vpmc_page_user(const struct vpmc_user_page *u);

/*
 * Take its page from @t, which is the calling thread's or never ran. As long as it is
 * mapped, it is charged to current's user from now on. Interrupts off.
 */
void vpmc_page_drop(struct vpmc_thread *t);

#endif /* VPMC_PAGE_H */
