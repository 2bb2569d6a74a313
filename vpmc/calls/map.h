/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares VPMC_MAP, which maps the calling thread's page and decides which
 * counts it shows.
 */
#ifndef VPMC_MAP_H
#define VPMC_MAP_H

#include <linux/sched.h>
#include <linux/types.h>

#include "thread/thread_counters.h"

struct file;
struct vpmc_map;

/*
 * Carry out VPMC_MAP on an open file of the device. Returns 0 or an error that
 * uapi/linux/vpmc.h lists. May sleep.
 */
int vpmc_map_own(struct file *file, struct vpmc_map *map);

/* Only vpmc_map_accept() uses this. */
void vpmc_map_accept_in_page(struct vpmc_thread *t, u64 identity);

/*
 * If the calling thread has a page, show the counts of @identity in it. The thread itself has
 * started these counts, and they must not have been replaced since. May sleep.
 */
static inline void vpmc_map_accept(u64 identity)
{
	struct vpmc_thread *t = current->thread.vpmc;

	if (t && t->page)
		vpmc_map_accept_in_page(t, identity);
}

#endif /* VPMC_MAP_H */
