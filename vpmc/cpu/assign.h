/* SPDX-License-Identifier: GPL-2.0-only */
/* This file declares how to choose the counters that the caller has left open. */
#ifndef VPMC_ASSIGN_H
#define VPMC_ASSIGN_H

#include <linux/types.h>

struct vpmc_event;

/**
 * vpmc_assign_counters() - choose counters for events
 * @event: the events; each counter that is VPMC_COUNTER_ANY is replaced
 * @nr: number of events, at most VPMC_MAX_EVENTS
 * @may_share: whether several events may share one counter
 *
 * Each event gets its own counter, if all can have one. An event for which no counter is
 * found keeps VPMC_COUNTER_ANY. The same events get the same counters each time.
 * vpmc_events_obtain() refuses events that cannot be counted at all.
 *
 * Context: any.
 */
void vpmc_assign_counters(struct vpmc_event *event, u32 nr, bool may_share);

#endif /* VPMC_ASSIGN_H */
