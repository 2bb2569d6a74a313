/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the counters of a thread.
 *
 * A thread gets a struct vpmc_thread when it is first started, by itself or by another task, or
 * when a thread with counters creates it. thread_struct.vpmc points to it until the thread exits.
 * Files that are attached to the thread may keep it longer. While a thread counts, the value of
 * each of its counters is @sum plus the events that the hardware has counted since @start. While it
 * does not count, @start is used only if the counter interrupts at samples. It is then minus the
 * number of events until the next sample, cut to the width of the hardware counter.
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
 * @ref: references by the thread itself and by files attached to it
 * @seq: lets other processors read @tsc, the counters' @sum, and the events' counts in
 *	@large. All of these, @tsc_start and the counters' @start are written with
 *	interrupts off on the processor that counts for the thread.
 * @process: the counters of its process, with a reference
 * @task: the thread; NULL after it has exited. @process->lock protects this field and
 *	the following ones up to @accepted.
 * @node: entry in @process->threads
 * @work: task work of a held thread, see work.h
 * @events: the events that it counts, with a reference; NULL if it never started.
 *	Changes only while @run is 0.
 * @generation: generation of its counts
 * @identity: identity of the start that its counts belong to
 * @stopped: number of gaps in its counts, see vpmc_process_note_gap(). The bit
 *	VPMC_THREAD_GAP_NOTED can be set only while the thread is stopped.
 * @run: the epoch of its process if it is to count whenever it is on a processor; else 0
 * @signals: its signals (notify.h); NULL if it never asked for any. Only the thread
 *	itself changes it, also with interrupts off.
 * @page: its page (page.h), or NULL. Only the thread itself changes it, or its creator
 *	before it runs.
 * @kind: an enum vpmc_set_kind, the kind of @events. @large is used unless @kind is VPMC_SMALL.
 * @is_new: whether @large->samples->born is set. Written like @kind, and by its processor.
 * @has_signals: whether @signals is set
 * @isolated: whether it is isolated, see count.h. Written by its processor.
 * @alarmed: whether counters interrupt for its signals, see alarm.h. Written like @signals.
 * @extras: the previous five fields as one word, which is 0 if all five are 0
 * @state: the state that its owner sees, an enum vpmc_state
 * @accepted: whether the page may show the counts: the thread itself has started or
 *	accepted them, and no task has stopped them since. The thread clears it without the
 *	lock.
 * @work_queued: whether @work is queued or about to be. The task that sets it, by an atomic
 *	exchange, queues @work. Cleared under @process->lock.
 * @late: whether it existed before it got counters, or whether its creator was such a thread and
 *	had not started yet. Protected by @process->lock.
 * @held: whether a processor queues @work when it runs the thread, but @run does not let the
 *	thread count. Changed under @process->lock.
 * @tsc_start: time stamp counter when @tsc was last updated
 * @tsc: clocks for which the thread had counted at @tsc_start
 * @large: its counters if @events are large. Replaced like @events.
 * @counter: its counters if @events are not large, one per hardware counter that @events uses, in
 *	the order of vpmc_events.counter
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
			u8 kind:7;
			u8 is_new:1;
			bool has_signals;
			bool isolated;
			bool alarmed;
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

/*
 * This bit in vpmc_thread.stopped says that the number includes the gap after the last
 * stop.
 */
#define VPMC_THREAD_GAP_NOTED	BIT(31)

/* Return the number of gaps in the counts of @t. @t->process->lock must be held. */
static inline u32 vpmc_thread_stopped(const struct vpmc_thread *t)
{
	return t->stopped & ~VPMC_THREAD_GAP_NOTED;
}

/*
 * Initialize @t, which is all zero, with one reference. It takes over a reference to
 * @process.
 */
static inline void vpmc_thread_init(struct vpmc_thread *t,
				    struct vpmc_process *process)
{
	kref_init(&t->ref);
	t->process = process;
	seqcount_init(&t->seq);
}

/*
 * Return the counters of @t, one per hardware counter that its events use, in ascending
 * order.
 */
static inline struct vpmc_counter *vpmc_thread_counters(struct vpmc_thread *t)
{
	return unlikely(t->kind) ? t->large->counter : t->counter;
}

/* Return whether the only extras of @t are samples of user mode. */
static inline bool vpmc_thread_only_samples(const struct vpmc_thread *t)
{
	return t->extras == VPMC_LARGE_SAMPLED || t->extras == VPMC_LARGE_TICKED;
}

/* Return how often @t has counted event @i, which does not share its counter. */
static inline u64 vpmc_thread_count(struct vpmc_thread *t, u32 i)
{
	return vpmc_thread_counters(t)[vpmc_events_index(t->events, i)].sum;
}

/* Return whether @t counts, or will count after an exec. @t->process->lock must be held. */
static inline bool vpmc_thread_is_busy(const struct vpmc_thread *t)
{
	return t->state == VPMC_STATE_RUNNING || t->state == VPMC_STATE_ARMED;
}

#endif /* VPMC_THREAD_COUNTERS_H */
