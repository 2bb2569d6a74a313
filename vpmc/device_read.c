// SPDX-License-Identifier: GPL-2.0-only
/* read(2) of /dev/vpmc: a thread's counts, and nothing to fill in before. */
#include <linux/build_bug.h>
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/uaccess.h>

#include "device_read.h"
#include "handle.h"
#include "read.h"

/* The structure is a part of the one that VPMC_READ fills in. */
#define PART offsetof(struct vpmc_read, other_events)

static_assert(offsetof(struct vpmc_read, time) - PART ==
	      sizeof(struct vpmc_thread_counts));
static_assert(offsetof(struct vpmc_read, count) - PART ==
	      offsetof(struct vpmc_thread_counts, count));
static_assert(offsetof(struct vpmc_read, generation) - PART ==
	      offsetof(struct vpmc_thread_counts, generation));

/* @read has no room for times: counts that need them are refused. */
static int device_read_thread(const struct vpmc_handle *h,
			      struct vpmc_read *read)
{
	struct vpmc_subject subject;

	read->size = offsetof(struct vpmc_read, time);
	read->scope = VPMC_SCOPE_THREAD;
	return vpmc_handle_subject(h, read->scope, &subject) ?:
	       vpmc_read_counts(&subject, read);
}

ssize_t vpmc_device_read(struct file *file, char __user *buffer, size_t size,
			 loff_t *offset)
{
	/* Large. All that is copied is filled in before. */
	struct vpmc_read read __uninitialized;
	struct vpmc_handle *h = file->private_data;
	size_t used;
	int err;

	/* It may be the standard input of a program that was given rights. */
	if (file->f_cred != current_cred())
		return -EACCES;
	if (mutex_lock_killable(&h->lock))
		return -EINTR;
	err = device_read_thread(h, &read);
	mutex_unlock(&h->lock);
	if (err)
		return err;
	used = offsetof(struct vpmc_thread_counts, count[read.nr_counts]);
	if (size < used)
		return -EINVAL;
	return copy_to_user(buffer, &read.other_events, used) ? -EFAULT : used;
}
