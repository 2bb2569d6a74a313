/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares memory that is needed under locks, and is allocated before the locks
 * are taken.
 */
#ifndef VPMC_PREALLOC_H
#define VPMC_PREALLOC_H

#include <linux/list.h>

#include "cpu/events.h"
#include "process/process.h"
#include "thread/sum.h"

struct vpmc_large;
struct vpmc_thread;

/**
 * struct vpmc_prealloc - memory for starts, forks and exits
 * @used: whether there may be memory to free. While it is false, the other fields are not
 *	initialized.
 * @threads: memory for threads whose events are large, linked by vpmc_large.next
 * @process: memory for three sums of a process with large events: vpmc_process.exited,
 *	.before and .children
 * @children: a sum for vpmc_process.children of a process with large events
 * @session: memory for the sum of a session with large events
 * @records: list of struct vpmc_kept_record
 *
 * Users of @process or @session store the replaced memory in the same field, after
 * vpmc_prealloc_use().
 */
struct vpmc_prealloc {
	bool used;
	struct vpmc_large *threads;
	struct vpmc_large_counts *process[VPMC_PROCESS_SUMS];
	struct vpmc_sum *children;
	struct vpmc_large_counts *session;
	struct list_head records;
};

/*
 * Initialize @pre without memory. Functions that need the other fields initialize them
 * by vpmc_prealloc_use(), because most callers never need them.
 */
static inline void vpmc_prealloc_init(struct vpmc_prealloc *pre)
{
	pre->used = false;
}

/* Initialize all fields of @pre, unless they are in use already. */
void vpmc_prealloc_use(struct vpmc_prealloc *pre);

/*
 * Allocate memory for the sums of a process and a session that count @events, if @events are large.
 * The other two functions allocate memory for @nr more threads that count @events, or for @nr more
 * records of such threads. @events may be NULL. Each function returns 0 or -ENOMEM. The caller must
 * call vpmc_prealloc_free() after success and after failure. May sleep.
 */
int vpmc_prealloc_sums(struct vpmc_prealloc *pre,
		       const struct vpmc_events *events);
int vpmc_prealloc_threads(struct vpmc_prealloc *pre,
			  struct vpmc_events *events, u32 nr);
int vpmc_prealloc_records(struct vpmc_prealloc *pre,
			  const struct vpmc_session *s, u32 nr_large, u32 nr);

/* Free the records that are left. */
void vpmc_prealloc_drop_records(struct vpmc_prealloc *pre);

/* Only vpmc_prealloc_free() uses this. */
void vpmc_prealloc_free_used(struct vpmc_prealloc *pre);

/* Free the memory that has not been used. It is allowed in the same contexts as kfree(). */
static inline void vpmc_prealloc_free(struct vpmc_prealloc *pre)
{
	if (unlikely(pre->used))
		vpmc_prealloc_free_used(pre);
}

/*
 * Give @t, which does not count, zeroed counters for its events. If the events are
 * large, this takes one of @pre->threads, which was allocated for these events.
 */
void vpmc_prealloc_take_thread(struct vpmc_prealloc *pre,
			       struct vpmc_thread *t);

#endif /* VPMC_PREALLOC_H */
