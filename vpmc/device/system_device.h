/* SPDX-License-Identifier: GPL-2.0-only */
/* This file declares the calls of system mode on /dev/vpmc. */
#ifndef VPMC_SYSTEM_DEVICE_H
#define VPMC_SYSTEM_DEVICE_H

struct vpmc_handle;

/*
 * Carry out an ioctl of system mode. Returns -ENOTTY for other ioctls. The handle's lock
 * is held. May sleep.
 */
long vpmc_system_device_ioctl(struct vpmc_handle *h, unsigned int cmd,
			      void __user *arg);

#endif /* VPMC_SYSTEM_DEVICE_H */
