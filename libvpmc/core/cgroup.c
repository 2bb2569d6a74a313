// SPDX-License-Identifier: LGPL-2.1-or-later
/* Collect the processes of a cgroup. */
#include <errno.h>
#include <linux/vpmc.h>
#include <sys/ioctl.h>

#include "base/internal.h"

static int fail_cgroup(struct vpmc_error *err)
{
	switch (errno) {
	case EPERM:
		return vpmcint_fail(
			err, VPMC_E_PERMISSION,
			"no permission to count a cgroup: that"
			" needs CAP_PERFMON or CAP_SYS_ADMIN, so run"
			" it as root or with one of the two");
	case EBADF:
		return vpmcint_fail(err, VPMC_E_ARGUMENT,
				    "cannot count the cgroup: the descriptor is"
				    " not of a directory of cgroup version 2,"
				    " so open one below /sys/fs/cgroup");
	case EINVAL:
		return vpmcint_fail(
			err, VPMC_E_ARGUMENT,
			"cannot count the cgroup: it is threaded, so"
			" it may have only some threads of a process;"
			" count the lowest cgroup above it that is not"
			" threaded");
	case ENODATA:
		return vpmcint_fail(err, VPMC_E_NOT_STARTED,
				    "cannot count the cgroup: the handle"
				    " does not collect, so first start it with"
				    " VPMC_COLLECT");
	case EBUSY:
		return vpmcint_fail(err, VPMC_E_BUSY,
				    "cannot count the cgroup: the handle has"
				    " one already, so open another handle");
	case EOPNOTSUPP:
		return vpmcint_fail(err, VPMC_E_UNSUPPORTED,
				    "cannot count the cgroup: the kernel was"
				    " built without CONFIG_CGROUPS");
	default:
		return vpmcint_fail_errno(err, "count the cgroup");
	}
}

int vpmc_cgroup(struct vpmc *vpmc, int fd, struct vpmc_error *err)
{
	struct vpmc_cgroup cgroup = { .size = sizeof(cgroup), .fd = fd };

	return ioctl(vpmc->fd, VPMC_CGROUP, &cgroup) ? fail_cgroup(err) : 0;
}
