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
 * Carry out VPMC_MAP on an open file of the device. Returns 0 or an error listed there.
 * May sleep.
 */
int vpmc_map_own(struct file *file, struct vpmc_map *map);

/* Only vpmc_map_accept() uses this. */
void vpmc_map_accept_in_page(struct vpmc_thread *t, u64 identity);

/*
 * Show the counts of @identity, which the calling thread has started itself, in the thread's
 * page, if it has one. The counts must not have been replaced since. May sleep.
 */
static inline void vpmc_map_accept(u64 identity)
{
	struct vpmc_thread *t = current->thread.vpmc;

	if (t && t->page)
		vpmc_map_accept_in_page(t, identity);
}

#endif /* VPMC_MAP_H */
