// SPDX-License-Identifier: GPL-2.0-only
/* Reads of /dev/vpmc. See device_read.h. */
#include <linux/build_bug.h>
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/uaccess.h>

#include "copy.h"
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
	/* There is no room for times: counts that need them are refused. */
	read.size = offsetof(struct vpmc_read, time);
	read.scope = VPMC_SCOPE_THREAD;
	err = vpmc_device_read_counts(h, &read);
	if (err)
		return err;
	used = offsetof(struct vpmc_thread_counts, count[read.nr_counts]);
	if (size < used)
		return -EINVAL;
	return vpmc_copy_counts((void __user *)buffer - PART, &read, false) ?:
	       used;
}
