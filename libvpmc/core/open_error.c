// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Compose the error of a device that cannot be opened. Look for the reason only after
 * open(2) has failed.
 */
#include <errno.h>
#include <linux/vpmc.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>

#include "base/internal.h"

/*
 * Return whether the driver is loaded. Containers see the kernel's list of drivers, although their
 * /dev has few devices.
 */
static bool is_loaded(void)
{
	FILE *list = fopen("/proc/misc", "re");
	bool found = false;
	char name[32];

	if (!list)
		return false;
	while (!found && fscanf(list, "%*u %31s", name) == 1)
		found = !strcmp(name, "vpmc");
	fclose(list);
	return found;
}

static bool forbids_devices(void)
{
	struct statvfs mount;

	return !statvfs(VPMC_DEVICE, &mount) && mount.f_flag & ST_NODEV;
}

static int fail_missing(struct vpmc_error *err)
{
	if (is_loaded())
		return vpmcint_fail(err, VPMC_E_NO_DEVICE,
				    "there is no " VPMC_DEVICE
				    " here, though the driver is loaded: pass"
				    " the device to this container (--device"
				    " " VPMC_DEVICE
				    "), or bind-mount it from the"
				    " host's /dev");
	return vpmcint_fail(err, VPMC_E_NO_DEVICE,
			    "there is no " VPMC_DEVICE
			    ": boot a kernel that has the vpmc patches"
			    " and load the driver with \"modprobe"
			    " vpmc\" (if it refuses, dmesg says why)");
}

static int fail_access(struct vpmc_error *err)
{
	if (forbids_devices())
		return vpmcint_fail(err, VPMC_E_PERMISSION,
				    "cannot open " VPMC_DEVICE
				    ": its file system is mounted with"
				    " \"nodev\", which forbids all devices, so"
				    " mount it with \"dev\", or bind-mount"
				    " the device from the host's /dev");
	return vpmcint_fail(err, VPMC_E_PERMISSION,
			    "no permission to open " VPMC_DEVICE
			    ": ask for read access to it");
}

int vpmcint_fail_open(struct vpmc_error *err)
{
	switch (errno) {
	case ENOENT:
		return fail_missing(err);
	case ENODEV:
	case ENXIO:
		return vpmcint_fail(err, VPMC_E_NO_DEVICE,
				    "there is no driver behind " VPMC_DEVICE
				    ": load it with \"modprobe vpmc\" (if it"
				    " refuses, dmesg says why)");
	case EACCES:
		return fail_access(err);
	case EPERM:
		return vpmcint_fail(err, VPMC_E_PERMISSION,
				    "no permission to open " VPMC_DEVICE
				    ": the devices that this container or"
				    " service may use lack it, so allow it"
				    " there (--device " VPMC_DEVICE
				    ", DeviceAllow=" VPMC_DEVICE ")");
	default:
		return vpmcint_fail_errno(err, "open " VPMC_DEVICE);
	}
}
