// SPDX-License-Identifier: GPL-2.0-only
/* How many users the hooks have. See hooks.h. */
#include <linux/atomic.h>

#include "kernel/hooks.h"
#include "kernel/kernel.h"

/* While there are users, the key has one user for all of them. */
static atomic_t hooks_users = ATOMIC_INIT(0);

void vpmc_hooks_use(void)
{
	if (atomic_inc_not_zero(&hooks_users))
		return;
	static_branch_inc(&vpmc_used.key);
	/* Somebody else may have been first. */
	if (atomic_inc_return(&hooks_users) != 1)
		static_branch_slow_dec_deferred(&vpmc_used);
}

void vpmc_hooks_unuse(void)
{
	if (atomic_dec_and_test(&hooks_users))
		static_branch_slow_dec_deferred(&vpmc_used);
}
