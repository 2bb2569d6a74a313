/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory that the driver keeps for a user without a task that bounds it: records, and
 * pages of threads that are gone. It is charged to the user in whole pages, in the
 * counter that io_uring also charges, and RLIMIT_MEMLOCK is its bound. CAP_IPC_LOCK
 * exempts a task from it.
 */
#ifndef VPMC_ACCOUNT_H
#define VPMC_ACCOUNT_H

#include <linux/types.h>

struct user_struct;

/**
 * struct vpmc_account - what is charged to a user for one session
 * @user: the user, a reference; NULL if nothing is charged
 * @limit: pages that the user may have been charged in all, by whomever
 * @bytes: in use
 * @pages: charged. At least what @bytes need, and at most one more.
 *
 * All zero is an account that charges nobody. Its owner's lock protects it.
 */
struct vpmc_account {
	struct user_struct *user;
	unsigned long limit;
	u32 bytes;
	u32 pages;
};

/* Charge what is added to @a, which is all zero, to current's user, if at all. */
void vpmc_account_begin(struct vpmc_account *a);

/* Give back all that was charged. @a is all zero then. */
void vpmc_account_end(struct vpmc_account *a);

/* Use @size bytes more. Returns false, with nothing changed, at the limit. */
bool vpmc_account_add(struct vpmc_account *a, u32 size);

/* Use @size bytes less. */
void vpmc_account_sub(struct vpmc_account *a, u32 size);

/*
 * Charge one page to current's user, who may exceed the limit by it, and who is exempt
 * only when it asks for another one: an exec that gains rights must not free it of what it
 * had before. Returns the user, with a reference.
 */
struct user_struct *vpmc_account_page(void);

/* Give that page back. */
void vpmc_account_unpage(struct user_struct *user);

/* Has current's user exceeded the limit, from which current is not exempt? */
bool vpmc_account_is_exceeded(void);

#endif /* VPMC_ACCOUNT_H */
