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
 * VPMC_MAP, on an open file of the device. Returns 0 or the errors listed
 * there. May sleep.
 */
int vpmc_map_own(struct file *file, struct vpmc_map *map);

/* Only for vpmc_map_accept(). */
void vpmc_map_accept_in_page(struct vpmc_thread *t, u64 identity);

/*
 * The calling thread has started the counts of @identity itself: show them in
 * its page, if it has one and they have not been replaced meanwhile. May sleep.
 */
static inline void vpmc_map_accept(u64 identity)
{
	struct vpmc_thread *t = current->thread.vpmc;

	if (t && t->page)
		vpmc_map_accept_in_page(t, identity);
}

#endif /* VPMC_MAP_H */
