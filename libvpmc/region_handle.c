// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Regions: the handle with which all threads of a process read their counts.
 */
#include <pthread.h>

#define VPMC_REGION_NO_PROBE
#include "region_handle.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Nothing is started on it. */
static struct vpmc *handle;

void vpmcint_region_lock(void)
{
	pthread_mutex_lock(&lock);
}

void vpmcint_region_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

int vpmcint_region_open_handle(struct vpmc_error *err)
{
	int ret = 0;

	vpmcint_region_lock();
	if (!handle)
		ret = vpmc_open(&handle, err);
	vpmcint_region_unlock();
	return ret;
}

struct vpmc *vpmcint_region_handle(void)
{
	return handle;
}

int vpmcint_region_map(void)
{
	int ret;

	vpmcint_region_lock();
	ret = vpmcint_map(handle, NULL);
	vpmcint_region_unlock();
	return ret;
}
