/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* This header declares the calling thread's regions, which region.c manages. */
#ifndef LIBVPMC_REGION_H
#define LIBVPMC_REGION_H

#include "regions/region_data.h"

/* vpmcint_regions is the calling thread's regions, or NULL if it has none. */
extern __thread struct region_thread *vpmcint_regions
	__attribute__((tls_model("initial-exec")));

/*
 * vpmcint_region_settle() - adapt the calling thread's regions to changes since its last
 * region; the thread may be in a new process
 */
void vpmcint_region_settle(void);

#endif /* LIBVPMC_REGION_H */
