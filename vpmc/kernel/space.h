/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares one address space for all mappings of the device. The kernel keeps
 * the mappings of a file in a tree of its address space until the mm is freed, even if
 * no task has the mm any more. By default, each inode of the device has its own address
 * space, and mknod(2) creates inodes.
 */
#ifndef VPMC_SPACE_H
#define VPMC_SPACE_H

struct address_space;

/* The address space. It is set while the device is registered. */
extern struct address_space *vpmc_space;

/* Create the address space. Returns 0 or -errno. May sleep. */
int vpmc_space_init(void);

/* Free the address space, when nothing is mapped any more. May sleep. */
void vpmc_space_exit(void);

#endif /* VPMC_SPACE_H */
