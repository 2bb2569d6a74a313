// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file implements the common cases of VPMC_START and VPMC_STOP for the calling
 * thread.
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

#include "calls/control.h"
#include "device/copy.h"
#include "cpu/events.h"
#include "device/handle.h"
#include "calls/own.h"
#include "device/own_ioctl.h"
#include "uapi/linux/vpmc.h"

/*
 * Copy the events in, if there are at most VPMC_SMALL_EVENTS and the flags are @wanted.
 * Check that the answer can be written, like vpmc_start_ioctl(). Returns the number of
 * events, or 0.
 */
static __always_inline u32 own_ioctl_copy_in(struct vpmc_event *event,
					     struct vpmc_start __user *user,
					     const u32 wanted)
{
	u32 size, flags, nr, error, pad, i;
	u64 self;

	if (!user_access_begin(user, offsetof(struct vpmc_start,
					      event[VPMC_SMALL_EVENTS])))
		return 0;
	unsafe_get_user(size, &user->size, fault);
	unsafe_get_user(flags, &user->flags, fault);
	unsafe_get_user(nr, &user->nr_events, fault);
	unsafe_get_user(pad, &user->pad, fault);
	if ((flags ^ wanted) | pad || nr > VPMC_SMALL_EVENTS || size > sizeof(*user) ||
	    size < offsetof(struct vpmc_start, event[nr]))
		goto fault;
	for (i = 0; i < nr; i++) {
		unsafe_get_user(event[i].code, &user->event[i].code, fault);
		unsafe_get_user(event[i].counter, &user->event[i].counter,
				fault);
		unsafe_get_user(event[i].modes, &user->event[i].modes, fault);
		unsafe_get_user(event[i].period, &user->event[i].period,
				fault);
		unsafe_get_user(event[i].extra, &user->event[i].extra, fault);
	}
	unsafe_get_user(error, &user->error, fault);
	unsafe_put_user(error, &user->error, fault);
	unsafe_get_user(self, &user->self_start, fault);
	unsafe_put_user(self, &user->self_start, fault);
	user_access_end();
	return nr;
fault:
	user_access_end();
	return 0;
}

/* Start again from zero while the thread is counting. */
static noinline int own_ioctl_restart(void __user *arg)
{
	struct vpmc_event event[VPMC_SMALL_EVENTS] __uninitialized;
	u32 nr = own_ioctl_copy_in(event, arg, VPMC_START_FORCE);
	u64 number;

	if (!nr || !vpmc_own_restart(event, nr, &number))
		return -EAGAIN;
	return vpmc_copy_start_out(arg, number, number, number);
}

/*
 * Resume or restart. This function is separate, so that it does not slow down the more
 * frequent start from zero after a stop.
 */
static noinline int own_ioctl_resume(void __user *arg)
{
	struct vpmc_event event[VPMC_SMALL_EVENTS] __uninitialized;
	struct vpmc_answer answer __uninitialized;
	u32 nr = own_ioctl_copy_in(event, arg, VPMC_START_RESUME);

	if (!nr)
		return own_ioctl_restart(arg);
	if (!vpmc_own_resume(event, nr, &answer))
		return -EAGAIN;
	return vpmc_copy_start_out(arg, answer.generation, answer.identity,
				   answer.self);
}

int vpmc_own_ioctl_start(const struct vpmc_handle *h, void __user *arg)
{
	struct vpmc_event event[VPMC_SMALL_EVENTS] __uninitialized;
	u64 number;
	u32 nr;

	/* A file that is not bound yet is bound by the slow path. */
	if (!READ_ONCE(h->process) || !vpmc_handle_reads_own(h))
		return -EAGAIN;
	nr = own_ioctl_copy_in(event, arg, 0);
	if (!nr)
		return own_ioctl_resume(arg);
	if (!vpmc_own_start(event, nr, &number))
		return -EAGAIN;
	return vpmc_copy_start_out(arg, number, number, number);
}

/*
 * Check that the size is right, that no flags are set, and that the answer can be
 * written.
 */
static __always_inline bool own_ioctl_is_stop(struct vpmc_stop __user *user)
{
	u32 size, flags, word;

	if (!user_access_begin(user, sizeof(*user)))
		return false;
	unsafe_get_user(size, &user->size, fault);
	unsafe_get_user(flags, &user->flags, fault);
	if (size != sizeof(*user) || flags)
		goto fault;
	unsafe_put_user(size, &user->size, fault);
	unsafe_get_user(word, (u32 __user *)(user + 1) - 1, fault);
	unsafe_put_user(word, (u32 __user *)(user + 1) - 1, fault);
	user_access_end();
	return true;
fault:
	user_access_end();
	return false;
}

int vpmc_own_ioctl_stop(const struct vpmc_handle *h, void __user *arg)
{
	struct vpmc_answer answer __uninitialized;

	if (!vpmc_handle_reads_own(h) || !own_ioctl_is_stop(arg) ||
	    !vpmc_own_stop(&answer))
		return -EAGAIN;
	return vpmc_copy_stop_out(arg, answer.generation, answer.identity);
}
