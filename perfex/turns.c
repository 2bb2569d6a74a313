// SPDX-License-Identifier: GPL-2.0-only
/* See turns.h. */
#include "turns.h"

#include "clock.h"

static uint64_t begin_ns;
static uint64_t begin_clocks;

static uint64_t read_clocks(void)
{
#if defined(__i386__) || defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#else
	return 0;
#endif
}

void measure_turns(void)
{
	begin_ns = now();
	begin_clocks = read_clocks();
}

/* The coarse clock goes on with each tick. */
uint64_t turn_clocks(void)
{
	const uint64_t ns = now() - begin_ns;
	const uint64_t clocks = read_clocks() - begin_clocks;
	struct timespec tick;

	if (!begin_ns || !ns || clock_getres(CLOCK_MONOTONIC_COARSE, &tick))
		return 0;
	return (uint64_t)((double)clocks / (double)ns * (double)tick.tv_nsec);
}
