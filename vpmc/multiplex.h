/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * More events than counters: those of one counter take turns on it.
 *
 * A turn lasts from one clock tick that hits the thread to the next. Whatever
 * the hardware counter in a place counts meanwhile is added up in
 * vpmc_thread.counter as for any thread, and at the end of the turn handed to
 * the event whose turn it was, with the clocks of the turn. Each counter goes
 * round on its own: an event that is alone on one has every turn of it.
 *
 * The first thread that counts a set begins with the first event of each
 * counter, the next one with the second, and so on: so many short-lived threads
 * give each event its share.
 */
#ifndef VPMC_MULTIPLEX_H
#define VPMC_MULTIPLEX_H

#include <linux/gfp_types.h>

#include "events.h"
#include "sum.h"

struct vpmc_thread;

/**
 * struct vpmc_multiplex - the events of a thread that take turns
 * @next: in vpmc_room.threads
 * @load: what a processor that runs the thread is to count
 * @since: vpmc_thread.tsc when the present turns began
 * @turn: the event that has the counter, in each place
 * @share: what each event counted before its present turn
 *
 * In a thread, written like its counts, see thread.h.
 */
struct vpmc_multiplex {
	struct vpmc_multiplex *next;
	struct vpmc_load load;
	u64 since;
	u8 turn[VPMC_MAX_COUNTERS];
	struct vpmc_share share[];
};

/**
 * struct vpmc_room - memory that starts and forks need for shared counters
 * @threads: for threads, linked by next
 * @process: for the three sums of a process
 * @session: for the sum of a session
 *
 * All are NULL if the events have counters to themselves. It is allocated
 * before locks are taken; whoever uses @process or @session leaves there what
 * that has replaced.
 */
struct vpmc_room {
	struct vpmc_multiplex *threads;
	struct vpmc_share *process;
	struct vpmc_share *session;
};

/*
 * Make @room, which is zeroed, one for so many threads that count @events,
 * which may be NULL, and for one process. Returns 0 or -ENOMEM; in any case
 * there may be something to free. May sleep.
 */
int vpmc_room_alloc(struct vpmc_room *room, struct vpmc_events *events,
		    unsigned int threads);

/* Room for more threads. May sleep unless @gfp says otherwise. */
int vpmc_room_add(struct vpmc_room *room, struct vpmc_events *events,
		  unsigned int threads, gfp_t gfp);

/* Leaves it zeroed. */
void vpmc_room_free(struct vpmc_room *room);

/* Let @t, which does not count, take its place in @room. */
void vpmc_multiplex_take(struct vpmc_thread *t, struct vpmc_room *room);

/*
 * The turns of @t, which counts on this processor and is up to date, are over.
 * Interrupts off.
 */
void vpmc_multiplex_tick(struct vpmc_thread *t);

/* vpmc_thread_counts() of a thread whose events take turns. */
void vpmc_multiplex_counts(struct vpmc_sum *sum, const struct vpmc_thread *t);

#endif /* VPMC_MULTIPLEX_H */
