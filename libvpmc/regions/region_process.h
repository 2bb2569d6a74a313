/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* This header declares the sums of what the threads of a process have counted. */
#ifndef LIBVPMC_REGION_PROCESS_H
#define LIBVPMC_REGION_PROCESS_H

#include "regions/region_data.h"

/* vpmcint_region_joined() - a thread has regions from now on */
void vpmcint_region_joined(void);

/* vpmcint_region_left() - a thread exits: keep what its regions have counted */
void vpmcint_region_left(struct region_thread *thread);

/* vpmcint_region_missed() - a region of a thread that has left is not counted */
void vpmcint_region_missed(void);

/*
 * vpmcint_region_alone() - after a fork: the calling thread is the only one of
 * the child; under the lock. @has_regions: whether it has regions
 */
void vpmcint_region_alone(bool has_regions);

/* vpmcint_region_leave_file() - write what the exited threads have counted */
void vpmcint_region_leave_file(void);

/**
 * vpmcint_region_collected() - what a process has collected so far
 * @list: receives a copy of the list of the threads that have exited
 * @has_regions: whether the calling thread has regions: it is not counted in
 *	running
 *
 * Return: 0 or VPMC_E_MEMORY.
 */
int vpmcint_region_collected(struct region_list *list, bool has_regions);

#endif /* LIBVPMC_REGION_PROCESS_H */
