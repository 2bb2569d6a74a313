/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * More events than counters: the events of one counter share it, and rotate.
 *
 * They rotate at each clock tick while the thread runs. vpmc_large.counter adds
 * up what a hardware counter counts, as for any thread. A rotation moves this
 * sum, and the clocks since the last rotation, to the event that had the
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

struct vpmc_large;
struct vpmc_thread;

/* Give the counters of @l, a new one, to the first of @events that get them. */
void vpmc_rotate_begin(struct vpmc_large *l, struct vpmc_events *events);

/*
 * Rotate the events of @t, which share counters. It counts on this processor and
 * is up to date. Interrupts off.
 */
void vpmc_rotate_tick(struct vpmc_thread *t);

#endif /* VPMC_ROTATE_H */
