// SPDX-License-Identifier: GPL-2.0-only
/* See memory.h. */
#include <err.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "memory.h"

#define NOBODY 65534

/* What waits for a grace period is gone after some of them. */
#define SETTLE_USEC 300000

static long value_of(const char *name)
{
	FILE *file = fopen("/proc/meminfo", "re");
	char line[128];
	long value = -1;
	size_t length = strlen(name);

	if (!file)
		err(2, "/proc/meminfo");
	while (fgets(line, sizeof(line), file))
		if (!strncmp(line, name, length) &&
		    sscanf(line + length, ": %ld", &value) == 1)
			break;
	fclose(file);
	if (value < 0)
		errx(2, "/proc/meminfo has no %s", name);
	return value;
}

long memory_objects(void)
{
	usleep(SETTLE_USEC);
	return value_of("Slab");
}

long memory_free(void)
{
	usleep(SETTLE_USEC);
	return value_of("MemFree");
}

void memory_become_nobody(void)
{
	if (setgid(NOBODY) || setuid(NOBODY) || prctl(PR_SET_DUMPABLE, 1))
		err(2, "setuid");
}
