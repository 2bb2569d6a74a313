// SPDX-License-Identifier: GPL-2.0-only
/* A thread on its processor: counting. See thread.h. */
#include <linux/build_bug.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include <asm/msr.h>

#include "cpu.h"
#include "multiplex.h"
#include "signals.h"
#include "system.h"
#include "thread.h"
#include "window.h"

/* What a thread that counts may cost in memory. */
static_assert(sizeof(struct vpmc_thread) <= 256);

/* Does the calling processor count for @t, its current thread's? */
static bool is_loaded(const struct vpmc_thread *t)
{
	return t->loaded == READ_ONCE(vpmc_epoch);
}

/* The counters of the calling processor's current thread if it counts. */
static struct vpmc_thread *loaded(struct task_struct *curr)
{
	struct vpmc_thread *t = READ_ONCE(curr->thread.vpmc);

	return t && is_loaded(t) ? t : NULL;
}

/* May the calling processor count for @t, whose turn it is? */
static bool may_load(const struct vpmc_thread *t)
{
	return READ_ONCE(t->run) && t->epoch == READ_ONCE(vpmc_epoch);
}

bool vpmc_thread_is_on_cpu(void)
{
	return loaded(current);
}

static void account_extras(struct vpmc_thread *t)
{
	if (t->has_signals)
		vpmc_signals_notice(t);
	if (t->window)
		vpmc_window_advance(t);
}

/*
 * Add what the hardware has counted for @t since it was last looked at. In
 * line, like begin(): the switch is what all this is measured by.
 */
static __always_inline void account(struct vpmc_thread *t, const u64 *now,
				    u64 tsc)
{
	const struct vpmc_events *events = t->events;
	u64 mask = vpmc_pmu->counter_mask;
	u32 i, nr = events->nr_places;

	raw_write_seqcount_begin(&t->seq);
	for (i = 0; i < nr; i++) {
		struct vpmc_counter *c = &t->counter[i];
		u64 value = now[events->counter[i]];

		c->sum += vpmc_delta(value, c->start, mask);
		c->start = value;
	}
	t->tsc += tsc - t->tsc_start;
	t->tsc_start = tsc;
	raw_write_seqcount_end(&t->seq);
	if (unlikely(t->extras))
		account_extras(t);
}

/*
 * Behind the change of the control register: a former one that counts kernel
 * mode would go on counting.
 */
static void isolate(const struct vpmc_thread *t, u64 *now)
{
	u32 i;

	memset(now, 0, sizeof(*now) * VPMC_MAX_COUNTERS);
	for (i = 0; i < t->events->nr_places; i++)
		now[t->events->counter[i]] = t->counter[i].sum &
					     vpmc_pmu->counter_mask;
	vpmc_cpu_write(now);
}

static void load_extras(struct vpmc_thread *t, u64 *now, u64 tsc)
{
	vpmc_cpu_load(t->takes_turns ? &t->multiplex->load : &t->events->load,
		      now);
	if (!t->isolated)
		return;
	isolate(t, now);
	if (t->window)
		vpmc_window_show(t, tsc);
}

/* From here on the hardware, which shows @now, counts for @t. */
static __always_inline void begin(struct vpmc_thread *t, u64 *now, u64 tsc)
{
	const struct vpmc_events *events = t->events;
	u32 i, nr = events->nr_places;

	if (unlikely(t->extras))
		load_extras(t, now, tsc);
	else
		vpmc_cpu_load(&events->load, now);
	raw_write_seqcount_begin(&t->seq);
	for (i = 0; i < nr; i++)
		t->counter[i].start = now[events->counter[i]];
	t->tsc_start = tsc;
	raw_write_seqcount_end(&t->seq);
	t->loaded = t->epoch;
}

static void switch_out_extras(struct vpmc_thread *t)
{
	if (t->has_signals)
		vpmc_signals_switch_out(t);
	if (t->window)
		vpmc_window_hide(t);
}

/* This processor's counters show nothing of what was counted before. */
static void hide_counters(void)
{
	const u64 zero[VPMC_MAX_COUNTERS] = {};

	vpmc_system_hide();
	vpmc_cpu_write(zero);
}

/* Bring @t, which counts on this processor, up to date. Interrupts off. */
static void fold(struct vpmc_thread *t)
{
	u64 now[VPMC_MAX_COUNTERS] __uninitialized;

	vpmc_pmu->read_counters(t->events->load.used, now);
	account(t, now, rdtsc());
}

/*
 * @t is switched out and does not count. System mode may have taken the counters
 * from it, and this processor not know yet. Returns NULL.
 */
static noinline struct vpmc_thread *lose(const struct vpmc_thread *t)
{
	if (t->window)
		vpmc_window_hide(t);
	return NULL;
}

/*
 * From @out, which may be NULL, to a thread that does not count, but may execute
 * RDPMC.
 */
static noinline void switch_to_idle(struct vpmc_thread *out)
{
	if (out) {
		fold(out);
		out->loaded = VPMC_NOT_LOADED;
		switch_out_extras(out);
	}
	hide_counters();
}

/*
 * Each hardware counter is read once: the end of one thread's time is the
 * beginning of the other's.
 */
