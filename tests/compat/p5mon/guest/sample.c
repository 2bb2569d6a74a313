// SPDX-License-Identifier: GPL-2.0-only
/*
 * This is the example of p5mon's library. It counts the reads of data that configuring and
 * reading the counters make in user mode, and how many of them miss the cache.
 */
#include <stdio.h>

#include "libp5mon.h"

int main(void)
{
	CNT_CONFIG config = {
		.event0 = data_read_miss,
		.ctrl0 = evt_user,
		.init0 = 0,
		.event1 = data_read,
		.ctrl1 = evt_user,
		.init1 = 0,
		.clr = init_0_1,
	};
	ULONG results[3];

	if (p5mon_init())
		return puts("Unable to initialize p5mon device"), 1;
	if (p5mon_config(&config) || p5mon_read(results))
		return puts(p5mon_error()), 1;
	printf("Counter 0 value: %f\n", (double)results[0]);
	printf("Counter 1 value: %f\n", (double)results[1]);
	printf("Ratio: %f\n", (double)results[0] / (double)results[1]);
	return p5mon_close() ? 1 : 0;
}
