/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory that is needed under locks, and preallocated before they are taken. */
#ifndef VPMC_PREALLOC_H
#define VPMC_PREALLOC_H

#include <linux/list.h>

#include "events.h"
#include "process.h"
#include "sum.h"

struct vpmc_multiplex;
struct vpmc_thread;

/**
 * struct vpmc_prealloc - memory for starts, forks and exits
 * @used: there may be something to free
 * @threads: for threads whose events share counters, linked by next
 * @process: for the sums of a process whose events do
 * @session: for the sum of a session whose events do
 * @records: struct vpmc_kept_record, by node
 *
 * Whoever uses @process or @session leaves there what that has replaced, and
 * sets @used.
 */
struct vpmc_prealloc {
	bool used;
	struct vpmc_multiplex *threads;
	struct vpmc_mux_counts *process[VPMC_PROCESS_SUMS];
	struct vpmc_mux_counts *session;
	struct list_head records;
};

#define VPMC_PREALLOC_INIT(name) { .records = LIST_HEAD_INIT((name).records) }

/*
 * Memory for the sums of a process and a session that count @events, and for @nr
 * more threads that do; for @nr more records of threads that count @events.
 * @events may be NULL. Each returns 0 or -ENOMEM; in any case there may be
 * something to free. May sleep.
 */
int vpmc_prealloc_sums(struct vpmc_prealloc *pre,
		       const struct vpmc_events *events);
int vpmc_prealloc_threads(struct vpmc_prealloc *pre,
			  struct vpmc_events *events, u32 nr);
int vpmc_prealloc_records(struct vpmc_prealloc *pre,
			  const struct vpmc_events *events, u32 nr);

/* Only for vpmc_prealloc_free(). */
void vpmc_prealloc_free_used(struct vpmc_prealloc *pre);

/* Leaves it empty. May sleep no more than kfree(). */
static inline void vpmc_prealloc_free(struct vpmc_prealloc *pre)
{
	if (unlikely(pre->used))
		vpmc_prealloc_free_used(pre);
}

/* Let @t, which does not count, have one of @pre->threads or, if none, none. */
void vpmc_prealloc_take_thread(struct vpmc_prealloc *pre,
			       struct vpmc_thread *t);

#endif /* VPMC_PREALLOC_H */
