/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the fast paths of VPMC_START, VPMC_STOP and VPMC_READ for the
 * calling thread. They do not take the handle's lock.
 */
#ifndef VPMC_OWN_IOCTL_H
#define VPMC_OWN_IOCTL_H

#include <linux/compiler.h>
#include <linux/uaccess.h>

#include "device/copy.h"
#include "device/handle.h"
#include "calls/own.h"
#include "uapi/linux/vpmc.h"

/*
 * Carry out the call on @h with its argument at @arg, if it is the common case (own.h).
 * Returns 0, -EFAULT if the answer cannot be written any more, or -EAGAIN. On -EAGAIN
 * nothing has changed, and the caller takes the slow path. May sleep.
 */
int vpmc_own_ioctl_start(const struct vpmc_handle *h, void __user *arg);
int vpmc_own_ioctl_stop(const struct vpmc_handle *h, void __user *arg);

/*
 * Write the counts of @t to the fields of @user that read(2) also has. No counts of @t
 * are missing. The caller has called user_access_begin() or an equivalent. Returns
 * whether the counts could be written.
 */
static __always_inline bool vpmc_own_ioctl_put(struct vpmc_read __user *user,
					       const struct vpmc_thread *t)
{
	const struct vpmc_events *events = t->events;
	u32 i, nr = events->nr;

	unsafe_put_user(0, &user->other_events, fault);
	unsafe_put_user(0, &user->revoked, fault);
	/* VPMC_THREAD_GAP_NOTED is not set while the thread counts. */
	unsafe_put_user(t->stopped, &user->stopped, fault);
	unsafe_put_user(0, &user->unwaited, fault);
	if (!vpmc_copy_put_at(&user->generation, &t->generation) ||
	    !vpmc_copy_put_at(&user->start, &t->identity) ||
	    !vpmc_copy_put_at(&user->tsc, &t->tsc) ||
	    !vpmc_copy_put_at(&user->count[0], vpmc_own_sum(t, events, 0)))
		return false;
	/* The upper limit is constant, so that the compiler unrolls the loop. */
	for (i = 1; i < VPMC_SMALL_EVENTS; i++) {
		if (unlikely(i < nr) &&
		    !vpmc_copy_put_at(&user->count[i],
				      vpmc_own_sum(t, events, i)))
			return false;
	}
	return true;
fault:
	return false;
}

/*
 * Like vpmc_own_ioctl_put(), but also begin the access and write the preceding fields.
 * With @times, also write the times; each event has been counted all the time. @end is
 * the offset of the end of the last field that is written.
 */
static __always_inline bool
vpmc_own_ioctl_put_whole(struct vpmc_read __user *user,
			 const struct vpmc_thread *t, u32 size, size_t end,
			 bool times)
{
	u32 i, nr = t->events->nr;

	if (size < end || !user_write_access_begin(user, end))
		return false;
	unsafe_put_user(VPMC_STATE_RUNNING, &user->state, fault);
	unsafe_put_user(nr, &user->nr_counts, fault);
	unsafe_put_user(0, &user->running, fault);
	if (!vpmc_own_ioctl_put(user, t))
		goto fault;
	for (i = 0; times && i < nr; i++) {
		if (!vpmc_copy_put_at(&user->time[i], &t->tsc))
			goto fault;
	}
	user_write_access_end();
	return true;
fault:
	user_write_access_end();
	return false;
}

/*
 * Call vpmc_own_ioctl_put_whole(), with times if the caller's structure does not end
 * after the counts.
 */
static __always_inline bool
vpmc_own_ioctl_put_sized(struct vpmc_read __user *user,
			 const struct vpmc_thread *t, u32 size)
{
	u32 nr = t->events->nr;

	if (size <= offsetof(struct vpmc_read, time))
		return vpmc_own_ioctl_put_whole(user, t, size,
						offsetof(struct vpmc_read,
							 count[nr]),
						false);
	return vpmc_own_ioctl_put_whole(user, t, size,
					offsetof(struct vpmc_read, time[nr]),
					true);
}

/*
 * Answer VPMC_READ of VPMC_SCOPE_THREAD on @h. @size is the size of the caller's
 * structure. Returns false if this is not the common case or the answer cannot be
 * written without a page fault; the caller then uses vpmc_device_read_counts().
 */
static __always_inline bool vpmc_own_ioctl_read(const struct vpmc_handle *h,
						struct vpmc_read __user *user,
						u32 size)
{
	const struct vpmc_thread *t = vpmc_handle_begin_own(h);
	bool done;

	if (unlikely(!t))
		return false;
	done = vpmc_own_ioctl_put_sized(user, t, size);
	vpmc_own_end();
	return done;
}

#endif /* VPMC_OWN_IOCTL_H */
