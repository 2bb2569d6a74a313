// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file starts and stops counting for threads at each switch, and brings counts up
 * to date.
 */
#include <linux/build_bug.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/task_work.h>

#include <asm/tsc.h>
#include <asm/tlbflush.h>

#include "kernel/compat.h"
#include "thread/count.h"
#include "cpu/cpu.h"
#include "thread/cascade.h"
#include "thread/notify.h"
#include "thread/page.h"
#include "cpu/rdpmc.h"
#include "thread/rotate.h"
#include "thread/sample.h"

/* The state of a thread that counts must fit into a slab object of 256 bytes. */
static_assert(sizeof(struct vpmc_thread) <= 256);

/*
 * These scratch counters absorb the events that were counted while no thread was loaded.
 * They are never read.
 */
static DEFINE_PER_CPU(struct vpmc_counter [VPMC_SMALL_EVENTS], count_nobody);

/* The mask that vpmc_count_sync_begin() returns. */
static DEFINE_PER_CPU(struct cpumask, count_mask);

/*
 * Return whether this processor, on which @t is about to run, is to count for it. Read
 * the events of @t only after this returns true, because a start changes them before it
 * sets @run.
 */
static bool count_may_load(const struct vpmc_thread *t)
{
	/* Pairs with the barrier in vpmc_count_set_run(). */
	return smp_load_acquire(&t->run) == READ_ONCE(vpmc_epoch);
}

/*
 * @samples says whether counters may interrupt or start others for any thread. Functions with this
 * parameter are compiled for both values. So a switch between threads with @extras tests @samples
 * only once.
 */
static __always_inline bool count_samples(const struct vpmc_thread *t,
					  bool samples)
{
	return samples && t->events->rings;
}

/* Return whether counters interrupt for @t. */
static __always_inline bool count_interrupts(const struct vpmc_thread *t,
					     bool samples)
{
	return samples && (t->events->rings || t->alarmed);
}

/* Take the due samples of @t, which was brought up to date, or note an overflow for its signals. */
static __always_inline void count_find_overflows(struct vpmc_thread *t,
						 bool stays)
{
	if (t->events->rings)
		vpmc_sample_fold(t, stays);
	else if (t->alarmed && vpmc_alarm_fold(t, stays))
		vpmc_sample_note_late();
}

/* Add the events since the last read of the hardware to the counts of @t. */
static __always_inline void count_account(struct vpmc_thread *t, const u64 *now,
					  u64 tsc, bool samples)
{
	const struct vpmc_events *events = t->events;
	struct vpmc_counter *counter = vpmc_thread_counters(t);
	u64 mask = vpmc_pmu->counter_mask;
	u32 i, nr = events->nr_counters;

	raw_write_seqcount_begin(&t->seq);
	for (i = 0; i < nr; i++) {
		struct vpmc_counter *c = &counter[i];

		vpmc_counter_exchange(c, c, now[events->counter[i]], mask);
	}
	t->tsc += tsc - t->tsc_start;
	t->tsc_start = tsc;
	raw_write_seqcount_end(&t->seq);
	if (unlikely(t->has_signals))
		vpmc_notify_check(t);
	if (samples)
		count_find_overflows(t, false);
}

/*
 * Permit RDPMC to @t, unless @t counts kernel mode and its page does not show the
 * counts.
 */
static noinline void count_permit_rdpmc(const struct vpmc_thread *t)
{
	vpmc_cpu_permit_rdpmc(!t->events->load.kernel ||
			      READ_ONCE(t->accepted));
}

/*
 * Overwrite the counters with the counts of @t, or with zero. Call this after the control
 * register has changed, because an old value that counts kernel mode would change the
 * counters after this write. If the page does not show the counts, all counters are set
 * to zero, because the thread may not be allowed to see its counts.
 */
static void count_isolate(struct vpmc_thread *t, u64 *now)
{
	const struct vpmc_counter *counter = vpmc_thread_counters(t);
	u32 i, nr = READ_ONCE(t->accepted) ? t->events->nr_counters : 0;

	memset(now, 0, sizeof(*now) * VPMC_MAX_COUNTERS);
	for (i = 0; i < nr; i++)
		now[t->events->counter[i]] = vpmc_cpu_low_bits(counter[i].sum);
	vpmc_pmu->write_counters(now);
	if (unlikely(t->events->load.kernel || vpmc_cpu_refuses_rdpmc()))
		count_permit_rdpmc(t);
}

