// SPDX-License-Identifier: LGPL-2.1-or-later
/* Find out the clock rate of the processor, to convert clocks into seconds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libperfex_costs.h"

#define NAME "cpu MHz"

/* Returns the value of a line "cpu MHz : VALUE", or 0. */
static double parse_line(const char *line)
{
	const char *value = strchr(line, ':');

	if (strncmp(line, NAME, strlen(NAME)) != 0 || !value)
		return 0;
	return strtod(value + 1, NULL);
}

double perfexint_mhz(const char *path)
{
	FILE *file = fopen(path, "re");
	char line[256];
	double mhz = 0;

	if (!file)
		return 0;
	while (!(mhz > 0) && fgets(line, sizeof(line), file))
		mhz = parse_line(line);
	fclose(file);
	return mhz > 0 ? mhz : 0;
}
