// SPDX-License-Identifier: LGPL-2.1-or-later
/* Implement PCL's low-level interface, PCL_driver_open() to PCL_driver_close(). */
#include <string.h>

#include "descr.h"

int PCL_driver_open(PCL_DESCR_TYPE descr)
{
	if (!pclint_is_own(descr) || descr->driver != PCLINT_CLOSED)
		return PCL_FAILURE;
	descr->driver = PCLINT_OPEN;
	return PCL_SUCCESS;
}

/* Returns the counters in a mask, or 0 if the highest number is invalid. */
static PCL_BIT_MASK_TYPE limit_mask(int max_counter, PCL_BIT_MASK_TYPE mask)
{
	if (max_counter < 0 || max_counter > PCL_COUNTER_MAX)
		return 0;
	if (max_counter == PCL_COUNTER_MAX)
		max_counter--;
	return mask & (PCL_BIT_MASK_TYPE)((2ULL << max_counter) - 1);
}

int PCL_driver_start(PCL_DESCR_TYPE descr, int max_counter,
		     PCL_BIT_MASK_TYPE counter_used_mask,
		     const PCL_DRIVER_COMMAND_TYPE *commands,
		     unsigned int count_mode)
{
	const PCL_BIT_MASK_TYPE mask =
		limit_mask(max_counter, counter_used_mask);
	struct vpmc_event_sel sel[PCL_COUNTER_MAX];
	unsigned int index[PCL_COUNTER_MAX] = { 0 };
	unsigned int modes, nr = 0;
	int status, i;

	if (!pclint_is_own(descr) || descr->depth || !mask || !commands ||
	    (descr->driver != PCLINT_OPEN && descr->driver != PCLINT_STOPPED))
		return PCL_FAILURE;
	status = pclint_modes(count_mode, &modes);
	if (status)
		return status;
	for (i = 0; i < PCL_COUNTER_MAX; i++) {
		if (!(mask >> i & 1))
			continue;
		sel[nr++] = (struct vpmc_event_sel){ .code = commands[i],
						     .counter = i,
						     .modes = modes };
		index[i] = nr;
	}
	status = pclint_start(descr, sel, nr);
	if (status)
		return status;
	memcpy(descr->index, index, sizeof(index));
	descr->driver = PCLINT_STARTED;
	return PCL_SUCCESS;
}

int PCL_driver_read(PCL_DESCR_TYPE descr, int max_counter,
		    PCL_BIT_MASK_TYPE counter_used_mask,
		    PCL_CNT_TYPE *counter_values)
{
	const PCL_BIT_MASK_TYPE mask =
		limit_mask(max_counter, counter_used_mask);
	struct vpmc_counts counts;
	int i;

	if (!pclint_is_own(descr) || !mask || !counter_values ||
	    descr->driver < PCLINT_STARTED)
		return PCL_FAILURE;
	for (i = 0; i < PCL_COUNTER_MAX; i++) {
		if (mask >> i & 1 && !descr->index[i])
			return PCL_FAILURE;
	}
	if (vpmc_read(descr->vpmc, VPMC_THREAD, &counts, NULL))
		return PCL_FAILURE;
	for (i = 0; i < PCL_COUNTER_MAX; i++) {
		if (mask >> i & 1)
			counter_values[i] =
				(PCL_CNT_TYPE)counts.count[descr->index[i] - 1];
	}
	return PCL_SUCCESS;
}

int PCL_driver_stop(PCL_DESCR_TYPE descr)
{
	if (!pclint_is_own(descr) || descr->driver != PCLINT_STARTED)
		return PCL_FAILURE;
	descr->driver = PCLINT_STOPPED;
	return vpmc_stop(descr->vpmc, NULL) ? PCL_FAILURE : PCL_SUCCESS;
}

int PCL_driver_close(PCL_DESCR_TYPE descr)
{
	if (!pclint_is_own(descr) || descr->driver == PCLINT_CLOSED)
		return PCL_FAILURE;
	if (descr->driver == PCLINT_STARTED)
		vpmc_stop(descr->vpmc, NULL);
	descr->driver = PCLINT_CLOSED;
	return PCL_SUCCESS;
}
