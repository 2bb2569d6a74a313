// SPDX-License-Identifier: GPL-2.0-only
/* See memory.h. */
#include <err.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "follow.h"
#include "memory.h"

#define NOBODY 65534

/* What waits for a grace period is gone after some of them. */
#define SETTLE_USEC 300000

long memory_objects(void)
{
	usleep(SETTLE_USEC);
	return (long)number_in("/proc/meminfo", "Slab:");
}

/* On a busy host that may take longer. */
long memory_free(void)
{
	long now = 0, before;

	do {
		before = now;
		usleep(SETTLE_USEC);
		now = (long)number_in("/proc/meminfo", "MemFree:");
	} while (now > before);
	return before;
}

bool memory_is_comparable(void)
{
	return access("/sys/kernel/debug/kmemleak", F_OK);
}

void memory_become_nobody(void)
{
	if (setgid(NOBODY) || setuid(NOBODY) || prctl(PR_SET_DUMPABLE, 1))
		err(2, "setuid");
}
