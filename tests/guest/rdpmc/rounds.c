// SPDX-License-Identifier: GPL-2.0-only
/*
 * rounds PROCESSOR: test a thread that has a processor to itself and never enters the kernel. It
 * reads its count without a system call, up to more than 2^32 events, where RDPMC wraps. Each read
 * must return the right count.
 *
 * The kernel has to read the counter from time to time, although it has nothing else to do. So this
 * processor must have clock ticks while the thread counts. It must have almost no ticks while the
 * thread does not count, even if a process has attached to the thread, or the thread has stopped.
 * The first processor always has ticks.
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inline.h"

/*
 * STRETCHES stretches are a round and a quarter. A stretch is a little more than 2^24 events, so
 * the second round has other counts than the first.
 */
#define ITERATIONS (1U << 23)
#define STRETCHES  (5 << 6)

static int64_t counts[STRETCHES];

static inline __attribute__((always_inline)) void spin(void)
{
	unsigned int i = ITERATIONS;

	__asm__ __volatile__("1: dec %0; jnz 1b" : "+r"(i) : : "cc");
}

static __attribute__((noinline)) int64_t stretch(void)
{
	spin();
	return vpmc_count(0);
}

/* Return the number of local timer interrupts of a processor. */
static unsigned long ticks_of(unsigned int processor)
{
	FILE *file = fopen("/proc/interrupts", "re");
	unsigned long ticks = 0;
	char line[256], *rest;

	while (file && fgets(line, sizeof(line), file)) {
		rest = strstr(line, "LOC:");
		if (!rest)
			continue;
		for (rest += 4; processor--;)
			strtoul(rest, &rest, 10);
		ticks = strtoul(rest, NULL, 10);
		break;
	}
	if (!ticks)
		errx(2, "/proc/interrupts has no ticks");
	fclose(file);
	return ticks;
}

/* The test waits for this number of ticks of the first processor. */
#define IDLE_TICKS 50

static void check_no_ticks(unsigned int processor, const char *when)
{
	unsigned long here = ticks_of(processor), first = ticks_of(0), now;
	unsigned int i;

	do {
		for (i = 0; i < 8; i++)
			spin();
		now = ticks_of(0);
	} while (now - first < IDLE_TICKS);
	here = ticks_of(processor) - here;
	check(here < (now - first) / 2,
	      "%lu ticks here, %lu on the first processor, %s", here,
	      now - first, when);
}

int main(int argc, char **argv)
{
	unsigned int i, wrong = 0, processor;
	unsigned long here, first;
	struct vpmc *vpmc;
	int64_t length;

	if (argc != 2)
		errx(2, "usage: rounds PROCESSOR");
	processor = (unsigned int)strtoul(argv[1], NULL, 0);
	stay_on(processor);
	hold((int)getpid(), 0);
	check_no_ticks(processor, "attached to");
	vpmc = mapped();
	here = ticks_of(processor);
	first = ticks_of(0);
	for (i = 0; i < STRETCHES; i++)
		counts[i] = stretch();
	here = ticks_of(processor) - here;
	first = ticks_of(0) - first;
	check(here > first / 2, "%lu ticks here, %lu on the first processor",
	      here, first);
	length = counts[1] - counts[0];
	for (i = 2; i < STRETCHES; i++)
		wrong += counts[i] - counts[i - 1] != length;
	check(!wrong && length > 2 * (int64_t)ITERATIONS &&
		      length < 2 * (int64_t)ITERATIONS + 40,
	      "%u of %u stretches of %lld instructions are counted wrongly",
	      wrong, STRETCHES, (long long)length);
	must(vpmc_stop(vpmc, &error), "stop");
	check_no_ticks(processor, "stopped");
	return check_status();
}
