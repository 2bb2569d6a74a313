// SPDX-License-Identifier: GPL-2.0-only
/* regions: measure the costs of the begin and the end of a region, with and without RDPMC. */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vpmc_region.h>

#include "count.h"
#include "measure.h"

#define REPEAT 20

static int region_nothing(void)
{
	MEASURE_SAVE_REGISTERS();
	return 0;
}

static int region_one(void)
{
	MEASURE_SAVE_REGISTERS();
	vpmc_region_begin("one");
	vpmc_region_end("one");
	return 0;
}

static int region_within(void)
{
	MEASURE_SAVE_REGISTERS();
	vpmc_region_begin("one");
	vpmc_region_begin("within");
	vpmc_region_end("within");
	vpmc_region_end("one");
	return 0;
}

static int region_alternate(void)
{
	MEASURE_SAVE_REGISTERS();
	vpmc_region_begin("one");
	vpmc_region_end("one");
	vpmc_region_begin("other");
	vpmc_region_end("other");
	return 0;
}

static void cost(const char *name, enum count what, int (*operation)(void))
{
	char full[32];

	snprintf(full, sizeof(full), "%s-%s", name,
		 what == COUNT_ONE ? "one" : "two");
	cost_of(full, operation, REPEAT);
}

/* Measure in another process, which has had no region before. */
static void cost_regions(enum count what)
{
	pid_t child;
	int status;

	/* The child would print the unwritten output again. */
	fflush(stdout);
	child = fork();
	if (child < 0)
		err(2, "fork");
	if (!child) {
		count_start(what);
		cost("region", what, region_one);
		cost("within", what, region_within);
		cost("alternate", what, region_alternate);
		exit(0);
	}
	if (waitpid(child, &status, 0) != child || status)
		errx(2, "the regions failed");
}

int main(void)
{
	measure_start();
	cost_of("nothing", region_nothing, REPEAT);
	cost_regions(COUNT_ONE);
	cost_regions(COUNT_TWO);
	return 0;
}
