/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many users the hooks have. The key that makes them live changes only with
 * the first and the last one: for each process it would cost more than the rest
 * of a fork.
 */
#ifndef VPMC_HOOKS_H
#define VPMC_HOOKS_H

/* One more user: the hooks are live when this returns. May sleep. */
void vpmc_hooks_use(void);

/* One less. Takes effect a little later. Any context. */
void vpmc_hooks_unuse(void);

#endif /* VPMC_HOOKS_H */
