// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Regions: what the threads of a process have counted together.
 */
#include <stdlib.h>
#include <string.h>

#define VPMC_REGION_NO_PROBE
#include "region_file.h"
#include "region_fold.h"
#include "region_handle.h"
#include "region_process.h"

/**
 * struct process - one per process, under vpmcint_region_lock()
 * @living: threads that have regions
 * @exited: what the threads that have exited have counted
 */
static struct {
	unsigned int living;
	struct region_list exited;
} process;

void vpmcint_region_joined(void)
{
	vpmcint_region_lock();
	process.living++;
	vpmcint_region_unlock();
}

void vpmcint_region_left(struct region_thread *thread)
{
	vpmcint_region_lock();
	process.living--;
	if (vpmcint_region_fold(thread, &process.exited))
		process.exited.about.lost++;
	vpmcint_region_unlock();
}

void vpmcint_region_alone(bool has_regions)
{
	free(process.exited.entry);
	memset(&process.exited, 0, sizeof(process.exited));
	process.living = has_regions;
}

int vpmcint_region_collected(struct region_list *list, bool has_regions)
{
	size_t size;
	int ret = 0;

	vpmcint_region_lock();
	*list = process.exited;
	list->about.running = process.living - has_regions;
	size = list->nr * sizeof(*list->entry);
	list->entry = malloc(size ? size : 1);
	if (list->entry && size)
		memcpy(list->entry, process.exited.entry, size);
	else if (!list->entry)
		ret = VPMC_E_MEMORY;
	vpmcint_region_unlock();
	return ret;
}

void vpmcint_region_leave_file(const char *path)
{
	vpmcint_region_lock();
	process.exited.about.running = process.living;
	if (process.exited.about.threads)
		vpmcint_region_write(path, &process.exited);
	vpmcint_region_unlock();
}
