/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A thread that reads its counts, stops itself, and starts again what it counted: what
 * programs do for each of their parts that they count. Here is the common case, in one
 * pass under one lock; what is answered and left is the same as read.h's and control.h's.
 */
#ifndef VPMC_OWN_H
#define VPMC_OWN_H

#include "events.h"

struct vpmc_answer;

/**
 * vpmc_own_start() - let the calling thread start again from zero, without flags
 * @event: what to count
 * @nr: how many
 * @number: receives the generation, which is the identity of the start, too
 *
 * It may, as far as the driver is asked, count them already: no other thread of
 * its process has counters, it stopped itself, it counted the same events in the
 * present generation, and who may see them stays the same.
 *
 * Context: may sleep.
 * Return: whether it has started. If not, nothing has changed: see
 * vpmc_control_start().
 */
bool vpmc_own_start(const struct vpmc_event *event, u32 nr, u64 *number);

/**
 * struct vpmc_own_counts - what the calling thread has counted
 * @state: enum vpmc_state
 * @nr: how many counts
 * @generation: of the counts
 * @identity: of the start that they belong to
 * @tsc: clocks for which each was counted
 * @count: the counts
 */
struct vpmc_own_counts {
	u32 state;
	u32 nr;
	u64 generation;
	u64 identity;
	u64 tsc;
	u64 count[VPMC_SMALL_EVENTS];
};

/*
 * Read the calling thread. Returns whether that was done, with all fields of @counts
 * that are used. If not, see vpmc_read_own().
 */
bool vpmc_own_read(struct vpmc_own_counts *counts);

/*
 * Stop the calling thread. Returns whether that was done, with @answer. If not, nothing
 * has changed: see vpmc_control_stop().
 */
bool vpmc_own_stop(struct vpmc_answer *answer);

#endif /* VPMC_OWN_H */
