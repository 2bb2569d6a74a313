/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * More events than counters: the events of one counter share it, and rotate.
 *
 * They rotate at each clock tick while the thread runs. vpmc_thread.counter
 * adds up what a hardware counter counts, as for any thread. A rotation moves
 * this sum, and the clocks since the last rotation, to the event that had the
 * counter. Each counter rotates on its own: an event that is alone on a counter
 * always has it.
 *
 * The first thread that counts a set begins with the first event of each
 * counter, the next one with the second, and so on. So each event gets its
 * share of many short-lived threads, too.
 */
#ifndef VPMC_ROTATE_H
#define VPMC_ROTATE_H

#include "events.h"
#include "sum.h"

struct vpmc_thread;

/**
 * struct vpmc_multiplex - the events of a thread that share counters
 * @next: in vpmc_prealloc.threads
 * @load: what a processor that runs the thread is to count
 * @since: vpmc_thread.tsc at the last rotation
 * @present: the event that has the counter, by index of the counter
 * @counts: what each event counted before the last rotation
 *
 * In a thread, written like its counts, see count.h.
 */
struct vpmc_multiplex {
	struct vpmc_multiplex *next;
	struct vpmc_load load;
	u64 since;
	u8 present[VPMC_MAX_COUNTERS];
	struct vpmc_mux_counts counts;
};

/*
 * For a thread that counts @events, which share counters; or NULL. May sleep.
 */
struct vpmc_multiplex *vpmc_rotate_create(struct vpmc_events *events);

/*
 * Rotate the events of @t, which counts on this processor and is up to date.
 * Interrupts off.
 */
void vpmc_rotate_tick(struct vpmc_thread *t);

/* vpmc_count_add() of a thread whose events share counters. */
void vpmc_rotate_add(struct vpmc_sum *sum, const struct vpmc_thread *t);

#endif /* VPMC_ROTATE_H */
