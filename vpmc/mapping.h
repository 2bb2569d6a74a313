/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where threads' pages (page.h) are mapped.
 *
 * Mappings are copied by fork(2), for which the child gets a page of its own
 * at the same address. Copies of other threads' pages cannot be touched. As
 * long as a thread's own page is mapped, its process may execute RDPMC: such
 * mappings are counted in the mm, as perf counts its own. A new mm begins at
 * zero.
 */
#ifndef VPMC_MAPPING_H
#define VPMC_MAPPING_H

#include <linux/types.h>

struct file;
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
 * Let @child, a process that current has forked and that does not run yet,
 * have @u in place of its copy of current's page. Takes over the caller's
 * reference. @child has counters. May sleep.
 */
void vpmc_mapping_inherit(struct task_struct *child, struct vpmc_user_page *u);

/*
 * The calling thread, with counters @t and a page, has created a process in
 * its own memory. That shall find nothing in the page, also before its creator
 * has left the processor. May sleep.
 */
void vpmc_mapping_suspend(struct vpmc_thread *t);

#endif /* VPMC_MAPPING_H */
