/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares how to count the users of the kernel's hooks. The static key that
 * activates the hooks changes only with the first and the last user. A change for each
 * process would cost more than the rest of a fork.
 */
#ifndef VPMC_HOOKS_H
#define VPMC_HOOKS_H

/* Add a user. The hooks are live when this returns. May sleep. */
void vpmc_hooks_use(void);

/* Remove a user. Takes effect a little later. Any context. */
void vpmc_hooks_unuse(void);

#endif /* VPMC_HOOKS_H */