/*
 * A page does not show counts while their counters interrupt, because these counters hold other
 * values.
 */
static __always_inline void count_load_isolated(struct vpmc_thread *t, u64 *now,
						u64 tsc, bool samples)
{
	count_isolate(t, now);
	/* The page is valid only if perf's attribute "rdpmc" permits RDPMC. */
	if (t->page && cr4_read_shadow() & X86_CR4_PCE &&
	    !count_interrupts(t, samples))
		vpmc_page_show(t, tsc);
}

/* Return the registers' values for @t, which has extras. */
static __always_inline const struct vpmc_load *
count_load_of(const struct vpmc_thread *t, bool samples)
{
	if (samples && t->alarmed)
		return vpmc_alarm_load_of(t);
	return t->kind ? &t->large->load : &t->events->load;
}

static __always_inline void count_load_extras(struct vpmc_thread *t, u64 *now,
					      u64 tsc, bool samples)
{
	if (count_samples(t, samples)) {
		vpmc_sample_expect(t);
		if (unlikely(t->events->load.kernel))
			vpmc_sample_clear(t, now);
	} else if (samples && t->alarmed) {
		vpmc_sample_expect_alarms(t);
	}
	if (samples && vpmc_cascade_has(t))
		vpmc_cascade_choose(t);
	vpmc_cpu_load(count_load_of(t, samples), t->events->load.used, now);
	/*
	 * An exiting task without mm borrows the mm of the previous task. The previous
	 * task may execute RDPMC when it runs again.
	 */
	if (t->isolated && t->task->mm)
		count_load_isolated(t, now, tsc, samples);
	if (samples && vpmc_cascade_has(t))
		vpmc_cascade_load(t, now);
	if (count_samples(t, samples)) {
		vpmc_sample_load(t, now);
	} else if (samples && t->alarmed) {
		vpmc_alarm_load(t, now);
		vpmc_sample_arm(vpmc_alarm_counters(t));
	}
}

/* Let the hardware count for @t from now on. Its counters show @now. */
static __always_inline void count_begin(struct vpmc_thread *t, u64 *now,
					u64 tsc, bool samples)
{
	const struct vpmc_events *events = t->events;
	struct vpmc_counter *counter = t->counter;
	u32 i, nr = events->nr_counters;

	if (unlikely(t->extras)) {
		count_load_extras(t, now, tsc, samples);
		counter = vpmc_thread_counters(t);
	} else {
		vpmc_cpu_load(&events->load, events->load.used, now);
	}
	for (i = 0; i < nr; i++)
		counter[i].start = now[events->counter[i]];
	t->tsc_start = tsc;
}

static void count_unload_extras(struct vpmc_thread *t)
{
	if (t->has_signals)
		vpmc_notify_unload(t);
	if (t->page)
		vpmc_page_hide(t);
	/* The hardware may go on counting while tasks with the same mm run. */
	if (t->isolated && t->events->load.kernel)
		vpmc_cpu_permit_rdpmc(false);
}

static __always_inline void count_set_loaded(struct vpmc_thread *t)
{
	__this_cpu_write(vpmc_loaded, t);
	__this_cpu_write(vpmc_loaded_process, t->process);
}

static __always_inline void count_set_unloaded(void)
{
	__this_cpu_write(vpmc_loaded, NULL);
	__this_cpu_write(vpmc_loaded_process, NULL);
}

static noinline void count_fold_extras(struct vpmc_thread *t)
{
	vpmc_loaded_advance(t, vpmc_thread_counters(t));
	if (t->has_signals)
		vpmc_notify_check(t);
}

static noinline void count_fold_sampling(struct vpmc_thread *t)
{
	vpmc_sample_begin_used();
	count_fold_extras(t);
	count_find_overflows(t, true);
	vpmc_sample_end_used();
}

