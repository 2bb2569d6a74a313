/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* This header declares how a process writes its regions to perfex's file. */
#ifndef LIBVPMC_REGION_FILE_H
#define LIBVPMC_REGION_FILE_H

#include "regions/region_data.h"

/*
 * vpmcint_region_file_open() - open the file that perfex made, if any, before the process
 * changes its rights to open files
 */
void vpmcint_region_file_open(void);

/*
 * vpmcint_region_file_announce() - tell perfex that the process has regions, so that it can
 * notice missing ones. Async-signal-safe; does so once.
 */
void vpmcint_region_file_announce(void);

/* vpmcint_region_file_forget() - prepare a new process, which has not announced itself */
void vpmcint_region_file_forget(void);

/*
 * vpmcint_region_file_write() - append a list to perfex's file; returns true if it is
 * complete there
 */
bool vpmcint_region_file_write(const struct region_list *list);

#endif /* LIBVPMC_REGION_FILE_H */
