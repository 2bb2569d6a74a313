/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Signals for a thread: one whenever its count of an event has reached or
 * passed a multiple of a period.
 *
 * It is noticed wherever the counters are looked at, be it in the midst of a
 * context switch, and sent by the thread itself on its way back to user mode.
 * So whatever was noticed is told before the thread executes anything more, and
 * after a stop there is nothing left to tell.
 */
#ifndef VPMC_SIGNALS_H
#define VPMC_SIGNALS_H

#include "uapi/linux/vpmc.h"

struct vpmc_thread;

/* What a thread wants to be told. Only threads that asked have it. */
struct vpmc_signals;

/*
 * VPMC_SIGNAL, for the calling thread. Returns 0, or, with nothing changed,
 * -EINVAL, -ENODATA or -ENOMEM. May sleep.
 */
int vpmc_signals_set(struct vpmc_signal *args);

/*
 * The counts of @t, which has signals, have been brought up to date. Interrupts
 * off, on the processor that counts for @t; it may be switching from @t.
 */
void vpmc_signals_notice(struct vpmc_thread *t);

/* @t, which has signals, is being switched out. As vpmc_signals_notice(). */
void vpmc_signals_switch_out(struct vpmc_thread *t);

/*
 * No signals any more for @t, which is the calling thread's or does not count.
 * What was noticed and not told is forgotten. @t->process->lock held.
 */
void vpmc_signals_drop(struct vpmc_thread *t);

/* @t exits, and nothing will bring it up to date any more. May sleep. */
void vpmc_signals_exit(struct vpmc_thread *t);

#endif /* VPMC_SIGNALS_H */
