/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares when the driver reviews which processes still need the counters
 * (review.h). Stops, exits and the close of files note that the result may have changed.
 * A note usually costs only the test of a flag. The first note after a review schedules
 * the next review for a second later.
 */
#ifndef VPMC_DUE_H
#define VPMC_DUE_H

#include <linux/compiler.h>
#include <linux/types.h>

/* This says whether a review is scheduled. Only vpmc_due_note() uses this. */
extern bool vpmc_due;

/* Only vpmc_due_note() uses this. */
void vpmc_due_schedule(void);

/*
 * Note that the result of a review may have changed. If a process has changed, the caller
 * has taken its lock before the change and still holds it, unless the review sees the
 * change in any case. Any context.
 */
static __always_inline void vpmc_due_note(void)
{
	if (unlikely(!READ_ONCE(vpmc_due)))
		vpmc_due_schedule();
}

/* Let @review be called a second after the first note since its last call. @review may sleep. */
void vpmc_due_init(void (*review)(void));

/* Wait for a running review, and cancel a scheduled one. May sleep. */
void vpmc_due_exit(void);

#endif /* VPMC_DUE_H */
