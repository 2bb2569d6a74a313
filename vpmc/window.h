/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The page that a thread reads its counts from, without a system call.
 *
 * uapi/linux/vpmc.h (struct vpmc_page) explains what is in it and how it is
 * read. It is valid only while its thread is on a processor and counts what
 * the thread itself has begun or accepted. A thread with such a window is
 * isolated (see thread.h): the hardware counters hold the low bits of its
 * counts, so that they never have to be read along with anything that changes.
 *
 * Mappings are copied by fork(2), for which the child gets a window of its own
 * at the same address. Copies of other threads' windows cannot be touched.
 * As long as a window is mapped, its process may execute RDPMC: each mapping
 * is counted in the mm, as perf counts its own.
 */
#ifndef VPMC_WINDOW_H
#define VPMC_WINDOW_H

#include <linux/types.h>

struct file;
struct task_struct;
struct vm_area_struct;
struct vpmc_map;
struct vpmc_thread;
struct vpmc_window;

/*
 * VPMC_MAP, on an open file of the device. Returns 0 or the errors listed
 * there. May sleep.
 */
int vpmc_window_map(struct file *file, struct vpmc_map *map);

/* The device's mmap: only for vpmc_window_map(). mmap_lock held for writing. */
int vpmc_window_mmap(struct file *file, struct vm_area_struct *vma);

/*
 * The calling thread has begun its counts of @generation itself, or accepts
 * them: its window, if it has one, is to show them. If they have been replaced
 * meanwhile, it shows none. May sleep.
 */
void vpmc_window_accept(u64 generation);

/*
 * The thread @t begins to count on this processor, at @tsc, and is isolated.
 * Interrupts off, as in the following two.
 */
void vpmc_window_show(const struct vpmc_thread *t, u64 tsc);

/* Its counts have just been brought up to date. */
void vpmc_window_advance(const struct vpmc_thread *t);

/* It counts no more, or not on this processor. */
void vpmc_window_hide(const struct vpmc_thread *t);

/* A window for a new process, or NULL if memory is short. May sleep. */
struct vpmc_window *vpmc_window_create(void);

/* @w may be NULL. Any context. */
void vpmc_window_put(struct vpmc_window *w);

/*
 * Let @child, a process that current has forked and that does not run yet,
 * have @w in place of its copy of current's window. Takes over the caller's
 * reference. @child has counters. May sleep.
 */
void vpmc_window_inherit(struct task_struct *child, struct vpmc_window *w);

/*
 * The calling thread, with counters @t and a window, has created a process in
 * its own memory. That shall find nothing in the window, also before its creator
 * has left the processor. May sleep.
 */
void vpmc_window_veil(struct vpmc_thread *t);

/* @t, the calling thread's or one that never ran, has a window no more. */
void vpmc_window_drop(struct vpmc_thread *t);

#endif /* VPMC_WINDOW_H */
