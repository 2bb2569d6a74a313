/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares how counters interrupt for signals (notify.h): each counter of an event that
 * has a signal is loaded with minus the number of events until the next multiple. The protocol is
 * the same as for samples (sample.h).
 *
 * Multiples of an event whose counter cannot interrupt, or whose period is short, are noticed
 * without an interrupt. So are the multiples of all events of a thread that counts kernel mode or
 * leaves samples.
 */
#ifndef VPMC_ALARM_H
#define VPMC_ALARM_H

#include <linux/types.h>

struct vpmc_thread;

/*
 * Choose the counters that interrupt for @t, whose signals have changed. @t is current's, and no
 * thread is loaded. Interrupts off.
 */
void vpmc_alarm_choose(struct vpmc_thread *t);

/* Return the counters that interrupt for @t, one bit each. @t->alarmed is set. Any context. */
u32 vpmc_alarm_counters(const struct vpmc_thread *t);

/* Return the registers' values for @t. @t->alarmed is set. Any context. */
const struct vpmc_load *vpmc_alarm_load_of(const struct vpmc_thread *t);

/*
 * Let the counters overflow at the next multiples, and store their new values in @now. @t->alarmed
 * is set. Call this between vpmc_sample_begin() and vpmc_sample_end().
 */
void vpmc_alarm_load(struct vpmc_thread *t, u64 *now);

/*
 * Return whether a counter of @t, which was brought up to date, has overflowed. If @stays is set,
 * this processor goes on counting for @t. @t->alarmed is set. Call this between vpmc_sample_begin()
 * and vpmc_sample_end().
 */
bool vpmc_alarm_fold(struct vpmc_thread *t, bool stays);

/*
 * Bring @t, which is loaded, up to date after an interrupt. @t->alarmed is set. Returns whether a
 * counter has overflowed. NMI, or interrupts off.
 */
bool vpmc_alarm_advance(struct vpmc_thread *t);

#endif /* VPMC_ALARM_H */
