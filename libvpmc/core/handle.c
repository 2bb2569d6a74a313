// SPDX-License-Identifier: LGPL-2.1-or-later
/* Open, close and describe the device. */
#include <errno.h>
#include <fcntl.h>
#include <linux/vpmc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/internal.h"

static int get_info(int fd, struct vpmc_info *info, struct vpmc_error *err)
{
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	if (ioctl(fd, VPMC_INFO, info))
		return vpmcint_fail_errno(err, "ask " VPMC_DEVICE
					       " for its counters");
	info->pmu[sizeof(info->pmu) - 1] = '\0';
	return 0;
}

static int recognise(int fd, const struct vpmc_pmu **pmu,
		     struct vpmc_error *err)
{
	struct vpmc_info info;
	int ret = get_info(fd, &info, err);

	if (ret)
		return ret;
	if (info.abi_version != VPMC_ABI_VERSION)
		return vpmcint_fail(
			err, VPMC_E_ABI,
			"the loaded vpmc driver has interface"
			" version %u and libvpmc knows version %u:"
			" install driver and library of one version",
			info.abi_version, VPMC_ABI_VERSION);

	*pmu = vpmcint_pmu_find(info.pmu, info.nr_counters + info.nr_fixed,
				info.nr_fixed);
	if (!*pmu)
		return vpmcint_fail(err, VPMC_E_UNSUPPORTED,
				    "libvpmc has no events for this"
				    " processor's counters (%s, %u of them and"
				    " %u fixed ones): install a newer libvpmc",
				    info.pmu, info.nr_counters, info.nr_fixed);
	return 0;
}

/*
 * Only the rings of samples need the right to write. Without this right, open the device only for
 * reading.
 */
static int open_device(void)
{
	int fd = open(VPMC_DEVICE, O_RDWR | O_CLOEXEC);

	return fd < 0 && errno == EACCES
		       ? open(VPMC_DEVICE, O_RDONLY | O_CLOEXEC)
		       : fd;
}

int vpmc_open(struct vpmc **vpmc, struct vpmc_error *err)
{
	struct vpmc *handle = calloc(1, sizeof(*handle));
	int ret;

	if (!handle)
		return vpmcint_fail(err, VPMC_E_MEMORY,
				    "cannot open " VPMC_DEVICE
				    ": out of memory");

	handle->fd = open_device();
	if (handle->fd < 0) {
		ret = vpmcint_fail_open(err);
		goto free_handle;
	}

	ret = recognise(handle->fd, &handle->pmu, err);
	if (ret)
		goto close_fd;

	*vpmc = handle;
	return 0;

close_fd:
	close(handle->fd);
free_handle:
	free(handle);
	return ret;
}

void vpmc_close(struct vpmc *vpmc)
{
	int saved = errno;

	if (!vpmc)
		return;
	close(vpmc->fd);
	free(vpmc);
	errno = saved;
}

int vpmc_fd(const struct vpmc *vpmc)
{
	return vpmc->fd;
}

const struct vpmc_pmu *vpmc_pmu_of(const struct vpmc *vpmc)
{
	return vpmc->pmu;
}

int vpmc_info_sized(struct vpmc *vpmc, struct vpmc_machine *machine,
		    size_t size, struct vpmc_error *err)
{
	struct vpmc_machine found = { .abi = 0 };
	struct vpmc_info info;
	int ret = get_info(vpmc->fd, &info, err);

	if (ret)
		return ret;

	memcpy(found.pmu, info.pmu, sizeof(found.pmu));
	found.abi = info.abi_version;
	found.counters = info.nr_counters;
	found.fixed = info.nr_fixed;
	found.counter_bits = info.counter_bits;
	found.rdpmc = !!(info.features & VPMC_FEATURE_RDPMC);
	found.generation = info.generation;
	found.system = !!info.system;
	found.map = !!(info.features & VPMC_FEATURE_MAP);
	vpmcint_identify(&found);
	vpmcint_hand_over(machine, size, &found, sizeof(found));
	return 0;
}

int vpmcint_in_system_mode(const struct vpmc *vpmc)
{
	struct vpmc_info info = { .size = sizeof(info) };

	return !ioctl(vpmc->fd, VPMC_INFO, &info) && info.system;
}

_Static_assert(sizeof(((struct vpmc_machine *)0)->pmu) ==
		       sizeof(((struct vpmc_info *)0)->pmu),
	       "the driver's name of the counters fits");
