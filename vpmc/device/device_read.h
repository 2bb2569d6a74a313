/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads of /dev/vpmc: by read(2), and what VPMC_READ has in common with it. */
#ifndef VPMC_DEVICE_READ_H
#define VPMC_DEVICE_READ_H

#include <linux/types.h>

struct file;
struct iov_iter;
struct kiocb;
struct vpmc_handle;
struct vpmc_read;

/*
 * VPMC_READ on @h: @read as for vpmc_read_counts(). The file's lock is not held.
 * Returns what that returns, or -EXDEV. May sleep.
 */
int vpmc_device_read_counts(struct vpmc_handle *h, struct vpmc_read *read);

/*
 * file_operations.read: copies the head of a struct vpmc_thread_counts, which
 * documents the errors, to @buffer. Returns how many bytes. @offset is not used.
 */
ssize_t vpmc_device_read(struct file *file, char __user *buffer, size_t size,
			 loff_t *offset);

/*
 * file_operations.read_iter: fill the parts of readv(2), each as by read(2), until one of
 * them is not filled. A read that io_uring makes is refused with -EINVAL.
 */
ssize_t vpmc_device_read_iter(struct kiocb *iocb, struct iov_iter *to);

#endif /* VPMC_DEVICE_READ_H */
