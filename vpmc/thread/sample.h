/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares samples. A thread whose events have periods leaves a sample at each event
 * whose number is a multiple of the period.
 *
 * The counter of such an event is loaded with minus the number of events until the next sample,
 * whenever a processor begins to count for the thread, and after each sample. So each thread has
 * its own distance to its next sample. The overflow interrupts as an NMI, at any instruction. The
 * following protocol keeps the counts and samples right:
 *
 * - Code that brings such a thread up to date, loads or unloads it, is between vpmc_sample_begin()
 *   and vpmc_sample_end(). An NMI between these calls only notes that it has come, and
 *   vpmc_sample_end() does the work of the NMI.
 * - At all other times an NMI may bring the loaded thread up to date itself.
 * - Code that brings a thread up to date takes all samples that are due, and no other code takes
 *   samples. So a sample can neither be lost nor be taken twice, whether it is found by the NMI or
 *   before. A sample that is found before the NMI is late. The NMI then does not find a sample, but
 *   is still the driver's.
 * - When a thread is unloaded and no other thread is loaded, the counters stop.
 *
 * If samples are taken at ticks (VPMC_SAMPLES_TICKS), no counter interrupts, and the counters can
 * have any value. A tick, switch, stop or read finds all samples.
 */
#ifndef VPMC_SAMPLE_H
#define VPMC_SAMPLE_H

#include <linux/compiler.h>
#include <linux/jump_label.h>
#include <linux/percpu.h>

#include "cpu/cpu.h"
#include "kernel/msr.h"
#include "thread/alarm.h"
#include "thread/large.h"
#include "thread/thread_counters.h"

struct vm_area_struct;

/**
 * struct vpmc_sample_cpu - the state of a processor's interrupts
 * @busy: whether an NMI must not change the counters of the loaded thread
 * @again: whether an NMI came while @busy was set
 * @expected: whether an interrupt may still come for an overflow that was found already
 * @armed: the counters that interrupt when they overflow, one bit each
 */
struct vpmc_sample_cpu {
	bool busy;
	bool again;
	bool expected;
	u32 armed;
};

/* Only this file and sample.c use this. */
DECLARE_PER_CPU(struct vpmc_sample_cpu, vpmc_sample_cpu);

/*
 * This says whether VPMC_SAMPLES was ever called, or VPMC_SIGNAL on a processor that interrupts.
 * Until then, the code below is jumped over.
 */
DECLARE_STATIC_KEY_FALSE(vpmc_sample_used);

/*
 * This says whether counters must be read by RDMSR, because RDPMC cannot read them. Only
 * vpmc_sample_now() uses this.
 */
DECLARE_STATIC_KEY_FALSE(vpmc_sample_rdmsr);

static __always_inline bool vpmc_sample_is_used(void)
{
	return static_branch_unlikely(&vpmc_sample_used);
}

/* Return whether some events of @t have periods. @t has events. */
static inline bool vpmc_sample_has(const struct vpmc_thread *t)
{
	return vpmc_sample_is_used() && t->events->rings;
}

/* Only vpmc_sample_end() uses this. */
void vpmc_sample_redo(void);

/* Like vpmc_sample_begin() and vpmc_sample_end(), if samples are in use. */
static __always_inline void vpmc_sample_begin_used(void)
{
	__this_cpu_write(vpmc_sample_cpu.busy, true);
	barrier();
}

static __always_inline void vpmc_sample_end_used(void)
{
	barrier();
	__this_cpu_write(vpmc_sample_cpu.busy, false);
	barrier();
	if (unlikely(__this_cpu_read(vpmc_sample_cpu.again)))
		vpmc_sample_redo();
}

/* Begin to change the counters of threads that may leave samples. Interrupts off. */
static inline void vpmc_sample_begin(void)
{
	if (vpmc_sample_is_used())
		vpmc_sample_begin_used();
}

static inline void vpmc_sample_end(void)
{
	if (vpmc_sample_is_used())
		vpmc_sample_end_used();
}

/*
 * Note that an overflow was found before its interrupt has come. If the interrupt has come already,
 * its handler has set @again, and the interrupt does not come again. Call this between
 * vpmc_sample_begin() and vpmc_sample_end().
 */
static inline void vpmc_sample_note_late(void)
{
	if (!__this_cpu_read(vpmc_sample_cpu.again))
		__this_cpu_write(vpmc_sample_cpu.expected, true);
}

/*
 * Take the samples of @t that are due. @t has samples and has just been brought up to date. If
 * @stays is set, this processor goes on counting for @t. Call this between vpmc_sample_begin() and
 * vpmc_sample_end().
 */
void vpmc_sample_fold(struct vpmc_thread *t, bool stays);

/*
 * Expect that counters of @t, which has samples, can interrupt from now on, with any values.
 * Counters of the previous thread can still interrupt, too. Call this before the processor counts
 * for @t. Call this between vpmc_sample_begin() and vpmc_sample_end().
 */
