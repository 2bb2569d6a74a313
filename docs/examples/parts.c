// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * parts: count what the parts of a program execute.
 *
 *	parts N
 *
 * counts the primes below N in two ways, by division and with a sieve, each in
 * a region. It prints how many instructions each region executed in user mode,
 * with and without the regions within it. Under "perfex --regions", which has
 * started the counts already, it leaves that to perfex.
 *
 *	cc -O2 -o parts parts.c $(pkg-config --cflags --libs vpmc)
 */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vpmc_region.h>

#define MAX 1000000

static char composite[MAX];

static unsigned int is_prime(unsigned int n)
{
	unsigned int d;

	for (d = 2; d * d <= n; d++) {
		if (n % d == 0)
			return 0;
	}
	return 1;
}

static unsigned int divide(unsigned int max)
{
	unsigned int n, primes = 0;

	vpmc_region_begin("divide");
	for (n = 2; n < max; n++) {
		vpmc_region_begin("is_prime");
		primes += is_prime(n);
		vpmc_region_end("is_prime");
	}
	vpmc_region_end("divide");
	return primes;
}

static unsigned int sieve(unsigned int max)
{
	unsigned int n, multiple, primes = 0;

	vpmc_region_begin("sieve");
	memset(composite, 0, sizeof(composite));
	for (n = 2; n < max; n++) {
		if (composite[n])
			continue;
		primes++;
		for (multiple = 2 * n; multiple < max; multiple += n)
			composite[multiple] = 1;
	}
	vpmc_region_end("sieve");
	return primes;
}

/* Returns 0 if somebody else counts here already. */
static int start(struct vpmc *vpmc)
{
	struct vpmc_event_sel sel;
	struct vpmc_error error;

	if (vpmc_event_parse(vpmc_pmu_of(vpmc), "instructions_executed",
			     VPMC_USER, &sel, &error))
		errx(1, "%s", error.text);
	if (!vpmc_start(vpmc, &sel, 1, 0, &error))
		return 1;
	if (error.code != VPMC_E_BUSY)
		errx(1, "%s", error.text);
	return 0;
}

static void print_regions(void)
{
	const struct vpmc_region_counts *region;
	struct vpmc_regions *regions;
	struct vpmc_error error;

	if (vpmc_regions_read(&regions, VPMC_SELF, VPMC_REGIONS_NET, &error))
		errx(1, "%s", error.text);
	printf("%8s  %12s  %12s  region\n", "calls", "inclusive", "exclusive");
	for (region = regions->region; region < regions->region + regions->nr;
	     region++)
		printf("%8" PRIu64 "  %12" PRIu64 "  %12" PRIu64 "  %s\n",
		       region->calls, region->inclusive[0],
		       region->exclusive[0], region->name);
	vpmc_regions_free(regions);
}

int main(int argc, char **argv)
{
	unsigned long max = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
	struct vpmc_error error;
	struct vpmc *vpmc;
	int started;

	if (max < 3 || max > MAX)
		errx(1, "say below which number, from 3 to %d: parts N", MAX);
	if (vpmc_open(&vpmc, &error))
		errx(1, "%s", error.text);
	started = start(vpmc);
	if (divide((unsigned int)max) != sieve((unsigned int)max))
		errx(1, "the numbers of primes differ");
	if (started)
		print_regions();
	vpmc_close(vpmc);
	return 0;
}
