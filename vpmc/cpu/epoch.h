/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the epoch.
 *
 * The epoch is a number that changes when system mode begins, when it ends, and when the
 * counters are taken from all threads. It is odd while threads cannot count, and never 0.
 * Only system.c writes the epoch, under its lock. A process copies the epoch when one of
 * its threads starts. Its threads have this copy as @run, and count only while @run
 * equals the epoch.
 */
#ifndef VPMC_EPOCH_H
#define VPMC_EPOCH_H

#include <linux/compiler.h>
#include <linux/types.h>

extern unsigned int vpmc_epoch;

/*
 * This is the number of calls of vpmc_system_hold() that are in effect, during which threads
 * cannot count. Only system.c writes it, under its lock. The first call increments it before the
 * epoch changes, and the last call decrements it after the epoch has changed again.
 */
extern unsigned int vpmc_epoch_holds;

static inline bool vpmc_epoch_is_system(unsigned int epoch)
{
	return epoch & 1;
}

/* Only vpmc_epoch_check() uses this. */
int vpmc_epoch_refusal(void);

/*
 * Return the error of a start of threads now: -EADDRINUSE during vpmc_system_hold(), -EBUSY in
 * system mode, or 0 if they can count. Any context.
 */
static inline int vpmc_epoch_check(void)
{
	return vpmc_epoch_is_system(READ_ONCE(vpmc_epoch)) ? vpmc_epoch_refusal() : 0;
}

#endif /* VPMC_EPOCH_H */
