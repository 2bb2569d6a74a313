/* SPDX-License-Identifier: GPL-2.0-only */
/* Which counter counts an event whose caller leaves that open. */
#ifndef VPMC_ASSIGN_H
#define VPMC_ASSIGN_H

#include <linux/types.h>

struct vpmc_event;

/**
 * vpmc_assign_counters() - choose counters for events
 * @event: the events, each of whose counters is set if it is VPMC_COUNTER_ANY
 * @nr: how many, at most VPMC_MAX_EVENTS
 * @may_share: several events may have one counter
 *
 * Finds counters for all of them whenever there are such. Where there are none,
 * VPMC_COUNTER_ANY stays. The same events get the same counters each time. Events
 * that cannot be counted at all are left to vpmc_events_obtain().
 *
 * Context: any.
 */
void vpmc_assign_counters(struct vpmc_event *event, u32 nr, bool may_share);

#endif /* VPMC_ASSIGN_H */
