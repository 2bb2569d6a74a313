/* SPDX-License-Identifier: GPL-2.0-only */
/* /dev/vpmc; its ABI is uapi/linux/vpmc.h. */
#ifndef VPMC_DEVICE_H
#define VPMC_DEVICE_H

#include "events.h"

/* An open file. */
struct vpmc_handle;

/*
 * The checks that every start begins with: of the flags, by the caller, and of
 * the events. Returns a set of events that the caller holds, or ERR_PTR() with
 * @error and @error_event filled in. May sleep.
 */
struct vpmc_events *vpmc_start_events(struct vpmc_start *start, bool flags_fit);

/*
 * An ioctl whose argument is a struct vpmc_start: @start does the work, and
 * fills in @error, @error_event or @generation. The file's lock is held.
 */
long vpmc_ioctl_start(struct vpmc_handle *h, void __user *arg,
		      int (*start)(struct vpmc_handle *, struct vpmc_start *));

/* The calls of system mode; -ENOTTY for others. The file's lock is held. */
long vpmc_system_ioctl(struct vpmc_handle *h, unsigned int cmd,
		       void __user *arg);

int vpmc_device_init(void);	/* 0 or -errno */
void vpmc_device_exit(void);

#endif /* VPMC_DEVICE_H */
