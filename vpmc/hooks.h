/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many users the hooks have. The key that makes them live changes only with
 * the first and the last one: for each process it would cost more than the rest
 * of a fork.
 */
#ifndef VPMC_HOOKS_H
#define VPMC_HOOKS_H

#include <linux/atomic.h>

/* One more user: the hooks are live when this returns. May sleep. */
void vpmc_hooks_use(void);

/* How many there are. Only for the functions below. */
extern atomic_t vpmc_hooks_users;

/* Only for vpmc_hooks_unuse(). */
void vpmc_hooks_leave(void);

/* One less. Takes effect a little later. Any context. */
static inline void vpmc_hooks_unuse(void)
{
	if (atomic_dec_and_test(&vpmc_hooks_users))
		vpmc_hooks_leave();
}

#endif /* VPMC_HOOKS_H */
