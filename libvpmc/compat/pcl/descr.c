// SPDX-License-Identifier: LGPL-2.1-or-later
/* Create and free PCL's handles: PCLinit(), PCLexit(), and the checks that all calls share. */
#include "descr.h"

#include <linux/capability.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * Returns the kernel's number of the thread. When this thread has exited, its identifier in the C
 * library may soon belong to another thread.
 */
static pid_t own_tid(void)
{
	return (pid_t)syscall(SYS_gettid);
}

bool pclint_is_own(PCL_DESCR_TYPE descr)
{
	return descr && descr->tid == own_tid();
}

static int init_processor(struct pclint_processor *processor, struct vpmc *vpmc)
{
	processor->pmu = vpmc_pmu_of(vpmc);
	processor->mhz = pclint_mhz();
	if (vpmc_info(vpmc, &processor->machine, NULL))
		return PCL_FAILURE;
	processor->family = pclint_family_of(&processor->machine);
	return PCL_SUCCESS;
}

int PCLinit(PCL_DESCR_TYPE *addr_descr)
{
	PCL_DESCR_TYPE descr;

	if (!addr_descr)
		return PCL_FAILURE;
	*addr_descr = NULL;
	descr = calloc(1, sizeof(*descr));
	if (!descr)
		return PCL_FAILURE;
	if (vpmc_open(&descr->vpmc, NULL)) {
		free(descr);
		return PCL_FAILURE;
	}
	if (init_processor(&descr->processor, descr->vpmc)) {
		vpmc_close(descr->vpmc);
		free(descr);
		return PCL_FAILURE;
	}
	descr->tid = own_tid();
	*addr_descr = descr;
	return PCL_SUCCESS;
}

int PCLexit(PCL_DESCR_TYPE descr)
{
	if (!pclint_is_own(descr))
		return PCL_FAILURE;
	/*
	 * A plan without events has not started a count, so a present count belongs to
	 * another user of the counters.
	 */
	if ((descr->depth && descr->plan.nr_sel) ||
	    descr->driver == PCLINT_STARTED)
		vpmc_stop(descr->vpmc, NULL);
	vpmc_close(descr->vpmc);
	free(descr);
	return PCL_SUCCESS;
}

/*
 * Return whether the thread probably has the right to count the kernel. Only the driver knows for
 * certain, but PCLquery() does not ask the driver.
 */
static bool may_count_kernel(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3
	};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };

	if (syscall(SYS_capget, &header, data))
		return false;
	return data[CAP_TO_INDEX(CAP_PERFMON)].effective &
		       CAP_TO_MASK(CAP_PERFMON) ||
	       data[CAP_TO_INDEX(CAP_SYS_ADMIN)].effective &
		       CAP_TO_MASK(CAP_SYS_ADMIN);
}

int pclint_modes(unsigned int mode, unsigned int *modes)
{
	if (!mode || mode & ~PCL_MODE_USER_SYSTEM)
		return PCL_MODE_NOT_SUPPORTED;
	if (mode & PCL_MODE_SYSTEM && !may_count_kernel())
		return PCL_MODE_NOT_SUPPORTED;
	*modes = (mode & PCL_MODE_USER ? VPMC_USER : 0) |
		 (mode & PCL_MODE_SYSTEM ? VPMC_KERNEL : 0);
	return PCL_SUCCESS;
}

int pclint_start(PCL_DESCR_TYPE descr, const struct vpmc_event_sel *sel,
		 size_t nr)
{
	int code;

	if (!nr)
		return PCL_SUCCESS;
	code = vpmc_start(descr->vpmc, sel, nr, 0, NULL);
	if (code == VPMC_E_PERMISSION && sel[0].modes & VPMC_KERNEL)
		return PCL_MODE_NOT_SUPPORTED;
	return pclint_status(code);
}
