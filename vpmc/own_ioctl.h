/* SPDX-License-Identifier: GPL-2.0-only */
/* VPMC_START, VPMC_STOP and VPMC_READ of the calling thread, without the file's lock. */
#ifndef VPMC_OWN_IOCTL_H
#define VPMC_OWN_IOCTL_H

#include <linux/types.h>

struct vpmc_handle;

/*
 * Do what the call on @h does with its argument at @arg, if that is the common case:
 * see own.h. Returns 0, -EFAULT if the answer cannot be written any more, or -EAGAIN
 * with nothing changed: then the other code decides. May sleep.
 */
int vpmc_own_ioctl_start(const struct vpmc_handle *h, void __user *arg);
int vpmc_own_ioctl_stop(const struct vpmc_handle *h, void __user *arg);

/* The same of VPMC_READ, whose scope is VPMC_SCOPE_THREAD; @size: what the caller says. */
int vpmc_own_ioctl_read(const struct vpmc_handle *h, void __user *arg,
			u32 size);

#endif /* VPMC_OWN_IOCTL_H */
