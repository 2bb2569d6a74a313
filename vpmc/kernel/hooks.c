// SPDX-License-Identifier: GPL-2.0-only
/* This file counts the users of the hooks. */
#include <linux/atomic.h>

#include "kernel/hooks.h"
#include "kernel/kernel.h"

/* This is the number of users. The static key counts all users as one. */
static atomic_t hooks_users = ATOMIC_INIT(0);

void vpmc_hooks_use(void)
{
	if (atomic_inc_not_zero(&hooks_users))
		return;
	static_branch_inc(&vpmc_used.key);
	/* Another caller may have been first. */
	if (atomic_inc_return(&hooks_users) != 1)
		static_branch_slow_dec_deferred(&vpmc_used);
}

void vpmc_hooks_unuse(void)
{
	if (atomic_dec_and_test(&hooks_users))
		static_branch_slow_dec_deferred(&vpmc_used);
}
