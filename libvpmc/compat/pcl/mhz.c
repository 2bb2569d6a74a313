// SPDX-License-Identifier: LGPL-2.1-or-later
/* The rate of the processor, as the kernel tells it. */
#include <stdio.h>

#include "descr.h"

#define CPUINFO		"/proc/cpuinfo"
#define LINE_MAX_LENGTH 256

int pclint_mhz(void)
{
	char line[LINE_MAX_LENGTH];
	FILE *file = fopen(CPUINFO, "re");
	unsigned int mhz = 0;

	while (file && !mhz && fgets(line, sizeof(line), file))
		(void)sscanf(line, "cpu MHz : %u", &mhz);
	if (file)
		fclose(file);
	return (int)mhz;
}
