// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * self: count what a function of this program costs.
 *
 *	self N
 *
 * computes the factorial of N, and prints how many instructions that took in user mode.
 * It also prints for how many clocks of the time stamp counter the thread was on a processor.
 * It is a program of perfctr's kind, with its own virtual counter set;
 * docs/history/perfctr.md lists the replacement of each call.
 *
 *	cc -o self self.c $(pkg-config --cflags --libs vpmc)
 */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <vpmc.h>

static struct vpmc *vpmc;

static void set_up(void)
{
	struct vpmc_event_sel sel;
	struct vpmc_error error;

	if (vpmc_open(&vpmc, &error) ||
	    vpmc_event_parse(vpmc_pmu_of(vpmc), "instructions", VPMC_USER, &sel,
			     &error) ||
	    vpmc_start(vpmc, &sel, 1, 0, &error))
		errx(1, "%s", error.text);
}

static void read_counts(struct vpmc_counts *counts)
{
	struct vpmc_error error;

	if (vpmc_read(vpmc, VPMC_THREAD, counts, &error))
		errx(1, "%s", error.text);
}

static unsigned int factorial(unsigned int n)
{
	volatile unsigned int product = 1;

	for (; n > 1; n--)
		product *= n;
	return product;
}

int main(int argc, char **argv)
{
	struct vpmc_counts before, after;
	unsigned int n, product;

	if (argc != 2)
		errx(2, "usage: self N");
	n = (unsigned int)strtoul(argv[1], NULL, 10);
	set_up();
	read_counts(&before);
	product = factorial(n);
	read_counts(&after);
	printf("factorial %u modulo 2^32: %u\n", n, product);
	printf("instructions %" PRIu64 "\n", after.count[0] - before.count[0]);
	printf("clocks %" PRIu64 "\n", after.tsc - before.tsc);
	vpmc_close(vpmc);
	return 0;
}
