// SPDX-License-Identifier: GPL-2.0-only
/* When to look who still needs the counters. See due.h. */
#include <linux/workqueue.h>

#include "cpu/due.h"

/* A look interrupts processors and visits all processes: seldom enough not to matter. */
#define DUE_DELAY	HZ

bool vpmc_due;

static void (*due_look)(void);

/* A note that still finds the flag set has come before the look: the look finds its cause. */
static void due_begin(struct work_struct *unused)
{
	xchg(&vpmc_due, false);
	due_look();
}

static DECLARE_DELAYED_WORK(due_work, due_begin);

void vpmc_due_schedule(void)
{
	if (!xchg(&vpmc_due, true))
		schedule_delayed_work(&due_work, DUE_DELAY);
}

void vpmc_due_init(void (*look)(void))
{
	due_look = look;
}

void vpmc_due_exit(void)
{
	cancel_delayed_work_sync(&due_work);
	WRITE_ONCE(vpmc_due, false);
}