static noinline void count_fold_loaded_extras(struct vpmc_thread *t)
{
	if (vpmc_sample_is_used())
		count_fold_sampling(t);
	else
		count_fold_extras(t);
	if (t->page)
		vpmc_page_advance(t);
}

/* Bring @t up to date. This processor goes on counting for it. */
static __always_inline void count_fold_loaded(struct vpmc_thread *t)
{
	lockdep_assert_irqs_disabled();
	if (unlikely(t->extras))
		count_fold_loaded_extras(t);
	else
		vpmc_loaded_advance(t, t->counter);
}

static __always_inline void count_unload_folded(struct vpmc_thread *t)
{
	count_set_unloaded();
	count_unload_extras(t);
}

/*
 * The counters must not interrupt while no thread is loaded. If they count kernel mode, they can
 * overflow until they stop, so they stop before they are read.
 */
static noinline void count_unload_sampling(struct vpmc_thread *t)
{
	const bool interrupts = count_interrupts(t, true);

	vpmc_sample_begin_used();
	if (interrupts || vpmc_cascade_has(t))
		vpmc_cpu_stop();
	count_fold_extras(t);
	if (interrupts) {
		count_find_overflows(t, false);
		vpmc_sample_unload();
	}
	count_unload_folded(t);
	vpmc_sample_end_used();
}

static noinline void count_unload_with_extras(struct vpmc_thread *t)
{
	if (vpmc_sample_is_used()) {
		count_unload_sampling(t);
		return;
	}
	count_fold_extras(t);
	count_unload_folded(t);
}

/* Stop counting for the thread that is loaded, if any. */
static void count_unload(void)
{
	struct vpmc_thread *t = __this_cpu_read(vpmc_loaded);

	lockdep_assert_irqs_disabled();
	if (!t)
		return;
	if (unlikely(t->extras)) {
		count_unload_with_extras(t);
		return;
	}
	vpmc_loaded_advance(t, t->counter);
	count_set_unloaded();
}

static __always_inline void count_load_with(struct vpmc_thread *t, bool samples)
{
	/* Only the entries for counters of @t are set and used. */
	u64 now[VPMC_MAX_COUNTERS] __uninitialized;

	lockdep_assert_irqs_disabled();
	vpmc_pmu->read_counters(t->events->load.used, now);
	count_begin(t, now, rdtsc(), samples);
	count_set_loaded(t);
}

static noinline void count_load_sampling(struct vpmc_thread *t)
{
	vpmc_sample_begin_used();
	count_load_with(t, true);
	vpmc_sample_end_used();
}

/* Begin to count for @t, which is current's. No thread is loaded. */
static noinline void count_load_any(struct vpmc_thread *t)
{
	if (vpmc_sample_is_used())
		count_load_sampling(t);
	else
		count_load_with(t, false);
}

/*
 * Begin to count for @t, which is current's. No thread is loaded. If the hardware counts
 * the events of @t already, as it usually does, this only reads the counters.
 */
static void count_load(struct vpmc_thread *t)
{
	const struct vpmc_load *load = &t->events->load;

	lockdep_assert_irqs_disabled();
	if (unlikely(t->extras || !vpmc_cpu_has_loaded(load))) {
		count_load_any(t);
		return;
	}
	vpmc_pmu->exchange(load->used, *this_cpu_ptr(&count_nobody),
			   t->counter);
	t->tsc_start = rdtsc();
	count_set_loaded(t);
}

/* Start or stop counting for @t, which is current's, according to @t->run. */
static void count_follow(struct vpmc_thread *t)
{
	lockdep_assert_irqs_disabled();
	if (!count_may_load(t))
		count_unload();
	else if (!__this_cpu_read(vpmc_loaded))
		count_load(t);
	if (!__this_cpu_read(vpmc_loaded) && t->isolated)
		vpmc_rdpmc_hide();
}

/*
 * Switch from @out, whose counters are @from, to @in, whose counters are @to. @in takes over the
 * hardware counters @used. Both threads use these counters, or count_exchangeable() has returned
 * them.
 */
static __always_inline void count_exchange_counters(struct vpmc_thread *out,
						    struct vpmc_counter *from,
						    struct vpmc_thread *in,
						    struct vpmc_counter *to, u32 used)
{
	u64 tsc;

