// SPDX-License-Identifier: LGPL-2.1-or-later
/* Describe the processor: PCL_driver_info(). */
#include <stdio.h>

#include "descr.h"

int PCL_driver_info(PCL_PROCESSOR_INFO *info)
{
	static _Thread_local struct vpmc_machine machine;
	static _Thread_local char model[64];

	if (!info)
		return PCL_FAILURE;
	if (!vpmc_pmu_here(&machine))
		return PCL_NOT_SUPPORTED;
	snprintf(model, sizeof(model), "family %u model %u stepping %u",
		 machine.family, machine.model, machine.stepping);
	info->vendor = machine.vendor;
	info->family = machine.pmu;
	info->model = model;
	info->mhz = pclint_mhz();
	info->ncounters = (int)(machine.counters + machine.fixed);
	return PCL_SUCCESS;
}
