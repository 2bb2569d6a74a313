// SPDX-License-Identifier: GPL-2.0-only
/* This file implements reads of /dev/vpmc. */
#include <linux/build_bug.h>
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/uaccess.h>
#include <linux/uio.h>

#include "kernel/compat.h"
#include "device/copy.h"
#include "device/device_read.h"
#include "device/handle.h"
#include "calls/own.h"
#include "device/own_ioctl.h"
#include "calls/read.h"

/* struct vpmc_thread_counts is a part of struct vpmc_read, and begins at this offset. */
#define PART offsetof(struct vpmc_read, other_events)

static_assert(offsetof(struct vpmc_read, time) - PART ==
	      sizeof(struct vpmc_thread_counts));
static_assert(offsetof(struct vpmc_read, count) - PART ==
	      offsetof(struct vpmc_thread_counts, count));
static_assert(offsetof(struct vpmc_read, generation) - PART ==
	      offsetof(struct vpmc_thread_counts, generation));

int vpmc_device_read_counts(struct vpmc_handle *h, struct vpmc_read *read)
{
	struct vpmc_subject subject;
	int err;

	if (read->scope == VPMC_SCOPE_THREAD && vpmc_handle_reads_own(h))
		return vpmc_read_own(read);
	if (mutex_lock_killable(&h->lock))
		return -EINTR;
	err = vpmc_handle_subject(h, read->scope, &subject) ?:
	      vpmc_read_counts(&subject, read);
	mutex_unlock(&h->lock);
	return err;
}

/*
 * Copy the counts of @t out. Returns the number of bytes, or 0 if the counts could not be
 * written.
 */
static __always_inline ssize_t
device_read_put(struct vpmc_thread_counts __user *user, size_t size,
		const struct vpmc_thread *t)
{
	size_t used = offsetof(struct vpmc_thread_counts, count[t->events->nr]);
	bool done;

	if (size < used || !user_write_access_begin(user, used))
		return 0;
	done = vpmc_own_ioctl_put((void __user *)user - PART, t);
	user_write_access_end();
	return done ? used : 0;
}

/*
 * Read the counts with a large structure on the stack. This is not inlined, so that the
 * common case does not reserve the stack.
 */
static noinline ssize_t device_read_counts(struct vpmc_handle *h,
					   char __user *buffer, size_t size)
{
	/* vpmc_device_read_counts() fills in all fields that are copied. */
	u8 memory[VPMC_READ_SHORT] __aligned(8) __uninitialized;
	struct vpmc_read *read = (void *)memory;
	size_t used;
	int err;

	/* A structure of this size has no times, so counts that need times are refused. */
	read->size = offsetof(struct vpmc_read, time);
	read->scope = VPMC_SCOPE_THREAD;
	err = vpmc_device_read_counts(h, read);
	if (err)
		return err;
	used = offsetof(struct vpmc_thread_counts, count[read->nr_counts]);
	if (size < used)
		return -EINVAL;
	return vpmc_copy_counts((void __user *)buffer - PART, read, false) ?:
	       used;
}

ssize_t vpmc_device_read(struct file *file, char __user *buffer, size_t size,
			 loff_t *offset)
{
	struct vpmc_handle *h = file->private_data;
	const struct vpmc_thread *t;
	ssize_t done;

	/* The file may be the standard input of a program that gained rights at exec. */
	if (file->f_cred != current_cred())
		return -EACCES;
	t = vpmc_handle_begin_own(h);
	if (likely(t)) {
		done = device_read_put((void __user *)buffer, size, t);
		vpmc_own_end();
		if (likely(done))
			return done;
	}
	return device_read_counts(h, buffer, size);
}

/* Read into the first part of @to. */
static ssize_t device_read_part(struct kiocb *iocb, struct iov_iter *to)
{
	char __user *buffer = iter_is_ubuf(to) ? to->ubuf + to->iov_offset :
						 iter_iov_addr(to);

	return vpmc_device_read(iocb->ki_filp, buffer,
				iov_iter_single_seg_count(to), &iocb->ki_pos);
}

/*
 * Refuse io_uring, which may call this in a worker, where current is not the thread
 * that submitted the read. -EAGAIN would make io_uring wait for poll(2), which waits
 * for records.
 */
ssize_t vpmc_device_read_iter(struct kiocb *iocb, struct iov_iter *to)
{
	ssize_t done = 0, part;
	size_t size;

	if (!is_sync_kiocb(iocb) || !user_backed_iter(to))
		return -EINVAL;
	if (iocb->ki_flags & IOCB_NOWAIT)
		return -EOPNOTSUPP;
	do {
		size = iov_iter_single_seg_count(to);
		part = device_read_part(iocb, to);
		if (part < 0)
			return done ?: part;
		done += part;
		iov_iter_advance(to, part);
	} while (part == size && iov_iter_count(to));
	return done;
}