static inline void vpmc_sample_expect(const struct vpmc_thread *t)
{
	__this_cpu_or(vpmc_sample_cpu.armed, t->events->armed);
	barrier();
}

/*
 * Like vpmc_sample_expect() for @t, whose @t->alarmed is set. Call this between vpmc_sample_begin()
 * and vpmc_sample_end().
 */
static inline void vpmc_sample_expect_alarms(const struct vpmc_thread *t)
{
	__this_cpu_or(vpmc_sample_cpu.armed, vpmc_alarm_counters(t));
	barrier();
}

/*
 * Note that only @counters can interrupt from now on. Call this between vpmc_sample_begin() and
 * vpmc_sample_end().
 */
static inline void vpmc_sample_arm(u32 counters)
{
	__this_cpu_write(vpmc_sample_cpu.armed, counters);
}

/*
 * Set the counters of @t that interrupt, and their values in @now, to zero. @t counts kernel mode,
 * in which a previous value could overflow before vpmc_sample_load() overwrites it. Call this
 * before the processor counts for @t, between vpmc_sample_begin() and vpmc_sample_end().
 */
void vpmc_sample_clear(const struct vpmc_thread *t, u64 *now);

/*
 * Load the counters for @t, which has samples, and store their new values in @now. Call this
 * between vpmc_sample_begin() and vpmc_sample_end().
 */
void vpmc_sample_load(struct vpmc_thread *t, u64 *now);

/* Only this file and sample.c use the following three functions. */

/* Return the value of the hardware counter of @point. */
static __always_inline u64 vpmc_sample_now(const struct vpmc_point *point)
{
	u64 now;

	if (static_branch_unlikely(&vpmc_sample_rdmsr))
		rdmsrq(point->msr, now);
	else
		now = native_read_pmc(point->rdpmc);
	return now;
}

/*
 * Let the hardware counter of @point continue from @c->start, which is minus the number of events
 * until the next sample. Its event is not counted in kernel mode.
 */
static __always_inline void vpmc_sample_reload(const struct vpmc_point *point,
					       const struct vpmc_counter *c)
{
	wrmsr(point->msr, (u32)c->start, point->high);
}

/* Return the next sample of counter @c of @t, which has samples. */
static inline const struct vpmc_point *vpmc_point_of(const struct vpmc_thread *t,
						     const struct vpmc_counter *c)
{
	return &t->large->samples->point[c - t->large->counter];
}

/*
 * Bring the counters of @out up to date, and load them for @in. Both threads count the same events
 * of user mode, and have the same kind. Returns whether samples of @out may be due, because a
 * counter that interrupts has wrapped, or because a count without an interrupt has reached its next
 * sample. Call this between vpmc_sample_begin() and vpmc_sample_end().
 */
static __always_inline bool vpmc_sample_exchange(struct vpmc_thread *out, struct vpmc_thread *in)
{
	const struct vpmc_point *point = in->large->samples->point;
	struct vpmc_counter *from = out->large->counter, *to = in->large->counter;
	u32 left = in->events->nr_counters;
	bool late = false;
	u64 now, delta;

	do {
		now = vpmc_sample_now(point);
		delta = now - from->start;
		if (unlikely((s64)delta < 0)) {
			delta &= vpmc_pmu->counter_mask;
			late = true;
		}
		from->sum += delta;
		from->start = now;
		if (likely(point->armed)) {
			vpmc_sample_reload(point, to);
		} else {
			to->start = now;
			late |= from->sum >= vpmc_point_of(out, from)->next;
		}
		from++, point++, to++;
	} while (--left);
	return late;
}

/*
 * Note that no counter can interrupt any more, because the processor has stopped counting for the
 * thread that has samples, and the thread is not loaded any more. Call this between
 * vpmc_sample_begin() and vpmc_sample_end().
 */
static inline void vpmc_sample_unload(void)
{
	vpmc_sample_arm(0);
}

/*
 * Record a change before the next samples of current's process: a new program, a mapping, or a fork
 * of process number @number. These functions do nothing if current does not leave samples. May
 * sleep.
 */
void vpmc_sample_exec(void);
void vpmc_sample_mmap(struct vm_area_struct *vma);
void vpmc_sample_fork(struct vpmc_rings *rings, u64 number);

/*
 * Record the program and the executable memory of current's process. It has just been started for
 * an observer that has not seen its earlier records. current has an mm. May sleep.
 */
void vpmc_sample_present(void);

/*
 * Enable the code for interrupts and cascades, which is jumped over until the first call. May
 * sleep.
 */
void vpmc_sample_use(void);

/*
 * Let threads leave samples. Returns 0, or -EOPNOTSUPP if overflows do not interrupt and @ticks is
 * not set. May sleep.
 */
int vpmc_sample_enable(bool ticks);

/* Receive the interrupt, if the processor has one. Returns 0 or -errno. May sleep. */
int vpmc_sample_init(void);
void vpmc_sample_exit(void);

#endif /* VPMC_SAMPLE_H */
