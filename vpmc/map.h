/* SPDX-License-Identifier: GPL-2.0-only */
/* VPMC_MAP: the calling thread's page, and which counts it shows. */
#ifndef VPMC_MAP_H
#define VPMC_MAP_H

#include <linux/types.h>

struct file;
struct vpmc_map;

/*
 * VPMC_MAP, on an open file of the device. Returns 0 or the errors listed
 * there. May sleep.
 */
int vpmc_map_own(struct file *file, struct vpmc_map *map);

/*
 * The calling thread has started the counts of @identity itself: show them in
 * its page, if it has one and they have not been replaced meanwhile. May sleep.
 */
void vpmc_map_accept(u64 identity);

#endif /* VPMC_MAP_H */
