/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The counters of one thread.
 *
 * A thread gets a struct vpmc_thread when it is first started, by itself or by
 * somebody else, or when a thread that counts creates it, and keeps it in
 * thread_struct.vpmc until it exits. Files that are attached to the thread hold
 * it longer. The value of a counter of a thread that counts is @sum plus what
 * the hardware has counted since @start.
 *
 * Only the thread's own processor touches the hardware for it. Somebody else
 * who wants it to count or not says so in @run and then interrupts all
 * processors (vpmc_thread_set_state()): the one that the thread is on follows
 * at once, and a processor that it comes to later sees @run when it is
 * switched in. TIF_VPMC, which makes the switch look, is set before @run is,
 * and is cleared after it when no processor counts for the thread any more.
 *
 * A thread is isolated if its process may execute RDPMC in user mode. Then the
 * hardware shows nothing of others: when the thread is switched in, the counters
 * that it uses are set to its own counts, as far as they fit, and the others to
 * zero. What does not count, but may execute RDPMC, finds zeros.
 */
#ifndef VPMC_THREAD_H
#define VPMC_THREAD_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/seqlock.h>
#include <linux/task_work.h>

#include "events.h"
#include "process.h"

struct vpmc_multiplex;
struct vpmc_room;
struct vpmc_window;

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
 * @ref: holders: the thread itself, and files attached to it
 * @process: its process's counters; a reference
 * @task: whose counters these are; NULL when it has exited. Under
 *	@process->lock, like all that follows up to @loaded.
 * @node: in @process->threads
 * @arrival: says that the thread, which somebody else gave its counters, has
 *	not exited before
 * @events: what it counts, a reference; NULL if it never started. Changes only
 *	while @run is false.
 * @generation: of its counts
 * @starts: how often it was started from zero
 * @state: what its owner is told
 * @epoch: when it started, see system.h. Changes like @events.
 * @signals: see signals.h; NULL if it never asked for any. Changed by the
 *	thread alone.
 * @window: see window.h; NULL if it has none. Changed by the thread alone, or
 *	before it runs.
 * @takes_turns: it has @multiplex
 * @has_signals: it has @signals
 * @isolated: it is, see above. Written by its processor.
 * @extras: any of the three
 * @accepted: the window may show the counts: the thread itself has begun them,
 *	or accepted them, and nobody has stopped them since
 * @run: it is to count whenever it is on a processor, while @epoch is the
 *	present one
 * @loaded: the epoch for which the processor that it is on counts for it, or
 *	VPMC_NOT_LOADED. Written, like what follows, with interrupts off on
 *	that processor.
 * @seq: lets others read the fields below
 * @tsc_start: time stamp counter when it was last looked at
 * @tsc: clocks before that
 * @multiplex: if events share counters, what each of them has; else NULL.
 *	Replaced like @events.
 * @counter: one per hardware counter that @events uses, so one per event unless
 *	they share counters: then what was counted since the turns began
 */
struct vpmc_thread {
	struct kref ref;
	struct vpmc_process *process;
	struct task_struct *task;
	struct list_head node;
	struct callback_head arrival;
	struct vpmc_events *events;
	u64 generation;
	unsigned int starts;
	enum vpmc_state state;
	unsigned int epoch;
	struct vpmc_signals *signals;
	struct vpmc_window *window;
	union {
		struct {
			bool takes_turns;
			bool has_signals;
			bool isolated;
		};
		u32 extras;
	};
	bool accepted;
	bool run;
	unsigned int loaded;
	seqcount_t seq;
	u64 tsc_start;
	u64 tsc;
	struct vpmc_multiplex *multiplex;
	struct vpmc_counter counter[VPMC_MAX_COUNTERS];
};

/* Does @t count, or wait for an exec to do so? @t->process->lock held. */
static inline bool vpmc_thread_is_busy(const struct vpmc_thread *t)
{
	return t->state == VPMC_STATE_RUNNING || t->state == VPMC_STATE_ARMED;
}

/* A value of vpmc_thread.loaded: no epoch, see system.h. */
#define VPMC_NOT_LOADED		0U

static inline struct vpmc_thread *vpmc_thread_get(struct vpmc_thread *t)
{
	kref_get(&t->ref);
	return t;
}

/* @t may be NULL. Any context. */
void vpmc_thread_put(struct vpmc_thread *t);

/*
 * New counters, for a thread of @p's process, with one holder; NULL if memory
 * is short. May sleep.
 */
struct vpmc_thread *vpmc_thread_create(struct vpmc_process *p);

/*
 * Let @t be the counters of @tsk, which has none and cannot exit meanwhile.
 * Takes the caller's reference. @t->process->lock held.
 */
void vpmc_thread_adopt(struct task_struct *tsk, struct vpmc_thread *t);

/*
 * Point @t, which is not to run, at zero of @events in @generation, and give it
 * its place in @room, which is for such events. @t->process->lock held.
 */
void vpmc_thread_reset(struct vpmc_thread *t, struct vpmc_events *events,
		       u64 generation, struct vpmc_room *room);

/*
 * VPMC_SCOPE_THREAD of vpmc_process_read(). Returns 0, or -ENODATA if @t, which
 * may be NULL, never started.
 */
int vpmc_thread_read(struct vpmc_thread *t, struct vpmc_read *read);

/*
 * Give @t, anybody's, another state, and let its processor count for it or not
 * as that says. Interrupts on, @t->process->lock held.
 */
void vpmc_thread_set_state(struct vpmc_thread *t, enum vpmc_state state);

/*
 * Around a time in which this processor cannot count for the calling thread.
 * Interrupts off.
 */
void vpmc_thread_pause(void);
void vpmc_thread_continue(void);

/*
 * The calling thread, whose counters are @t, counts no more and has none. Its
 * counts are complete. @t->process->lock held.
 */
void vpmc_thread_unload(struct vpmc_thread *t);

/* Does the calling processor's current thread count? Interrupts off. */
bool vpmc_thread_is_on_cpu(void);

/*
 * Bring the calling processor's current thread up to date if it belongs to
 * @process; if that is NULL, in any case. For on_each_cpu(): interrupts off.
 */
void vpmc_thread_fold(void *process);

/*
 * Add a snapshot of @t, which has started and may be counting on another
 * processor, as of the last time it was brought up to date, to @sum.
 * @t->process->lock held.
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
void vpmc_thread_rdpmc(struct task_struct *tsk);
void vpmc_thread_tick(struct task_struct *curr);
int vpmc_thread_fork(struct task_struct *child);
void vpmc_thread_exec(bool raised);
void vpmc_thread_exit(struct task_struct *tsk);

#endif /* VPMC_THREAD_H */
