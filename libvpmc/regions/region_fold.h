/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* This header declares the fold of a thread's tree of regions into a list of names. */
#ifndef LIBVPMC_REGION_FOLD_H
#define LIBVPMC_REGION_FOLD_H

#include "regions/region_data.h"

/**
 * vpmcint_region_fold() - add a thread's tree to a list
 * @thread: regions of the calling thread
 * @list: the list. If the list already has threads with other counts or events, the function only
 *	notes that this thread is missing.
 *
 * Return: 0, or VPMC_E_MEMORY if some regions are missing because memory was short.
 */
int vpmcint_region_fold(struct region_thread *thread, struct region_list *list);

#endif /* LIBVPMC_REGION_FOLD_H */
