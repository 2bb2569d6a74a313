/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares memory that is needed under locks, and is allocated before these
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
 * @used: there may be something to free. While it is false, nothing below is set up.
 * @threads: for threads whose events are large, linked by next
 * @process: for the sums of a process whose events do: @exited, @before and @children
 * @children: for vpmc_process.children of such a process: a sum
 * @session: for the sum of a session whose events do
 * @records: struct vpmc_kept_record, by node
 *
 * Users of @process or @session put the memory that it replaces there, after
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

/* Nothing is allocated. Its users set up the rest, which most of them never need. */
static inline void vpmc_prealloc_init(struct vpmc_prealloc *pre)
{
	pre->used = false;
}

/* Set up everything, which is empty unless it was in use. */
void vpmc_prealloc_use(struct vpmc_prealloc *pre);

/*
 * Allocate memory for the sums of a process and a session that count @events, if large;
 * for @nr more threads that count them; for @nr more records of such threads.
 * @events may be NULL. Each returns 0 or -ENOMEM. In both cases the caller must
 * call vpmc_prealloc_free(). May sleep.
 */
int vpmc_prealloc_sums(struct vpmc_prealloc *pre,
		       const struct vpmc_events *events);
int vpmc_prealloc_threads(struct vpmc_prealloc *pre,
			  struct vpmc_events *events, u32 nr);
int vpmc_prealloc_records(struct vpmc_prealloc *pre,
			  const struct vpmc_session *s, u32 nr_large, u32 nr);

/* Free those that are left. */
void vpmc_prealloc_drop_records(struct vpmc_prealloc *pre);

/* Only for vpmc_prealloc_free(). */
void vpmc_prealloc_free_used(struct vpmc_prealloc *pre);

/* Free what has not been used. Allowed wherever kfree() is. */
static inline void vpmc_prealloc_free(struct vpmc_prealloc *pre)
{
	if (unlikely(pre->used))
		vpmc_prealloc_free_used(pre);
}

/*
 * Give @t, which does not count, zero counters for its events: one of @pre->threads
 * if they are large; then they are those that the memory was allocated for.
 */
void vpmc_prealloc_take_thread(struct vpmc_prealloc *pre,
			       struct vpmc_thread *t);

#endif /* VPMC_PREALLOC_H */
