/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the mappings of threads' pages (page.h).
 *
 * fork(2) copies mappings. Instead of its parent's page, the child gets its own page at
 * the same address. The child cannot access its copies of other threads' pages. A process
 * may execute RDPMC while a page of one of its threads is mapped. The mm counts these
 * mappings, as for perf. In a new mm the number is zero.
 */
#ifndef VPMC_MAPPING_H
#define VPMC_MAPPING_H

#include <linux/types.h>

struct pt_regs;
struct file;
struct mm_struct;
struct task_struct;
struct vm_area_struct;
struct vpmc_thread;
struct vpmc_user_page;

/*
 * Implement mmap of the device. It maps only the page of the calling thread. This page must exist
 * and must not be mapped yet. The mapping does not have the counters before vpmc_mapping_permit().
 * mmap_lock must be held for writing. Returns 0 or -errno.
 */
int vpmc_mapping_mmap(struct file *file, struct vm_area_struct *vma);

/*
 * Replace the copy of current's page in @child by the page @u, which does not have the counters
 * yet. Current has forked @child, which has counters and does not run yet. This takes over the
 * caller's reference to @u. @may says whether @child may see its counts. Its page shows the counts
 * only if its parent's page shows the parent's counts. May sleep.
 */
void vpmc_mapping_inherit(struct task_struct *child, struct vpmc_user_page *u,
			  bool may);

/*
 * Hide the counts in the page of the calling thread @t, which has created a process in
 * its own memory. The new process must not find counts in the page, even while its
 * creator is still on a processor. May sleep.
 */
void vpmc_mapping_suspend(struct vpmc_thread *t);

/*
 * Give the counters to the page of the calling thread @t, if @t has inherited the page and the page
 * is to show the counts of @t. This happens when @t first reads the page, or creates a task with
 * the same memory. The new task may then execute RDPMC, too. May sleep.
 */
void vpmc_mapping_need(struct vpmc_thread *t);

/* Implement the hook "fixup", which vpmc_hooks.h describes. */
bool vpmc_mapping_fixup(struct pt_regs *regs);

/*
 * This is the type of a function that is called for @u, which has the counters and is
 * mapped in @mm. A task uses this mm or has used it.
 */
typedef void vpmc_mapping_look(struct vpmc_user_page *u, struct mm_struct *mm, void *arg);

/*
 * Call @look for each page that has the counters, even if no task uses its mm any more.
 * No mapping is closed, and no page gets the counters, in the meantime. May sleep, but
 * @look must not allocate memory: mappings that are to be closed wait for @look.
 */
void vpmc_mapping_for_each(vpmc_mapping_look *look, void *arg);

/*
 * Take the counters from all pages, so that RDPMC is refused in processes that map them.
 * After vpmc_reserve_close(), no page gets them again. May sleep.
 */
void vpmc_mapping_take_all(void);

/*
 * Give the counters to @u, the page of the calling thread, if it is mapped and does not
 * have them. Returns 0 or an error of vpmc_reserve(). May sleep, but does not need the
 * mmap_lock, because a process could keep the counters while it waits for this lock.
 */
int vpmc_mapping_permit(struct vpmc_user_page *u);

#endif /* VPMC_MAPPING_H */
