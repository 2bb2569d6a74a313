// SPDX-License-Identifier: GPL-2.0-only
/*
 * sample_low_level CODE N: print a description of the processor, and the count of an event on
 * counter 1 in a loop of N rounds. This is the example of the low-level interface in PCL's
 * report.
 */
#include <pcl.h>
#include <stdio.h>
#include <stdlib.h>

#include "exact.h"

#define COUNTER 1

static int describe(void)
{
	PCL_PROCESSOR_INFO info;

	if (PCL_driver_info(&info) != PCL_SUCCESS)
		return puts("the processor is not known"), 1;
	printf("processor vendor  : %s\n", info.vendor);
	printf("processor family  : %s\n", info.family);
	printf("processor model   : %s\n", info.model);
	printf("processor speed   : %s\n", info.mhz > 0 ? "known" : "unknown");
	printf("number of counters: >=%d\n", info.ncounters);
	return 0;
}

int main(int argc, char **argv)
{
	const PCL_BIT_MASK_TYPE mask = 1U << COUNTER;
	PCL_DRIVER_COMMAND_TYPE commands[PCL_COUNTER_MAX] = { 0 };
	PCL_CNT_TYPE counts[PCL_COUNTER_MAX];
	PCL_DESCR_TYPE descr;
	unsigned int rounds;

	if (argc != 3 || PCLinit(&descr) != PCL_SUCCESS)
		return puts("no handle"), 1;
	if (describe() || PCL_driver_open(descr) != PCL_SUCCESS)
		return puts("not opened"), 1;
	rounds = (unsigned int)strtoul(argv[2], NULL, 10);
	commands[COUNTER] = strtoull(argv[1], NULL, 0);
	if (PCL_driver_start(descr, PCL_COUNTER_MAX, mask, commands,
			     PCL_MODE_USER) != PCL_SUCCESS)
		return puts("not started"), 1;
	exact_loop(rounds);
	if (PCL_driver_read(descr, PCL_COUNTER_MAX, mask, counts) !=
	    PCL_SUCCESS)
		return puts("not read"), 1;
	printf("%.0f events\n", (double)counts[COUNTER]);
	return PCL_driver_stop(descr) != PCL_SUCCESS ||
	       PCL_driver_close(descr) != PCL_SUCCESS ||
	       PCLexit(descr) != PCL_SUCCESS;
}