	raw_write_seqcount_begin(&out->seq);
	vpmc_pmu->exchange(used, from, to);
	tsc = rdtsc();
	in->tsc_start = tsc;
	out->tsc += tsc - out->tsc_start;
	raw_write_seqcount_end(&out->seq);
	/* A reader that no longer finds @out in vpmc_loaded finds its final counts. */
	count_set_loaded(in);
}

static __always_inline void count_exchange(struct vpmc_thread *out,
					   struct vpmc_thread *in, u32 used)
{
	count_exchange_counters(out, out->counter, in, in->counter, used);
}

/* Read the counters again, because they have changed since @in took them over. */
static noinline void count_restart(struct vpmc_thread *in)
{
	const struct vpmc_events *events = in->events;
	u64 now[VPMC_MAX_COUNTERS] __uninitialized;
	u32 i;

	vpmc_pmu->read_counters(events->load.used, now);
	for (i = 0; i < events->nr_counters; i++)
		in->counter[i].start = now[events->counter[i]];
}

/* Switch from @out to @in, which counts other events on counters that can be exchanged. */
static __always_inline void count_exchange_events(struct vpmc_thread *out,
						  struct vpmc_thread *in,
						  u32 used)
{
	count_exchange(out, in, used);
	if (unlikely(vpmc_cpu_change(&in->events->load)))
		count_restart(in);
}

/*
 * Switch from @out to @in. They use different counters, which cannot be exchanged.
 * Counters that were read for @out are not read again, unless they have changed since
 * because the old load counts kernel mode.
 */
static noinline void count_exchange_sets(struct vpmc_thread *out,
					 struct vpmc_thread *in)
{
	const struct vpmc_events *from = out->events, *to = in->events;
	u32 i, unread = to->load.used & ~from->load.used;
	/* Only the entries for counters of @in are set and used. */
	u64 now[VPMC_MAX_COUNTERS] __uninitialized;

	vpmc_loaded_advance(out, out->counter);
	/* A reader that no longer finds @out in vpmc_loaded finds its final counts. */
	count_set_loaded(in);
	for (i = 0; i < from->nr_counters; i++)
		now[from->counter[i]] = out->counter[i].start;
	if (unlikely(vpmc_cpu_change(&to->load)))
		unread = to->load.used;
	if (unread)
		vpmc_pmu->read_counters(unread, now);
	if (static_branch_unlikely(&vpmc_cpu_seeded))
		vpmc_cpu_seed(to->load.used, now);
	for (i = 0; i < to->nr_counters; i++)
		in->counter[i].start = now[to->counter[i]];
	in->tsc_start = out->tsc_start;
}

/*
 * Return the counters that threads of two sets can exchange, or 0 if they cannot exchange counters.
 * They can if the larger set begins with all counters of the smaller set, in the same order. The
 * result is the larger set. Each thread has memory for VPMC_SMALL_EVENTS counters, even if its set
 * is the smaller one. The entries of counters that the thread's set does not use are never read.
 */
static __always_inline u32 count_exchangeable(u32 from, u32 to)
{
	u32 less = min(from, to), others = from ^ to;

	/* Below the lowest counter in which the sets differ, both sets are the same. */
	if ((others & -others) <= less ||
	    static_branch_unlikely(&vpmc_cpu_seeded))
		return 0;
	return from | to;
}

/* Switch to a thread that does not count but may execute RDPMC. */
static noinline void count_switch_to_idle(struct vpmc_thread *in,
					  const struct task_struct *next)
{
	count_unload();
	in->isolated = vpmc_rdpmc_is_possible(next->mm);
	vpmc_rdpmc_hide();
}

static __always_inline void
count_switch_with(struct vpmc_thread *out, struct vpmc_thread *in, bool samples)
{
	/* Only the entries for counters of @out and @in are set and used. */
	u64 now[VPMC_MAX_COUNTERS] __uninitialized;
	u64 tsc;

	vpmc_pmu->read_counters(out->events->load.used | in->events->load.used,
				now);
	tsc = rdtsc();
	count_account(out, now, tsc, samples);
	if (unlikely(out->extras))
		count_unload_extras(out);
	/* A reader that no longer finds @out in vpmc_loaded finds its final counts. */
	count_set_loaded(in);
	count_begin(in, now, tsc, samples);
}

