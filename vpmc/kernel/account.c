// SPDX-License-Identifier: GPL-2.0-only
/* This file charges memory to users. */
#include <linux/atomic.h>
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/math.h>
#include <linux/sched/signal.h>
#include <linux/sched/user.h>
#include <linux/user_namespace.h>

#include "kernel/account.h"
#include "kernel/compat.h"

static bool account_is_exempt(void)
{
	return ns_capable_noaudit(&init_user_ns, CAP_IPC_LOCK);
}

/* Return current's RLIMIT_MEMLOCK in pages. */
static unsigned long account_limit(void)
{
	return rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT;
}

void vpmc_account_begin(struct vpmc_account *a)
{
	if (account_is_exempt())
		return;
	a->user = get_uid(current_user());
	a->limit = account_limit();
}

void vpmc_account_end(struct vpmc_account *a)
{
	if (a->user) {
		atomic_long_sub(a->pages, vpmc_locked_pages(a->user));
		free_uid(a->user);
	}
	*a = (struct vpmc_account){};
}

static bool account_charge(struct vpmc_account *a, u32 pages)
{
	atomic_long_t *locked = vpmc_locked_pages(a->user);
	long old = atomic_long_read(locked);

	do {
		if (old + pages > a->limit)
			return false;
	} while (!atomic_long_try_cmpxchg(locked, &old, old + pages));
	a->pages += pages;
	return true;
}

bool vpmc_account_add(struct vpmc_account *a, u32 size)
{
	u32 pages = DIV_ROUND_UP(a->bytes + size, PAGE_SIZE);

	if (!a->user)
		return true;
	if (pages > a->pages && !account_charge(a, pages - a->pages))
		return false;
	a->bytes += size;
	return true;
}

/* Keep one page more charged than needed, because it may soon be needed again. */
void vpmc_account_sub(struct vpmc_account *a, u32 size)
{
	u32 pages;

	if (!a->user)
		return;
	a->bytes -= size;
	pages = DIV_ROUND_UP(a->bytes, PAGE_SIZE) + 1;
	if (a->pages <= pages)
		return;
	atomic_long_sub(a->pages - pages, vpmc_locked_pages(a->user));
	a->pages = pages;
}

struct user_struct *vpmc_account_pages(u32 nr)
{
	struct user_struct *user = get_uid(current_user());

	atomic_long_add(nr, vpmc_locked_pages(user));
	return user;
}

void vpmc_account_unpages(struct user_struct *user, u32 nr)
{
	atomic_long_sub(nr, vpmc_locked_pages(user));
	free_uid(user);
}

bool vpmc_account_is_exceeded(void)
{
	unsigned long locked =
		atomic_long_read(vpmc_locked_pages(current_user()));

	return locked > account_limit() && !account_is_exempt();
}
