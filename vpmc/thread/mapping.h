/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Mappings of threads' pages (page.h).
 *
 * fork(2) copies mappings. In place of its parent's page the child gets one of
 * its own, at the same address; it cannot touch its copies of other threads'
 * pages. As long as a thread's own page is mapped, its process may execute
 * RDPMC: the mm counts such mappings, as for perf. A new mm begins at zero.
 */
#ifndef VPMC_MAPPING_H
#define VPMC_MAPPING_H

#include <linux/types.h>

struct file;
struct mm_struct;
struct task_struct;
struct vm_area_struct;
struct vpmc_thread;
struct vpmc_user_page;

/*
 * The device's mmap: only of the calling thread's page, where it has one that
 * is not mapped. mmap_lock held for writing.
 */
int vpmc_mapping_mmap(struct file *file, struct vm_area_struct *vma);

/*
 * Give @child, a process that current has forked and that does not run yet, the
 * page @u in place of its copy of current's. Takes over the caller's reference.
 * @child has counters. @may: it may see them, if its parent's page shows what it
 * inherits. May sleep.
 */
void vpmc_mapping_inherit(struct task_struct *child, struct vpmc_user_page *u,
			  bool may);

/*
 * The calling thread, with counters @t and a page, has created a process in its
 * own memory. The new process must find no counts in the page, even while its
 * creator is still on a processor. May sleep.
 */
void vpmc_mapping_suspend(struct vpmc_thread *t);

/* @u, which has the counters, is mapped in @mm, which a task has or has had. */
typedef void vpmc_mapping_look(struct vpmc_user_page *u, struct mm_struct *mm, void *arg);

/*
 * Look at each page that has the counters, also in memory that no task has any more. While
 * this holds the lock of vpmc_space no mapping that it finds can be closed, and so it does not
 * need that of the memory, which a process can keep for as long as it likes. May sleep, but
 * @look must not allocate memory.
 */
void vpmc_mapping_for_each(vpmc_mapping_look *look, void *arg);

/*
 * Take the counters from all pages: RDPMC is refused where they are mapped. A page that is
 * just being mapped may be left out, but that is a user of the counters. May sleep.
 */
void vpmc_mapping_take_all(void);

/*
 * Let the page of the calling thread have the counters again if they were taken from it.
 * Returns 0 or -EADDRINUSE. May sleep.
 */
int vpmc_mapping_permit(struct vpmc_user_page *u);

#endif /* VPMC_MAPPING_H */
