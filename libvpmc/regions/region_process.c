// SPDX-License-Identifier: LGPL-2.1-or-later
/* Add up the counts of regions over the threads of a process. */
#include "regions/region_process.h"
#include "regions/region_file.h"
#include "regions/region_fold.h"
#include "regions/region_handle.h"
#include "regions/region_sums.h"

/**
 * struct process - data of the process, protected by vpmcint_region_lock()
 * @living: number of threads that have regions
 * @exited: the counts of the threads that have exited
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
	if (!thread->stale && vpmcint_region_fold(thread, &process.exited))
		process.exited.about.lost++;
	vpmcint_region_unlock();
}

void vpmcint_region_missed(void)
{
	vpmcint_region_lock();
	process.exited.about.lost++;
	vpmcint_region_unlock();
}

void vpmcint_region_alone(bool has_regions)
{
	vpmcint_region_free_list(&process.exited);
	process.living = has_regions;
}

int vpmcint_region_collected(struct region_list *list, bool has_regions)
{
	int ret;

	vpmcint_region_lock();
	ret = vpmcint_region_copy_list(list, &process.exited);
	list->about.running = process.living - has_regions;
	vpmcint_region_unlock();
	return ret;
}

void vpmcint_region_leave_file(void)
{
	vpmcint_region_lock();
	process.exited.about.running = process.living;
	if (process.exited.about.threads &&
	    vpmcint_region_file_write(&process.exited) && !process.living)
		vpmcint_sums_give_back();
	vpmcint_region_unlock();
}
