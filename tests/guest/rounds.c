// SPDX-License-Identifier: GPL-2.0-only
/*
 * rounds PROCESSOR: a thread that has the processor to itself, never enters the
 * kernel and counts on for some rounds of what RDPMC shows, 2^32 events each, reads
 * its count without a system call, and each time the right one.
 *
 * The kernel has to look at the counter meanwhile, though nothing else is to be done.
 */
#include <err.h>
#include <stdlib.h>

#include "inline.h"

#define ROUND	   (INT64_C(1) << 32)
#define ROUNDS	   2
#define ITERATIONS (1U << 23)

/* So many instructions in each stretch, and those that read. */
static __attribute__((noinline)) int64_t stretch(void)
{
	unsigned int i = ITERATIONS;

	__asm__ __volatile__("1: dec %0; jnz 1b" : "+r"(i) : : "cc");
	return vpmc_count(0);
}

int main(int argc, char **argv)
{
	unsigned int stretches = 0, wrong = 0;
	int64_t before, count, length;

	if (argc != 2)
		errx(2, "usage: rounds PROCESSOR");
	stay_on((unsigned int)atoi(argv[1]));
	mapped();
	before = stretch();
	count = stretch();
	length = count - before;
	while (count < ROUNDS * ROUND + ROUND / 2) {
		before = count;
		count = stretch();
		wrong += count - before != length;
		stretches++;
	}
	check(!wrong && length - 2 * (int64_t)ITERATIONS < 40,
	      "%u of %u stretches of %lld instructions are counted wrongly",
	      wrong, stretches, (long long)length);
	return check_status();
}
