// SPDX-License-Identifier: GPL-2.0-only
/* Read the number of leased counters, which is a parameter of the driver. */
#include "util/lease.h"

#include <stdio.h>
#include <stdlib.h>

#define LEASE "/sys/module/vpmc/parameters/lease"

unsigned int leased_counters(void)
{
	FILE *file = fopen(LEASE, "re");
	char line[16] = "";

	if (!file)
		return 0;
	if (!fgets(line, sizeof(line), file))
		line[0] = '\0';
	fclose(file);
	return (unsigned int)strtoul(line, NULL, 10);
}
