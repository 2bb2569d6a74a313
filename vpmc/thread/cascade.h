/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the counters of which one starts another (VPMC_MODE_CASCADE).
 *
 * The first counter of a cascade overflows at the thread's event number vpmc_event.period, because
 * it gets minus the number of events until then whenever the thread is loaded. The processor then
 * starts the second counter. Whether this has happened follows from the count of the first one. So
 * the next time that the thread is loaded, the second counter either waits again, or counts at
 * once. The counters stop when the thread is unloaded. Otherwise other tasks could let the first
 * counter overflow, and start the second one.
 */
#ifndef VPMC_CASCADE_H
#define VPMC_CASCADE_H

#include "thread/thread_counters.h"

/* Return whether a counter of @t, whose events are set, may start another one. */
static inline bool vpmc_cascade_has(const struct vpmc_thread *t)
{
	return unlikely(t->events->cascades);
}

/* Let the load of @t, which has cascades, count the events that have been started. */
void vpmc_cascade_choose(struct vpmc_thread *t);

/*
 * Let the counters overflow that start others. @now has the values of the counters of @t, which is
 * loaded, and receives those that were written. Counters that interrupt have their values already.
 */
void vpmc_cascade_load(const struct vpmc_thread *t, u64 *now);

#endif /* VPMC_CASCADE_H */
