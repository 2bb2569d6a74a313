/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The counters of a thread.
 *
 * A thread gets a struct vpmc_thread when it is first started, by itself or by
 * another task, or when a thread with counters creates it. It keeps it in
 * thread_struct.vpmc until it exits. Files that are attached to the thread hold
 * it longer. The value of a counter of a thread that counts is @sum plus what
 * the hardware has counted since @start.
 */
#ifndef VPMC_THREAD_COUNTERS_H
#define VPMC_THREAD_COUNTERS_H

#include <linux/bits.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/seqlock.h>
#include <linux/task_work.h>

#include "cpu/events.h"
#include "pmu/extend.h"
#include "thread/large.h"

struct task_struct;
struct vpmc_process;
struct vpmc_signals;
struct vpmc_user_page;

/**
 * struct vpmc_thread - the counters of a thread
 * @ref: holders: the thread itself, and files attached to it
 * @seq: lets others read @tsc, the counters' @sum, and what @large has for its events.
 *	It, these, @tsc_start and the counters' @start are written with interrupts off
 *	on the processor that counts for the thread.
 * @process: its process's counters; a reference
 * @task: the thread; NULL when it has exited. Under
 *	@process->lock, like all that follows up to @accepted.
 * @node: in @process->threads
 * @work: see work.h
 * @events: what it counts, a reference; NULL if it never started. Changes only
 *	while @run is 0.
 * @generation: of its counts
 * @identity: of the start that its counts belong to
 * @stopped: gaps in its counts, see vpmc_process_note_gap(). The bit
 *	VPMC_THREAD_GAP_NOTED is set only while it has stopped.
 * @run: it is to count whenever it is on a processor in this epoch, that of its
 *	process; 0: never
 * @signals: see notify.h; NULL if it never asked for any. Changed by the
 *	thread alone, with interrupts off, too.
 * @page: see page.h; NULL if it has none. Changed by the thread alone, or
 *	before it runs.
 * @is_large: @events are large: it has @large
 * @has_signals: it has @signals
 * @isolated: it is isolated, see count.h. Written by its processor.
 * @extras: these three at once; 0 if none is set
 * @state: what its owner is told, enum vpmc_state
 * @accepted: the page may show the counts: the thread itself has started or
 *	accepted them, and nobody has stopped them since
 * @work_queued: @work is queued, or about to be. The task that sets it, by an exchange,
 *	queues @work. Cleared under @process->lock.
 * @late: it existed before it got counters, or was created by such a thread that
 *	had not started. Under @process->lock.
 * @held: while @run does not let it count, the processor that it comes to queues @work.
 *	Changed under @process->lock.
 * @tsc_start: time stamp counter when it was last looked at
 * @tsc: clocks before that
 * @large: with @is_large, its counters. Replaced like @events.
 * @counter: without, one per hardware counter that @events uses, in the order of
 *	vpmc_events.counter
 */
struct vpmc_thread {
	struct kref ref;
	seqcount_t seq;
	struct vpmc_process *process;
	struct task_struct *task;
	struct list_head node;
	struct callback_head work;
	struct vpmc_events *events;
	u64 generation;
	u64 identity;
	u32 stopped;
	unsigned int run;
	struct vpmc_signals *signals;
	struct vpmc_user_page *page;
	union {
		struct {
			bool is_large;
			bool has_signals;
			bool isolated;
		};
		u32 extras;
	};
	u8 state;
	bool accepted;
	bool work_queued;
	bool late:1;
	bool held:1;
	u64 tsc_start;
	u64 tsc;
	union {
		struct vpmc_large *large;
		struct vpmc_counter counter[VPMC_SMALL_EVENTS];
	};
};

/* In vpmc_thread.stopped: the gap that the last stop began is counted there. */
#define VPMC_THREAD_GAP_NOTED	BIT(31)

/* How many gaps the counts of @t have. @t->process->lock held. */
static inline u32 vpmc_thread_stopped(const struct vpmc_thread *t)
{
	return t->stopped & ~VPMC_THREAD_GAP_NOTED;
}

/* @t, which is zero, gets one holder, and holds @process. */
static inline void vpmc_thread_init(struct vpmc_thread *t,
				    struct vpmc_process *process)
{
	kref_init(&t->ref);
	t->process = process;
	seqcount_init(&t->seq);
}

/* One per hardware counter that the events of @t use, ascending. */
static inline struct vpmc_counter *vpmc_thread_counters(struct vpmc_thread *t)
{
	return unlikely(t->is_large) ? t->large->counter : t->counter;
}

/* How often @t has counted event @i, which shares no counter. */
static inline u64 vpmc_thread_count(struct vpmc_thread *t, u32 i)
{
	return vpmc_thread_counters(t)[vpmc_events_index(t->events, i)].sum;
}

/* Does @t count, or wait for an exec to do so? @t->process->lock held. */
static inline bool vpmc_thread_is_busy(const struct vpmc_thread *t)
{
	return t->state == VPMC_STATE_RUNNING || t->state == VPMC_STATE_ARMED;
}

#endif /* VPMC_THREAD_COUNTERS_H */
