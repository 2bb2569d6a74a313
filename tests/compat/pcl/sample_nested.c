// SPDX-License-Identifier: GPL-2.0-only
/*
 * sample_nested N: print the cycles of four loops of N rounds each, and of all loops together. This
 * is the example of nested calls in PCL's report.
 */
#include <pcl.h>
#include <stdio.h>
#include <stdlib.h>

#include "exact.h"

#define LOOPS 4

int main(int argc, char **argv)
{
	int event = PCL_CYCLES;
	const unsigned int rounds =
		(unsigned int)strtoul(argv[argc - 1], NULL, 10);
	PCL_CNT_TYPE all, each[LOOPS];
	PCL_FP_CNT_TYPE rate;
	PCL_DESCR_TYPE descr;
	int bad, i;

	if (PCLinit(&descr) != PCL_SUCCESS)
		return puts("no handle"), 1;
	bad = PCLstart(descr, &event, 1, PCL_MODE_USER);
	for (i = 0; i < LOOPS; i++) {
		bad |= PCLstart(descr, &event, 1, PCL_MODE_USER);
		exact_loop(rounds);
		bad |= PCLstop(descr, &each[i], &rate, 1);
	}
	bad |= PCLstop(descr, &all, &rate, 1);
	if (bad)
		return puts("not all calls succeeded"), 1;
	printf("used cycles: %f %f %f %f, total: %f\n", (double)each[0],
	       (double)each[1], (double)each[2], (double)each[3], (double)all);
	return PCLexit(descr) != PCL_SUCCESS;
}
