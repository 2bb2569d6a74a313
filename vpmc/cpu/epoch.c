// SPDX-License-Identifier: GPL-2.0-only
/* This file says why threads cannot count in an epoch. */
#include <linux/compiler.h>
#include <linux/errno.h>

#include <asm/barrier.h>

#include "cpu/epoch.h"

/*
 * The epoch begins shortly before its wrap, so that each test of system mode passes the
 * wrap.
 */
unsigned int vpmc_epoch = -4U;
unsigned int vpmc_epoch_holds;

/* If a hold ends between the two looks at the epoch, there is neither a hold nor system mode. */
int vpmc_epoch_refusal(void)
{
	unsigned int epoch;

	do {
		epoch = READ_ONCE(vpmc_epoch);
		if (!vpmc_epoch_is_system(epoch))
			return 0;
		/* A reader of the epoch of a hold sees the hold. Pairs with vpmc_system_hold(). */
		smp_rmb();
		if (READ_ONCE(vpmc_epoch_holds))
			return -EADDRINUSE;
		/* A reader of its end sees the next epoch. Pairs with vpmc_system_unhold(). */
		smp_rmb();
	} while (READ_ONCE(vpmc_epoch) != epoch);
	return -EBUSY;
}
