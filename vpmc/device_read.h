/* SPDX-License-Identifier: GPL-2.0-only */
/* read(2) of /dev/vpmc. */
#ifndef VPMC_DEVICE_READ_H
#define VPMC_DEVICE_READ_H

#include <linux/types.h>

struct file;

/*
 * file_operations.read: copies the head of a struct vpmc_thread_counts, which
 * documents the errors, to @buffer. Returns how many bytes. @offset is not used.
 */
ssize_t vpmc_device_read(struct file *file, char __user *buffer, size_t size,
			 loff_t *offset);

#endif /* VPMC_DEVICE_READ_H */
