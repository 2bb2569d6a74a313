/* SPDX-License-Identifier: GPL-2.0-only */
/* The common part of the ioctls whose argument is a struct vpmc_start. */
#ifndef VPMC_START_IOCTL_H
#define VPMC_START_IOCTL_H

#include "cpu/events.h"

struct vpmc_handle;

/*
 * Check the flags, as the caller found them, and the events. Returns a set of
 * events that the caller holds, or ERR_PTR() with
 * @error and @error_event filled in. May sleep.
 */
struct vpmc_events *vpmc_start_ioctl_events(struct vpmc_start *start,
					    bool flags_fit);

/*
 * Copy the argument in, let @start do the work and fill in @error, @error_event
 * or what it answers, and copy that out. Nothing is done if the answer cannot be
 * written. The file's lock is held. May sleep.
 */
long vpmc_start_ioctl(struct vpmc_handle *h, void __user *arg,
		      int (*start)(struct vpmc_handle *, struct vpmc_start *));

#endif /* VPMC_START_IOCTL_H */
