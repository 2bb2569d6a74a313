// SPDX-License-Identifier: GPL-2.0-only
/* The calls of system mode on /dev/vpmc. */
#include <linux/capability.h>
#include <linux/err.h>

#include "copy.h"
#include "device.h"
#include "system.h"

static int start(struct vpmc_handle *h, struct vpmc_start *start)
{
	struct vpmc_events *events;
	int err;

	events = vpmc_start_events(start, !(start->flags & ~VPMC_START_FORCE));
	if (IS_ERR(events))
		return PTR_ERR(events);
	err = vpmc_system_start(h, events, start->flags & VPMC_START_FORCE,
				&start->generation);
	if (err)
		vpmc_events_put(events);
	return err;
}

static long ioctl_stop(struct vpmc_handle *h, void __user *arg)
{
	struct vpmc_stop stop;
	u32 size;
	int err;

	err = vpmc_copy_in(&stop, sizeof(stop), sizeof(stop), arg, &size);
	if (err)
		return err;
	if (stop.flags)
		return -EINVAL;
	err = vpmc_system_stop(h, &stop.generation);
	return err ?: vpmc_copy_out(arg, &stop, sizeof(stop), size);
}

static long ioctl_read(struct vpmc_handle *h, void __user *arg)
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

static long privileged(struct vpmc_handle *h, unsigned int cmd,
		       void __user *arg)
{
	switch (cmd) {
	case VPMC_SYSTEM_START:
		return vpmc_ioctl_start(h, arg, start);
	case VPMC_SYSTEM_STOP:
		return ioctl_stop(h, arg);
	default:
		return ioctl_read(h, arg);
	}
}

long vpmc_system_ioctl(struct vpmc_handle *h, unsigned int cmd,
		       void __user *arg)
{
	switch (cmd) {
	case VPMC_SYSTEM_START:
	case VPMC_SYSTEM_STOP:
	case VPMC_SYSTEM_READ:
		return perfmon_capable() ? privileged(h, cmd, arg) : -EPERM;
	default:
		return -ENOTTY;
	}
}
