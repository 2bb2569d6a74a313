// SPDX-License-Identifier: GPL-2.0-only
/* This file measures how much memory the kernel has allocated. */
#include <err.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "follow.h"
#include "memory.h"

#define NOBODY 65534

/*
 * Memory that waits for a grace period is freed after this time, which contains several grace
 * periods.
 */
#define SETTLE_USEC 300000

long memory_objects(void)
{
	usleep(SETTLE_USEC);
	return (long)number_in("/proc/meminfo", "Slab:");
}

static void write_number(const char *path, int number)
{
	FILE *file = fopen(path, "w");

	if (!file || fprintf(file, "%d\n", number) < 0 || fclose(file))
		err(2, "%s", path);
}

/*
 * kfree_rcu() can delay memory for up to five seconds. Let the delayed memory wait for a grace
 * period instead, and wait until the kernel has freed it.
 */
static void free_deferred(void)
{
	write_number("/proc/sys/vm/drop_caches", 3);
	usleep(SETTLE_USEC);
}

/* Free the empty pages that the kernel keeps for new objects. */
static void shrink_caches(void)
{
	glob_t caches;
	size_t i;

	if (glob("/sys/kernel/slab/*/shrink", 0, NULL, &caches))
		err(2, "/sys/kernel/slab");
	for (i = 0; i < caches.gl_pathc; i++)
		write_number(caches.gl_pathv[i], 1);
	globfree(&caches);
}

void memory_settle(void)
{
	free_deferred();
	/*
	 * If some memory was being freed at the time of the first call, the rest had to wait. Free
	 * it now.
	 */
	free_deferred();
	shrink_caches();
}

/* Return the free pages that processors cache, in KB. MemFree does not contain them. */
static long pages_at_hand(void)
{
	static const char key[] = " count: ";
	FILE *file = fopen("/proc/zoneinfo", "r");
	char line[256], *found;
	long pages = 0;

	if (!file)
		err(2, "/proc/zoneinfo");
	while (fgets(line, sizeof(line), file)) {
		found = strstr(line, key);
		if (found)
			pages += strtol(found + strlen(key), NULL, 10);
	}
	fclose(file);
	return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

/* On a busy host, freeing may take longer, so wait until the free memory no longer grows. */
long memory_free(void)
{
	long now = 0, before;

	do {
		before = now;
		usleep(SETTLE_USEC);
		now = (long)number_in("/proc/meminfo", "MemFree:") +
		      pages_at_hand();
	} while (now > before);
	return before;
}

bool memory_is_comparable(void)
{
	return access("/sys/kernel/debug/kmemleak", F_OK);
}

void memory_become_user(unsigned int uid)
{
	if (setgid(NOBODY) || setuid(uid) || prctl(PR_SET_DUMPABLE, 1))
		err(2, "setuid");
}

void memory_become_nobody(void)
{
	memory_become_user(NOBODY);
}
