/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether it is time to look who still needs the counters: see review.h. Stops, exits and
 * closed files note that something may have changed, which costs them the test of a flag.
 * The first one after a look has the next look follow a second later.
 */
#ifndef VPMC_DUE_H
#define VPMC_DUE_H

#include <linux/compiler.h>
#include <linux/types.h>

/* A look will follow. Only for vpmc_due_note(). */
extern bool vpmc_due;

/* Only for vpmc_due_note(). */
void vpmc_due_schedule(void);

/*
 * What a look finds may have changed. If it concerns a process, its lock is held since
 * before the change, or the look finds the change in any case. Any context.
 */
static __always_inline void vpmc_due_note(void)
{
	if (unlikely(!READ_ONCE(vpmc_due)))
		vpmc_due_schedule();
}

/* @look is called a second after the first note since it was called last. It may sleep. */
void vpmc_due_init(void (*look)(void));

/* No look is under way, or follows without another note. May sleep. */
void vpmc_due_exit(void);

#endif /* VPMC_DUE_H */
