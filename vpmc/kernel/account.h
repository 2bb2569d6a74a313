/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the accounting of memory that the driver keeps for a user: records,
 * and pages of threads that have exited. The number of tasks does not limit this memory.
 * It is charged to the user in whole pages, in the counter that io_uring also uses.
 * RLIMIT_MEMLOCK limits it, except for tasks with CAP_IPC_LOCK.
 */
#ifndef VPMC_ACCOUNT_H
#define VPMC_ACCOUNT_H

#include <linux/types.h>

struct user_struct;

/**
 * struct vpmc_account - memory that is charged to a user for one session
 * @user: the user, with a reference; NULL if no user is charged
 * @limit: total number of pages that this and other code may charge to the user
 * @bytes: number of bytes in use
 * @pages: number of pages charged: the number that @bytes need, or one more
 *
 * An account that is all zero does not charge any user. The owner's lock protects it.
 */
struct vpmc_account {
	struct user_struct *user;
	unsigned long limit;
	u32 bytes;
	u32 pages;
};

/* Let @a, which is all zero, charge current's user, unless current is exempt. */
void vpmc_account_begin(struct vpmc_account *a);

/* Uncharge all pages that @a has charged, and set @a to all zero. */
void vpmc_account_end(struct vpmc_account *a);

/*
 * Charge @size more bytes. Returns false, and changes nothing, if the charge would exceed
 * the limit.
 */
bool vpmc_account_add(struct vpmc_account *a, u32 size);

/* Uncharge @size bytes. */
void vpmc_account_sub(struct vpmc_account *a, u32 size);

/*
 * Charge @nr pages to current's user, even beyond the limit. Pages are charged even if
 * current is exempt, because an exec that gains rights must not uncharge earlier pages.
 * vpmc_account_is_exceeded() respects the exemption. Returns the user, with a reference.
 */
struct user_struct *vpmc_account_pages(u32 nr);

/* Uncharge the pages of vpmc_account_pages(), and drop the reference. */
void vpmc_account_unpages(struct user_struct *user, u32 nr);

/* Return whether current's user has exceeded the limit and current is not exempt. */
bool vpmc_account_is_exceeded(void);

#endif /* VPMC_ACCOUNT_H */