/*
 * Return whether both threads count the same events, each on its own counter, and have no other
 * extras. @extras has the extras of both. Threads with the same set have the same kind, but sets of
 * different kinds can have the same control value.
 */
static __always_inline bool count_apart_same(const struct vpmc_thread *out,
					     const struct vpmc_thread *in,
					     u32 extras)
{
	const struct vpmc_events *from = out->events, *to = in->events;

	if (extras != VPMC_LARGE_APART)
		return false;
	return likely(from == to) ||
	       (out->kind == in->kind && from->load.control == to->load.control);
}

/* Switch between two threads for which count_apart_same() is true, like count_exchange(). */
static __always_inline void count_switch_apart(struct vpmc_thread *out,
					       struct vpmc_thread *in)
{
	count_exchange_counters(out, out->large->counter, in, in->large->counter,
				in->events->load.used);
}

/* Switch between two threads that count if one of them has @extras. */
static noinline void count_switch_both(struct vpmc_thread *out,
				       struct vpmc_thread *in)
{
	count_switch_with(out, in, false);
}

static noinline void count_switch_sampling(struct vpmc_thread *out,
					   struct vpmc_thread *in)
{
	vpmc_sample_begin_used();
	/* Otherwise the counters of @out could overflow after they were read. */
	if (unlikely(count_samples(out, true) && out->events->load.kernel) ||
	    vpmc_cascade_has(out))
		vpmc_cpu_stop();
	count_switch_with(out, in, true);
	/* Until here, an overflow of a counter of @out could still interrupt. */
	if (count_interrupts(out, true) && !count_interrupts(in, true))
		vpmc_sample_unload();
	vpmc_sample_end_used();
}

/*
 * Return whether both threads leave samples of the same events of user mode, and have no other
 * extras. The extras are compared, because sets of different kinds can have the same control value.
 */
static __always_inline bool count_samples_same(const struct vpmc_thread *out,
					       const struct vpmc_thread *in)
{
	return vpmc_thread_only_samples(in) && out->extras == in->extras &&
	       out->events->load.control == in->events->load.control;
}

/* Switch between two threads for which count_samples_same() is true, like count_exchange(). */
static noinline void count_switch_sampled(struct vpmc_thread *out,
					  struct vpmc_thread *in)
{
	bool late;
	u64 tsc;

	vpmc_sample_begin_used();
	raw_write_seqcount_begin(&out->seq);
	late = vpmc_sample_exchange(out, in);
	tsc = rdtsc();
	in->tsc_start = tsc;
	out->tsc += tsc - out->tsc_start;
	raw_write_seqcount_end(&out->seq);
	count_set_loaded(in);
	if (unlikely(late)) {
		out->tsc_start = tsc;
		vpmc_sample_fold(out, false);
	}
	vpmc_sample_end_used();
}

/*
 * TWA_NONE does not notify the thread, so set the flag that makes the kernel run works
 * on the return to user mode.
 */
bool vpmc_count_queue_work(struct vpmc_thread *t, struct task_struct *tsk)
{
	if (xchg(&t->work_queued, true))
		return true;
	if (task_work_add(tsk, &t->work, TWA_NONE | TWAF_NO_ALLOC)) {
		WRITE_ONCE(t->work_queued, false);
		return false;
	}
	set_tsk_thread_flag(tsk, TIF_NOTIFY_RESUME);
	return true;
}

/*
 * Switch to @next, whose counters @in are stopped. Returns true if the switch is
 * complete.
 */
static noinline bool count_switch_to_stopped(struct vpmc_thread *in,
					     struct task_struct *next)
{
	if (unlikely(in->held))
		vpmc_count_queue_work(in, next);
	if (in->isolated)
		count_switch_to_idle(in, next);
	return in->isolated;
}

