/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Regions: what a process leaves for perfex. */
#ifndef LIBVPMC_REGION_FILE_H
#define LIBVPMC_REGION_FILE_H

#include "region_data.h"

/* vpmcint_region_write() - append a list to the file that perfex made */
void vpmcint_region_write(const char *path, const struct region_list *list);

#endif /* LIBVPMC_REGION_FILE_H */
