/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The counters of one thread.
 *
 * A thread gets a struct vpmc_thread when it first starts to count or when a
 * thread that counts creates it, and keeps it in thread_struct.vpmc until it
 * exits. Only the thread itself, or the scheduler on its behalf, touches the
 * hardware for it; the value of a counter of a thread that counts is @sum
 * plus what the hardware has counted since @start.
 */
#ifndef VPMC_THREAD_H
#define VPMC_THREAD_H

#include <linux/list.h>
#include <linux/seqlock.h>

#include "events.h"
#include "process.h"

/**
 * struct vpmc_counter - one virtual counter
 * @start: the hardware counter when it was last looked at
 * @sum: events before that
 */
struct vpmc_counter {
	u64 start;
	u64 sum;
};

/**
 * struct vpmc_thread - the counters of a thread
 * @process: its process's counters; a reference
 * @task: whose counters these are
 * @node: in @process->threads; under @process->lock
 * @events: what it counts; a reference. Written by the thread, with
 *	@process->lock held.
 * @generation: of its counts; under @process->lock
 * @state: under @process->lock; the thread's processor counts for it exactly
 *	if it is VPMC_STATE_RUNNING, of which the thread keeps a copy in
 *	TIF_VPMC, and @epoch is the present one
 * @epoch: when it started, see system.h. Written like @events.
 * @signals: see signals.h; NULL if it never asked for any. Written by the
 *	thread, with @process->lock held.
 * @seq: lets others read the fields below; written with interrupts off on the
 *	processor that the thread is on
 * @tsc_start: time stamp counter when it was last looked at
 * @tsc: clocks before that
 * @counter: one per event
 */
struct vpmc_thread {
	struct vpmc_process *process;
	struct task_struct *task;
	struct list_head node;
	struct vpmc_events *events;
	u64 generation;
	enum vpmc_state state;
	unsigned int epoch;
	struct vpmc_signals *signals;
	seqcount_t seq;
	u64 tsc_start;
	u64 tsc;
	struct vpmc_counter counter[VPMC_MAX_COUNTERS];
};

/**
 * vpmc_thread_start() - let the calling thread count
 * @events: what to count; takes over the caller's reference if it succeeds
 * @flags: VPMC_START_* bits
 * @session: with VPMC_START_COLLECT, who collects the process
 * @generation: receives the generation of the counts
 *
 * Context: may sleep.
 * Return: 0, or, with nothing changed, -EBUSY (counts already, or another
 * session collects the process), -ENODATA (nothing to resume), -EINVAL (not the
 * events to resume), -ENOMEM.
 */
int vpmc_thread_start(struct vpmc_events *events, u32 flags,
		      struct vpmc_session *session, u64 *generation);

/*
 * Stop the calling thread's counting. Returns 0, or -ENODATA if it never
 * started. May sleep.
 */
int vpmc_thread_stop(u64 *generation);

/* VPMC_SCOPE_THREAD of vpmc_process_read(), for the calling thread. */
int vpmc_thread_read(struct vpmc_read *read);

/*
 * Give the calling thread, whose counters are @t, another state.
 * @t->process->lock held.
 */
void vpmc_thread_set_state(struct vpmc_thread *t, enum vpmc_state state);

/* Does the calling processor's current thread count? Interrupts off. */
bool vpmc_thread_is_on_cpu(void);

/*
 * Bring the calling processor's current thread up to date if it belongs to
 * @process; if that is NULL, in any case. For on_each_cpu(): interrupts off.
 */
void vpmc_thread_fold(void *process);

/*
 * Add a snapshot of @t, which may be counting on another processor, as of the
 * last time it was brought up to date, to @sum. @t->process->lock held.
 */
void vpmc_thread_counts(struct vpmc_sum *sum, const struct vpmc_thread *t);

/*
 * The same if @sum, which counts @events, may have it; or note there why it
 * may not.
 */
void vpmc_thread_add(struct vpmc_sum *sum, const struct vpmc_thread *t,
		     const struct vpmc_events *events);

/* Hooks, see vpmc_hooks.h. */
void vpmc_thread_switch(struct task_struct *prev, struct task_struct *next);
void vpmc_thread_tick(struct task_struct *curr);
int vpmc_thread_fork(struct task_struct *child);
void vpmc_thread_exec(bool raised);
void vpmc_thread_exit(struct task_struct *tsk);

#endif /* VPMC_THREAD_H */