/* Switch to @next, which does not count. @in are its counters, or NULL. */
static noinline void count_switch_to_none(struct vpmc_thread *in,
					  struct task_struct *next)
{
	if (in && count_switch_to_stopped(in, next))
		return;
	count_unload();
	if (unlikely(vpmc_cpu_counts_kernel()) &&
	    vpmc_rdpmc_is_possible(next->mm))
		vpmc_rdpmc_hide();
}

/*
 * Read each hardware counter once. The last value of one thread is the first value of the
 * next thread.
 */
void vpmc_count_switch(struct task_struct *prev, struct task_struct *next)
{
	struct vpmc_thread *out = __this_cpu_read(vpmc_loaded);
	struct vpmc_thread *in = READ_ONCE(next->thread.vpmc);
	const struct vpmc_load *from, *to;
	u32 extras, used;

	lockdep_assert_irqs_disabled();
	if (unlikely(!in || !count_may_load(in))) {
		count_switch_to_none(in, next);
		return;
	}
	if (!out) {
		count_load(in);
		return;
	}
	extras = out->extras | in->extras;
	if (unlikely(extras)) {
		/* The compiler must not keep both values in registers for the tests below. */
		barrier();
		if (!vpmc_sample_is_used()) {
			if (count_apart_same(out, in, extras))
				count_switch_apart(out, in);
			else
				count_switch_both(out, in);
		} else if (count_samples_same(out, in)) {
			count_switch_sampled(out, in);
		} else if (count_apart_same(out, in, extras)) {
			count_switch_apart(out, in);
		} else {
			count_switch_sampling(out, in);
		}
		return;
	}
	from = &out->events->load;
	to = &in->events->load;
	used = to->used;
	if (likely(from == to || from->control == to->control)) {
		count_exchange(out, in, used);
		return;
	}
	if (from->used != used)
		used = count_exchangeable(from->used, used);
	if (used)
		count_exchange_events(out, in, used);
	else
		count_exchange_sets(out, in);
}

/*
 * Start counting for @t, which belongs to current and may execute RDPMC, if its @run is set.
 * Otherwise hide the counters. No thread is loaded.
 */
static void count_resume(struct vpmc_thread *t)
{
	if (count_may_load(t)) {
		count_load(t);
		return;
	}
	vpmc_rdpmc_hide();
	if (t->held)
		vpmc_count_queue_work(t, current);
}

/*
 * Hide the counts of other tasks from @tsk. If @tsk is to count, its own counts overwrite
 * the counters, here or when it is switched in. Otherwise the counters are cleared.
 */
void vpmc_count_rdpmc(struct task_struct *tsk)
{
	struct vpmc_thread *t = READ_ONCE(tsk->thread.vpmc);

	lockdep_assert_irqs_disabled();
	if (unlikely(vpmc_cpu_permits_rdpmc()))
		return;
	if (t)
		t->isolated = true;
	if (t && tsk != current && count_may_load(t))
		return;
	count_unload();
	if (tsk == current && t)
		count_resume(t);
	else
		vpmc_rdpmc_hide();
}

/* Read the counters before a counter can wrap twice. */
void vpmc_count_tick(struct task_struct *curr)
{
	struct vpmc_thread *t = __this_cpu_read(vpmc_loaded);

	lockdep_assert_irqs_disabled();
	if (!t)
		return;
	count_fold_loaded(t);
	if (vpmc_events_multiplex(t->events))
		vpmc_rotate_tick(t);
	/* The thread's process may have unmapped all pages. */
	if (t->isolated && !vpmc_rdpmc_is_possible(curr->mm)) {
		if (t->page)
			vpmc_page_hide(t);
		t->isolated = false;
	}
}

/*
 * vpmc_count_clear_run() explains the last barrier, and why the processor is read after
 * it.
 */
void vpmc_count_set_run(struct vpmc_thread *t, unsigned int epoch,
			struct cpumask *mask)
{
	lockdep_assert_preemption_disabled();
	WRITE_ONCE(t->accepted, false);
	if (epoch)
		vpmc_count_watch(t);
	/* A switch that sees @run also sees TIF_VPMC and the events of @t. */
	smp_wmb();
	WRITE_ONCE(t->run, epoch);
	smp_mb(); /* See above. */
	if (mask && t->task != current && vpmc_count_may_be_on_cpu(t->task))
		cpumask_set_cpu(task_cpu(t->task), mask);
}