void vpmc_thread_switch(struct task_struct *prev, struct task_struct *next)
{
	struct vpmc_thread *out = READ_ONCE(prev->thread.vpmc);
	struct vpmc_thread *in = READ_ONCE(next->thread.vpmc);
	/* What is used of it is read first. */
	u64 now[VPMC_MAX_COUNTERS] __uninitialized;
	u32 used = 0;
	u64 tsc;

	if (out && unlikely(!is_loaded(out)))
		out = lose(out);
	if (in && unlikely(!may_load(in))) {
		if (in->isolated) {
			switch_to_idle(out);
			return;
		}
		in = NULL;
	}
	if (out)
		used = out->events->load.used;
	if (in)
		used |= in->events->load.used;
	vpmc_pmu->read_counters(used, now);
	tsc = rdtsc();
	if (out) {
		account(out, now, tsc);
		out->loaded = VPMC_NOT_LOADED;
		if (unlikely(out->extras))
			switch_out_extras(out);
	}
	if (in)
		begin(in, now, tsc);
}

/*
 * What is to count for @tsk, if the switch comes to that, will replace what the
 * counters show. Anybody else must not find there what others left.
 */
void vpmc_thread_rdpmc(struct task_struct *tsk)
{
	struct vpmc_thread *t = READ_ONCE(tsk->thread.vpmc);

	if (t)
		t->isolated = true;
	if (t && tsk != current && may_load(t))
		return;
	vpmc_thread_pause();
	hide_counters();
	if (tsk == current)
		vpmc_thread_continue();
}

/* No hardware counter may wrap twice unseen. */
void vpmc_thread_tick(struct task_struct *curr)
{
	struct vpmc_thread *t = loaded(curr);

	if (!t)
		return;
	fold(t);
	if (t->multiplex)
		vpmc_multiplex_tick(t);
}

void vpmc_thread_fold(void *process)
{
	struct vpmc_thread *t = loaded(current);

	if (t && (!process || t->process == process))
		fold(t);
}

/* Stop counting for @t, the current thread's. Interrupts off. */
static void unload(struct vpmc_thread *t)
{
	if (loaded(current))
		fold(t);
	t->loaded = VPMC_NOT_LOADED;
	if (t->window)
		vpmc_window_hide(t);
}

/* Count for @thread or not, as it wants, if it is here. Interrupts off. */
static void follow(void *thread)
{
	struct vpmc_thread *t = thread;
	u64 now[VPMC_MAX_COUNTERS];

	if (current->thread.vpmc != t)
		return;
	if (!may_load(t)) {
		unload(t);
	} else if (!loaded(current)) {
		vpmc_pmu->read_counters(t->events->load.used, now);
		begin(t, now, rdtsc());
	}
}

static void follow_here(struct vpmc_thread *t)
{
	local_irq_disable();
	follow(t);
	local_irq_enable();
}

void vpmc_thread_set_state(struct vpmc_thread *t, enum vpmc_state state)
{
	t->state = state;
	/* What begins, or goes on, is to be accepted anew. */
	WRITE_ONCE(t->accepted, false);
	if (state == VPMC_STATE_RUNNING)
		set_tsk_thread_flag(t->task, TIF_VPMC);
	smp_wmb(); /* The switch that sees @run has been made to look. */
	WRITE_ONCE(t->run, state == VPMC_STATE_RUNNING);
	if (t->task == current)
		follow_here(t);
	else
		on_each_cpu(follow, t, 1);
	if (state != VPMC_STATE_RUNNING)
		clear_tsk_thread_flag(t->task, TIF_VPMC);
}

void vpmc_thread_pause(void)
{
	struct vpmc_thread *t = current->thread.vpmc;

	if (t)
		unload(t);
}

void vpmc_thread_continue(void)
{
	struct vpmc_thread *t = current->thread.vpmc;

	if (t)
		follow(t);
}

void vpmc_thread_unload(struct vpmc_thread *t)
{
	local_irq_disable();
	if (t->task == current)
		unload(t);
	t->run = false;
	clear_tsk_thread_flag(t->task, TIF_VPMC);
	WRITE_ONCE(t->task->thread.vpmc, NULL);
	local_irq_enable();
}

void vpmc_thread_counts(struct vpmc_sum *sum, const struct vpmc_thread *t)
{
	u64 count[VPMC_MAX_COUNTERS], tsc;
	unsigned int seq;
	u32 i;

	if (t->multiplex) {
		vpmc_multiplex_counts(sum, t);
		return;
	}
	do {
		seq = read_seqcount_begin(&t->seq);
		for (i = 0; i < t->events->nr; i++)
			count[i] = t->counter[i].sum;
		tsc = t->tsc;
	} while (read_seqcount_retry(&t->seq, seq));

	for (i = 0; i < t->events->nr; i++)
		sum->count[i] += count[i];
	sum->tsc += tsc;
	sum->added++;
}

void vpmc_thread_add(struct vpmc_sum *sum, const struct vpmc_thread *t,
		     const struct vpmc_events *events)
{
	if (t->state == VPMC_STATE_REVOKED)
		sum->revoked++;
	else if (vpmc_events_equal(t->events, events))
		vpmc_thread_counts(sum, t);
	else
		sum->other_events++;
}
