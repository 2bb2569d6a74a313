// SPDX-License-Identifier: GPL-2.0-only
/*
 * sample_simple N: print the instructions and cycles of a loop of N rounds. This is the simple
 * example of PCL's report.
 */
#include <pcl.h>
#include <stdio.h>
#include <stdlib.h>

#include "exact.h"

int main(int argc, char **argv)
{
	int events[] = { PCL_CYCLES, PCL_INSTR };
	const int nr = 2;
	const unsigned int rounds =
		(unsigned int)strtoul(argv[argc - 1], NULL, 10);
	PCL_CNT_TYPE counts[2];
	PCL_FP_CNT_TYPE rates[2];
	PCL_DESCR_TYPE descr;

	if (PCLinit(&descr) != PCL_SUCCESS)
		return puts("no handle"), 1;
	if (PCLquery(descr, events, nr, PCL_MODE_USER) != PCL_SUCCESS)
		return puts("these events cannot be counted"), 1;
	if (PCLstart(descr, events, nr, PCL_MODE_USER) != PCL_SUCCESS)
		return puts("they were not started"), 1;
	exact_loop(rounds);
	if (PCLstop(descr, counts, rates, nr) != PCL_SUCCESS)
		return puts("they were not stopped"), 1;
	printf("%f instructions in %f cycles\n", (double)counts[1],
	       (double)counts[0]);
	return PCLexit(descr) != PCL_SUCCESS;
}
