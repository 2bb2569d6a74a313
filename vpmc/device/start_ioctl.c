// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file implements the common part of the ioctls whose argument is a struct
 * vpmc_start.
 */
#include <linux/err.h>
#include <linux/lockdep.h>

#include "process/access.h"
#include "cpu/assign.h"
#include "device/copy.h"
#include "cpu/events.h"
#include "device/handle.h"
#include "device/start_ioctl.h"

/*
 * Obtain the set of events. A process that other tasks must not watch does not share its
 * set, because these tasks could notice which events it counts.
 */
static struct vpmc_events *start_ioctl_obtain(struct vpmc_start *start,
					      bool multiplex,
					      struct vpmc_rings *rings,
					      enum vpmc_reason *reason)
{
	if (unlikely(!vpmc_access_is_watchable()))
		return vpmc_events_create(start->event, start->nr_events,
					  multiplex, rings, reason,
					  &start->error_event);
	return vpmc_events_obtain(start->event, start->nr_events, multiplex,
				  rings, reason, &start->error_event);
}

struct vpmc_events *vpmc_start_ioctl_events(struct vpmc_start *start,
					    bool flags_fit,
					    struct vpmc_rings *rings)
{
	struct vpmc_events *events = ERR_PTR(-EINVAL);
	enum vpmc_reason reason = VPMC_REASON_FLAGS;
	bool multiplex = start->flags & VPMC_START_MULTIPLEX;

	start->error_event = 0;
	if (flags_fit && !start->pad) {
		vpmc_assign_counters(start->event,
				     min(start->nr_events, VPMC_MAX_EVENTS),
				     multiplex);
		events = start_ioctl_obtain(start, multiplex, rings,
					    &reason);
	}
	start->error = reason;
	return events;
}

/* Copy the argument in. Events beyond the caller's size are zero. */
static int start_ioctl_copy_in(struct vpmc_start *start,
			       struct vpmc_start __user *arg)
{
	u32 size, used;
	int err;

	err = vpmc_copy_check_size(sizeof(*start),
				   offsetof(struct vpmc_start, event), arg,
				   &size);
	if (err)
		return err;
	size = min(size, sizeof(*start));
	if (copy_from_user(start, arg, size))
		return -EFAULT;
	used = offsetof(struct vpmc_start,
			event[min(start->nr_events, VPMC_MAX_EVENTS)]);
	if (size < used)
		memset((void *)start + size, 0, used - size);
	return 0;
}

static int start_ioctl_refuse(struct vpmc_start __user *arg,
			      const struct vpmc_start *start)
{
	if (put_user(start->error, &arg->error) ||
	    put_user(start->error_event, &arg->error_event))
		return -EFAULT;
	return -EINVAL;
}

/* Check that the first and the last field of the answer can be written. */
static int start_ioctl_probe(struct vpmc_start __user *arg,
			     const struct vpmc_start *start)
{
	if (!user_write_access_begin(arg, offsetof(struct vpmc_start, event)))
		return -EFAULT;
	unsafe_put_user(start->error, &arg->error, fault);
	unsafe_put_user(start->self_start, &arg->self_start, fault);
	user_write_access_end();
	return 0;
fault:
	user_write_access_end();
	return -EFAULT;
}

long vpmc_start_ioctl(struct vpmc_handle *h, void __user *arg,
		      int (*start)(struct vpmc_handle *, struct vpmc_start *))
{
	/*
	 * This structure is large, so it is not cleared. start_ioctl_copy_in() fills in
	 * all fields that are used.
	 */
	struct vpmc_start args __uninitialized;
	int err;

	lockdep_assert_held(&h->lock);
	err = start_ioctl_copy_in(&args, arg) ?: start_ioctl_probe(arg, &args);
	if (err)
		return err;
	err = start(h, &args);
	if (err == -EINVAL)
		return start_ioctl_refuse(arg, &args);
	return err ?: vpmc_copy_start_out(arg, args.generation, args.start,
					  args.self_start);
}
