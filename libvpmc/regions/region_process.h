/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* This header declares the sums of the counts of a process's threads. */
#ifndef LIBVPMC_REGION_PROCESS_H
#define LIBVPMC_REGION_PROCESS_H

#include "regions/region_data.h"

/* vpmcint_region_joined() - note that a thread has regions from now on */
void vpmcint_region_joined(void);

/* vpmcint_region_left() - keep the counts of a thread's regions when it exits */
void vpmcint_region_left(struct region_thread *thread);

/* vpmcint_region_missed() - note that a region of a thread that has left is not counted */
void vpmcint_region_missed(void);

/*
 * vpmcint_region_alone() - prepare the child of a fork. Its only thread calls this under the lock.
 * @has_regions says whether the thread has regions.
 */
void vpmcint_region_alone(bool has_regions);

/* vpmcint_region_leave_file() - write the counts of the exited threads */
void vpmcint_region_leave_file(void);

/**
 * vpmcint_region_collected() - get the counts that a process has collected so far
 * @list: receives a copy of the list of the threads that have exited
 * @has_regions: true if the calling thread has regions. The field running then does not include the
 *	calling thread.
 *
 * Return: 0 or VPMC_E_MEMORY.
 */
int vpmcint_region_collected(struct region_list *list, bool has_regions);

#endif /* LIBVPMC_REGION_PROCESS_H */