struct cpumask *vpmc_count_sync_begin(void)
{
	struct cpumask *mask;

	lockdep_assert_irqs_enabled();
	preempt_disable();
	mask = this_cpu_ptr(&count_mask);
	cpumask_clear(mask);
	return mask;
}

static void count_sync_cpu(void *process)
{
	struct vpmc_thread *t = current->thread.vpmc;

	if (t && t->process == process)
		count_follow(t);
}

/*
 * Like count_sync_cpu(), but called by an interrupt from another processor. A held thread
 * may have been switched in between two changes of its @run, so queue its work.
 */
static void count_sync_other(void *process)
{
	struct vpmc_thread *t = current->thread.vpmc;

	count_sync_cpu(process);
	if (t && t->process == process && unlikely(t->held) &&
	    !count_may_load(t))
		vpmc_count_queue_work(t, current);
}

void vpmc_count_sync(struct cpumask *mask, const struct vpmc_process *p)
{
	local_irq_disable();
	count_sync_cpu((void *)p);
	local_irq_enable();
	if (!cpumask_empty(mask))
		on_each_cpu_mask(mask, count_sync_other, (void *)p, 1);
	preempt_enable();
}

void vpmc_count_sync_pause(struct cpumask *all, const struct cpumask *mask)
{
	cpumask_or(all, all, mask);
	preempt_enable();
}

/*
 * Change @run of current's @t. This needs no barrier, because only later switches on
 * this processor look at @run.
 */
static __always_inline void count_set_run_own(struct vpmc_thread *t,
					      unsigned int run)
{
	lockdep_assert_irqs_enabled();
	local_irq_disable();
	WRITE_ONCE(t->accepted, false);
	WRITE_ONCE(t->run, run);
	count_follow(t);
	local_irq_enable();
}

void vpmc_count_start_own(struct vpmc_thread *t, unsigned int epoch)
{
	vpmc_count_watch(t);
	count_set_run_own(t, epoch);
}

void vpmc_count_stop_own(struct vpmc_thread *t)
{
	count_set_run_own(t, 0);
}

void vpmc_count_pause(void)
{
	lockdep_assert_irqs_disabled();
	count_unload();
}

void vpmc_count_continue(void)
{
	struct vpmc_thread *t = current->thread.vpmc;

	lockdep_assert_irqs_disabled();
	if (t)
		count_follow(t);
}

/*
 * End the interrupts of @t, so that its signals may change. Returns whether counters interrupted
 * for @t.
 */
static bool count_end_alarms(const struct vpmc_thread *t)
{
	lockdep_assert_irqs_disabled();
	if (!t->alarmed)
		return false;
	vpmc_count_pause();
	return true;
}

void vpmc_count_drop_signals(struct vpmc_thread *t)
{
	unsigned long flags;
	bool paused;

	local_irq_save(flags);
	paused = count_end_alarms(t);
	vpmc_notify_drop(t);
	if (paused)
		vpmc_count_continue();
	local_irq_restore(flags);
}

void vpmc_count_remove_signals(struct vpmc_thread *t)
{
	unsigned long flags;
	bool paused;

	local_irq_save(flags);
	paused = count_end_alarms(t);
	vpmc_notify_install(t, NULL);
	if (paused)
		vpmc_count_continue();
	local_irq_restore(flags);
}

void vpmc_count_end(struct vpmc_thread *t)
{
	local_irq_disable();
	if (t->task == current)
		count_unload();
	t->run = 0;
	vpmc_count_unwatch(t);
	WRITE_ONCE(t->task->thread.vpmc, NULL);
	local_irq_enable();
}

static void count_fold_cpu(void *unused)
{
	struct vpmc_thread *t = __this_cpu_read(vpmc_loaded);

	if (t)
		count_fold_loaded(t);
}

void vpmc_count_fold_own(void)
{
	local_irq_disable();
	count_fold_cpu(NULL);
	local_irq_enable();
}

void vpmc_count_fold(struct cpumask *mask)
{
	on_each_cpu_mask(mask, count_fold_cpu, NULL, 1);
	preempt_enable();
}

