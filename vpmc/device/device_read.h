/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares read(2) of /dev/vpmc, and the part of VPMC_READ that read(2) also
 * uses.
 */
#ifndef VPMC_DEVICE_READ_H
#define VPMC_DEVICE_READ_H

#include <linux/types.h>

struct file;
struct iov_iter;
struct kiocb;
struct vpmc_handle;
struct vpmc_read;

/*
 * Carry out VPMC_READ on @h. @read has the same meaning as for vpmc_read_counts(). The
 * lock of @h is not held. Returns the result of vpmc_read_counts(), -EXDEV, -EINVAL or
 * -EINTR. May sleep.
 */
int vpmc_device_read_counts(struct vpmc_handle *h, struct vpmc_read *read);

/*
 * Implement file_operations.read: copy the used part of a struct vpmc_thread_counts to
 * @buffer. Returns the number of bytes, or an error that is documented at struct
 * vpmc_thread_counts. @offset is not used.
 */
ssize_t vpmc_device_read(struct file *file, char __user *buffer, size_t size,
			 loff_t *offset);

/*
 * Implement file_operations.read_iter. Fill each segment of readv(2) like read(2), until
 * a segment is not filled completely. Reads by io_uring are refused.
 */
ssize_t vpmc_device_read_iter(struct kiocb *iocb, struct iov_iter *to);

#endif /* VPMC_DEVICE_READ_H */
