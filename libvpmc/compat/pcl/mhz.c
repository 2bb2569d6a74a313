// SPDX-License-Identifier: LGPL-2.1-or-later
/* Read the processor's clock rate from the kernel. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "descr.h"

#define CPUINFO		"/proc/cpuinfo"
#define NAME		"cpu MHz"
#define LINE_MAX_LENGTH 256

int pclint_mhz(void)
{
	char line[LINE_MAX_LENGTH];
	FILE *file = fopen(CPUINFO, "re");
	const char *colon;
	unsigned long mhz = 0;

	while (file && !mhz && fgets(line, sizeof(line), file)) {
		colon = strchr(line, ':');
		if (colon && !strncmp(line, NAME, sizeof(NAME) - 1))
			mhz = strtoul(colon + 1, NULL, 10);
	}
	if (file)
		fclose(file);
	return (int)mhz;
}
