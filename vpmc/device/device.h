/* SPDX-License-Identifier: GPL-2.0-only */
/* This file declares /dev/vpmc. Its interface is in uapi/linux/vpmc.h. */
#ifndef VPMC_DEVICE_H
#define VPMC_DEVICE_H

int vpmc_device_init(void);	/* returns 0 or -errno */
void vpmc_device_exit(void);

#endif /* VPMC_DEVICE_H */
