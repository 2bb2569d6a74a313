/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* This header declares how a process writes its regions to perfex's file. */
#ifndef LIBVPMC_REGION_FILE_H
#define LIBVPMC_REGION_FILE_H

#include "regions/region_data.h"

/*
 * vpmcint_region_file_open() - open perfex's file, if it exists, before the process
 * changes its rights to open files
 */
void vpmcint_region_file_open(void);

/*
 * vpmcint_region_file_announce() - tell perfex once that the process has regions, so that perfex
 * can notice missing regions. Async-signal-safe.
 */
void vpmcint_region_file_announce(void);

/* vpmcint_region_file_forget() - prepare a new process, which has not announced itself */
void vpmcint_region_file_forget(void);

/*
 * vpmcint_region_file_write() - append a list to perfex's file; returns true if the whole
 * list was written
 */
bool vpmcint_region_file_write(const struct region_list *list);

#endif /* LIBVPMC_REGION_FILE_H */
