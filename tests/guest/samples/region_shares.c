// SPDX-License-Identifier: GPL-2.0-only
/*
 * region_shares ROUNDS: execute the same number of instructions in each of three functions. inner()
 * runs in the region "inner", which is in the region "outer". outer() runs in the region "outer"
 * alone, and outside() in no region. Two threads do this at the same time.
 */
#include <pthread.h>
#include <stdlib.h>
#include <vpmc_region.h>

void inner(void);
void outer(void);
void outside(void);

static long rounds;

/* Execute two instructions, 5000 times. */
#define SPIN()                                   \
	do {                                     \
		unsigned int left = 5000;        \
		__asm__ volatile("1: dec %0\n\t" \
				 "jnz 1b"        \
				 : "+r"(left)    \
				 :               \
				 : "cc");        \
	} while (0)

__attribute__((noinline)) void inner(void)
{
	SPIN();
}

__attribute__((noinline)) void outer(void)
{
	SPIN();
}

__attribute__((noinline)) void outside(void)
{
	SPIN();
}

static void *work(void *unused)
{
	long left;

	for (left = rounds; left; left--) {
		vpmc_region_begin("outer");
		outer();
		vpmc_region_begin("inner");
		inner();
		vpmc_region_end("inner");
		vpmc_region_end("outer");
		outside();
	}
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t other;

	rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 1;
	if (pthread_create(&other, NULL, work, NULL))
		return EXIT_FAILURE;
	work(NULL);
	return pthread_join(other, NULL) ? EXIT_FAILURE : EXIT_SUCCESS;
}
