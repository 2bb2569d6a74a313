// SPDX-License-Identifier: GPL-2.0-only
/* This file implements the calls of system mode on /dev/vpmc. */
#include <linux/err.h>
#include <linux/lockdep.h>

#include "process/access.h"
#include "device/copy.h"
#include "device/handle.h"
#include "system/release.h"
#include "device/start_ioctl.h"
#include "system/system.h"
#include "device/system_device.h"

/*
 * Refuse a set in which events start others, because a processor's count goes on from the events of
 * all threads.
 */
static int system_device_refuse(struct vpmc_start *start, struct vpmc_events *events)
{
	vpmc_events_put(events);
	start->error = VPMC_REASON_CASCADE;
	start->error_event = 0;
	return -EINVAL;
}

static int system_device_start(struct vpmc_handle *h, struct vpmc_start *start)
{
	struct vpmc_events *events;
	int err;

	events = vpmc_start_ioctl_events(start,
					 !(start->flags & ~VPMC_START_FORCE),
					 NULL);
	if (IS_ERR(events))
		return PTR_ERR(events);
	if (events->cascades)
		return system_device_refuse(start, events);
	err = vpmc_system_start(h, events, start->flags & VPMC_START_FORCE,
				&start->generation);
	if (err) {
		vpmc_events_put(events);
		return err;
	}
	start->start = start->generation;
	start->self_start = start->generation;
	return 0;
}

static long system_device_stop(struct vpmc_handle *h, void __user *arg)
{
	struct vpmc_stop stop;
	int err;

	err = vpmc_copy_in_answerable(&stop, sizeof(stop), arg);
	if (err)
		return err;
	if (stop.flags)
		return -EINVAL;
	err = vpmc_system_stop(h, &stop.generation);
	stop.start = stop.generation;
	return err ?: vpmc_copy_out(arg, &stop, sizeof(stop), sizeof(stop));
}

static long system_device_read(struct vpmc_handle *h, void __user *arg)
{
	struct vpmc_system_read read;
	u32 size, used;
	int err;

	err = vpmc_copy_in(&read, sizeof(read),
			   offsetof(struct vpmc_system_read, count), arg,
			   &size);
	if (err)
		return err;
	if (read.flags)
		return -EINVAL;
	read = (struct vpmc_system_read){ .size = size, .cpu = read.cpu };
	err = vpmc_system_read(h, &read);
	if (err)
		return err;
	used = offsetof(struct vpmc_system_read, count[read.nr_counts]);
	if (size < used)
		return -EINVAL;
	return vpmc_copy_out(arg, &read, used, size);
}

static long system_device_release(void __user *arg)
{
	struct vpmc_release release;
	int err;

	err = vpmc_copy_in_answerable(&release, sizeof(release), arg);
	if (err)
		return err;
	if (release.flags)
		return -EINVAL;
	return vpmc_release_counters();
}

static long system_device_call(struct vpmc_handle *h, unsigned int cmd,
			       void __user *arg)
{
	switch (cmd) {
	case VPMC_SYSTEM_START:
		return vpmc_start_ioctl(h, arg, system_device_start);
	case VPMC_SYSTEM_STOP:
		return system_device_stop(h, arg);
	case VPMC_RELEASE:
		return system_device_release(arg);
	default:
		return system_device_read(h, arg);
	}
}

long vpmc_system_device_ioctl(struct vpmc_handle *h, unsigned int cmd,
			      void __user *arg)
{
	int err;

	lockdep_assert_held(&h->lock);
	switch (cmd) {
	case VPMC_SYSTEM_START:
	case VPMC_SYSTEM_STOP:
	case VPMC_SYSTEM_READ:
	case VPMC_RELEASE:
		err = vpmc_access_may_use_system();
		return err ?: system_device_call(h, cmd, arg);
	default:
		return -ENOTTY;
	}
}
