/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One address space for all mappings of the device. The kernel keeps the mappings of a file in
 * a tree of its address space, also those of a memory that no task has any more, until the
 * memory is gone. By default each inode of the device has its own, and mknod(2) makes inodes.
 */
#ifndef VPMC_SPACE_H
#define VPMC_SPACE_H

struct address_space;

/* The one. Set as long as the device is registered. */
extern struct address_space *vpmc_space;

/* May sleep. Returns 0 or an error. */
int vpmc_space_init(void);

/* Nothing is mapped any more. May sleep. */
void vpmc_space_exit(void);

#endif /* VPMC_SPACE_H */
