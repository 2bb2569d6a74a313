/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The counters of a process: what its threads, the exited ones included, and
 * its waited-for children have counted.
 *
 * A process gets a struct vpmc_process when one of its threads first starts
 * to count, or when it is forked by a thread that counts. It is held by
 * signal_struct.vpmc until the process has been reaped, by each thread of the
 * process that ever counted until that thread exits, and by each open file
 * that is bound to it: so it can be read when the process is gone.
 */
#ifndef VPMC_PROCESS_H
#define VPMC_PROCESS_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/spinlock.h>

#include "events.h"

struct signal_struct;
struct task_struct;

/**
 * struct vpmc_sum - counts added up
 * @tsc: clocks for which what was added up was counting
 * @not_added: how many threads or children could not be added, because
 *	their events differ
 * @count: one per event
 */
struct vpmc_sum {
	u64 tsc;
	u32 not_added;
	u64 count[VPMC_MAX_COUNTERS];
};

/**
 * struct vpmc_process - the counters of a process
 * @ref: holders
 * @lock: protects everything below, and what thread.h says of the threads.
 *	Taken in process context only.
 * @threads: struct vpmc_thread, by node
 * @generation: of the counts; see vpmc_process_new_generation()
 * @events: what @exited and @children count, or NULL if nobody started yet
 * @privileged: whoever started the count may watch any program
 * @exited: the sum of the threads that are gone
 * @children: the sum of the children that were waited for
 */
struct vpmc_process {
	struct kref ref;
	spinlock_t lock;	/* see above */
	struct list_head threads;
	u64 generation;
	struct vpmc_events *events;
	bool privileged;
	struct vpmc_sum exited;
	struct vpmc_sum children;
};

/**
 * vpmc_process_get_or_create() - the counters of a process
 * @sig: of current, or of a child that does not run yet
 *
 * Context: may sleep.
 * Return: @sig's counters, without a reference for the caller (@sig's is good
 * while @sig has a thread), or NULL if memory is short.
 */
struct vpmc_process *vpmc_process_get_or_create(struct signal_struct *sig);

static inline struct vpmc_process *vpmc_process_get(struct vpmc_process *p)
{
	kref_get(&p->ref);
	return p;
}

/* Any context. */
void vpmc_process_put(struct vpmc_process *p);

/*
 * Start a new generation, one that no process ever had, and let all sums begin
 * at zero of @events. Takes the caller's reference to @events. @p->lock held.
 */
void vpmc_process_restart(struct vpmc_process *p, struct vpmc_events *events);

/* A generation that no process ever had. Any context. */
u64 vpmc_new_generation(void);

/**
 * vpmc_process_read() - read VPMC_SCOPE_SELF or VPMC_SCOPE_CHILDREN
 * @p: whose counters
 * @read: @scope is set; receives the rest
 *
 * Context: may sleep.
 * Return: 0, or -ENODATA if there is nothing that ever counted.
 */
int vpmc_process_read(struct vpmc_process *p, struct vpmc_read *read);

/* The present generation of a process's counts. May sleep. */
u64 vpmc_process_generation(struct vpmc_process *p);

/* Hooks, see vpmc_hooks.h. */
void vpmc_process_wait(struct task_struct *child);
void vpmc_process_release(struct signal_struct *sig);

#endif /* VPMC_PROCESS_H */
