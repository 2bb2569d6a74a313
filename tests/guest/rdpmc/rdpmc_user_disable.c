// SPDX-License-Identifier: GPL-2.0-only
/*
 * rdpmc_user_disable: test a processor that can forbid RDPMC counter by counter (RDPMC user disable,
 * CPUID leaf 23H). perf_event forbids it for counters of all processes, which user mode then reads as
 * 0. When perf_event has given the counters back, RDPMC must read each of the driver's counters.
 */
#include <err.h>
#include <sys/mman.h>
#include <unistd.h>
#include <x86intrin.h>

#include "follow.h"
#include "perf_event.h"

/* This is the number of rounds of the loop, which has two instructions. */
#define ROUNDS 1000

/* RDPMC takes the numbers of fixed counters with this bit. The last of four is not read here. */
#define FIXED	 0x40000000U
#define NR_FIXED 3

/* Return the number of counters that RDPMC does not read as 0. */
static unsigned int readable(void)
{
	unsigned int nr = 0, i;

	for (i = 0; i < counters_here(); i++)
		nr += __rdpmc((int)i) > 0;
	for (i = 0; i < NR_FIXED; i++)
		nr += __rdpmc((int)(FIXED + i)) > 0;
	return nr;
}

static void test_perf(void)
{
	int all = perf_open_for(-1, 0), own = perf_open();
	void *page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, own, 0);
	unsigned int found;

	if (all < 0 || own < 0 || page == MAP_FAILED)
		errx(2, "no counters of perf_event");
	found = readable();
	check(found == 1, "RDPMC reads %u counters, want the process's alone",
	      found);
	check(perf_read(all) > 0, "the counter of all processes counts");
	munmap(page, 4096);
	close(own);
	close(all);
}

/* Return what a counter counts of the loop. */
static uint64_t count_loop(uint32_t counter)
{
	uint64_t first = __rdpmc((int)counter);
	unsigned int left = ROUNDS;

	__asm__ volatile("1:	dec	%0\n\t"
			 "jnz	1b"
			 : "+r"(left));
	return __rdpmc((int)counter) - first;
}

static void check_counter(uint32_t counter)
{
	const uint64_t want = UINT64_C(2) * ROUNDS, found = count_loop(counter);

	check(found >= want && found < want + 20,
	      "counter %#x has %llu instructions of %llu", counter,
	      (unsigned long long)found, (unsigned long long)want);
}

static void test_driver(void)
{
	struct vpmc_map map = { .size = sizeof(map) };
	struct vpmc_start *start = start_arg(FIRST, 0);
	int fd = open_device();
	unsigned int i;

	start->nr_events = counters_here() + 1;
	for (i = 0; i < start->nr_events; i++)
		start->event[i] = (struct vpmc_event)EVENT(
			code_here(INSTRUCTIONS), (uint16_t)i, VPMC_MODE_USER);
	check(!request(fd, VPMC_START, start) && !request(fd, VPMC_MAP, &map),
	      "the driver has the counters");
	for (i = 0; i < counters_here(); i++)
		check_counter(i);
	check_counter(FIXED);
}

int main(void)
{
	test_perf();
	test_driver();
	return check_status();
}