void vpmc_count_fold_process(const struct vpmc_process *p)
{
	struct cpumask *mask = vpmc_count_sync_begin();
	int cpu;

	for_each_online_cpu(cpu) {
		if (READ_ONCE(per_cpu(vpmc_loaded_process, cpu)) == p)
			cpumask_set_cpu(cpu, mask);
	}
	vpmc_count_fold(mask);
}

void vpmc_count_fold_thread(struct vpmc_thread *t)
{
	if (t->task == current)
		vpmc_count_fold_own();
	else if (t->task && t->run)
		vpmc_count_fold_process(t->process);
}

/*
 * Copy the counts of @t, whose events are not large. Returns the clocks for which it
 * has counted.
 */
static __always_inline u64 count_get(const struct vpmc_thread *t, u64 *count)
{
	const struct vpmc_events *events = t->events;
	u32 i, nr = events->nr;
	unsigned int seq;
	u64 tsc;

	do {
		seq = read_seqcount_begin(&t->seq);
		for (i = 0; i < nr; i++)
			count[i] = t->counter[vpmc_events_index(events, i)].sum;
		tsc = t->tsc;
	} while (read_seqcount_retry(&t->seq, seq));
	return tsc;
}

/* Add the counts of @t, whose events are not large and which may be counting. */
static noinline void count_add_running(struct vpmc_sum *sum,
				       const struct vpmc_thread *t)
{
	u64 count[VPMC_SMALL_EVENTS] __uninitialized;
	u32 i, nr = t->events->nr;

	sum->tsc += count_get(t, count);
	for (i = 0; i < nr; i++)
		sum->count[i] += count[i];
	vpmc_sum_count_part(sum);
}

/* Add the counts of @t, whose events are not large and for which no processor counts. */
static __always_inline void
count_add_stopped(struct vpmc_sum *sum, const struct vpmc_thread *t,
		  const struct vpmc_events *events)
{
	u32 i, nr = events->nr;

	for (i = 0; i < nr; i++)
		sum->count[i] += t->counter[vpmc_events_index(events, i)].sum;
	sum->tsc += t->tsc;
	vpmc_sum_count_part(sum);
}

/* Add the counts of @t, whose events are not large. */
static __always_inline void count_add_small(struct vpmc_sum *sum,
					    const struct vpmc_thread *t)
{
	/*
	 * If @run is 0, the thread has stopped, because a stop holds the lock until it
	 * has taken effect.
	 */
	if (t->run)
		count_add_running(sum, t);
	else
		count_add_stopped(sum, t, t->events);
}

static __always_inline void count_add(struct vpmc_sum *sum,
				      const struct vpmc_thread *t)
{
	if (unlikely(t->kind)) {
		vpmc_large_add(sum, t);
		return;
	}
	count_add_small(sum, t);
}

void vpmc_count_add(struct vpmc_sum *sum, const struct vpmc_thread *t)
{
	count_add(sum, t);
}

static void count_set_times(struct vpmc_read *read, u32 nr)
{
	u32 i;

	if (read->size <= offsetof(struct vpmc_read, time))
		return;
	for (i = 0; i < nr; i++)
		read->time[i] = read->tsc;
}

void vpmc_count_read(struct vpmc_read *read, const struct vpmc_thread *t)
{
	read->tsc = count_get(t, read->count);
	count_set_times(read, t->events->nr);
}

/* This rare case is separate because it would cost registers in vpmc_count_add_to(). */
static noinline void count_add_other(struct vpmc_sum *sum,
				     const struct vpmc_thread *t,
				     const struct vpmc_events *events)
{
	bool revoked = t->state == VPMC_STATE_REVOKED;

	if (!revoked && vpmc_events_equal(t->events, events))
		count_add(sum, t);
	else
		vpmc_sum_add_missing(sum, !revoked, revoked);
}

void vpmc_count_add_to(struct vpmc_sum *sum, const struct vpmc_thread *t,
		       const struct vpmc_events *events)
{
	if (likely(t->state != VPMC_STATE_REVOKED && t->events == events &&
		   !t->kind))
		count_add_small(sum, t);
	else
		count_add_other(sum, t, events);
}
