// SPDX-License-Identifier: LGPL-2.1-or-later
/* How fast the processor is: see libperfex_costs.h. */
#include <stdio.h>

#include "libperfex_costs.h"

double perfexint_mhz(const char *path)
{
	FILE *file = fopen(path, "re");
	char line[256];
	double mhz = 0;

	if (!file)
		return 0;
	while (fgets(line, sizeof(line), file) &&
	       sscanf(line, "cpu MHz : %lf", &mhz) != 1)
		;
	fclose(file);
	return mhz > 0 ? mhz : 0;
}
