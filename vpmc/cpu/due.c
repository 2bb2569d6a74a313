// SPDX-License-Identifier: GPL-2.0-only
/* This file schedules the review of which processes still need the counters. */
#include <linux/workqueue.h>

#include "cpu/due.h"

/*
 * A review interrupts processors and visits all processes. At this interval its cost does
 * not matter.
 */
#define DUE_DELAY	HZ

bool vpmc_due;

static void (*due_review)(void);

/*
 * Clear the flag before the review. If a note still finds the flag set, its cause came before the
 * review, so the review sees it.
 */
static void due_begin(struct work_struct *unused)
{
	xchg(&vpmc_due, false);
	due_review();
}

static DECLARE_DELAYED_WORK(due_work, due_begin);

void vpmc_due_schedule(void)
{
	if (!xchg(&vpmc_due, true))
		schedule_delayed_work(&due_work, DUE_DELAY);
}

void vpmc_due_init(void (*review)(void))
{
	due_review = review;
}

void vpmc_due_exit(void)
{
	cancel_delayed_work_sync(&due_work);
	WRITE_ONCE(vpmc_due, false);
}
