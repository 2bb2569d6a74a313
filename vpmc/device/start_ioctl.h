/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the common part of the ioctls whose argument is a struct
 * vpmc_start.
 */
#ifndef VPMC_START_IOCTL_H
#define VPMC_START_IOCTL_H

#include "cpu/events.h"

struct vpmc_handle;

/*
 * Check the events of @start and create a set of them. @flags_fit says whether the flags are valid.
 * Samples go to @rings. If @rings is NULL, events with periods are refused. Returns the set with a
 * reference, or ERR_PTR() with @error and @error_event filled in. May sleep.
 */
struct vpmc_events *vpmc_start_ioctl_events(struct vpmc_start *start,
					    bool flags_fit,
					    struct vpmc_rings *rings);

/*
 * Copy the argument in, call @start, and copy out the answer, or @error and @error_event.
 * If the answer cannot be written, @start is not called. The handle's lock is held. May
 * sleep. Returns 0 or -errno.
 */
long vpmc_start_ioctl(struct vpmc_handle *h, void __user *arg,
		      int (*start)(struct vpmc_handle *, struct vpmc_start *));

#endif /* VPMC_START_IOCTL_H */
