// SPDX-License-Identifier: GPL-2.0-only
/*
 * reads: measure the costs for a thread to read its counts without a system call, and to get
 * the page from which it reads them.
 */
#include <err.h>
#include <linux/vpmc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vpmc.h>

#include "count.h"
#include "measure.h"

#define REPEAT 20

/* Keep @value in registers, so that the compiler does not drop its computation. */
static void use(int64_t value)
{
	__asm__ __volatile__(""
			     :
			     : "r"((uint32_t)value),
			       "r"((uint32_t)(value >> 32)));
}

static struct vpmc *vpmc;
static struct vpmc_snapshot mark, since;
static uint64_t gotten;

static int read_nothing(void)
{
	MEASURE_SAVE_REGISTERS();
	return 0;
}

static int read_one(void)
{
	MEASURE_SAVE_REGISTERS();
	use(vpmc_count(0));
	return 0;
}

static int read_two(void)
{
	MEASURE_SAVE_REGISTERS();
	use(vpmc_count(0));
	use(vpmc_count(1));
	return 0;
}

static int read_mark(void)
{
	MEASURE_SAVE_REGISTERS();
	return vpmc_mark(&mark);
}

static int read_since(void)
{
	MEASURE_SAVE_REGISTERS();
	return vpmc_since(&mark, &since);
}

static int read_get(void)
{
	MEASURE_SAVE_REGISTERS();
	return vpmc_get(vpmc, 0, &gotten, NULL);
}

static int read_map(void)
{
	MEASURE_SAVE_REGISTERS();
	return vpmc_map(vpmc, NULL);
}

static void cost(const char *name, enum count what, int (*operation)(void))
{
	char full[32];

	snprintf(full, sizeof(full), "%s-%s", name,
		 what == COUNT_ONE ? "one" : "two");
	cost_of(full, operation, REPEAT);
}

/* Measure in another process, in which everything happens for the first time. */
static void cost_reads(enum count what)
{
	if (vpmc_open(&vpmc, NULL))
		errx(2, "no driver");
	count_start(what);
	cost_of(what == COUNT_ONE ? "map-first-one" : "map-first-two", read_map,
		1);
	cost("map", what, read_map);
	cost("inline", what, what == COUNT_ONE ? read_one : read_two);
	cost("mark", what, read_mark);
	cost("since", what, read_since);
	cost("get", what, read_get);
	count_set_map();
	cost("ioctl-map", what, measured_call);
}

static void repeat(enum count what)
{
	int i, status;

	for (i = 0; i < REPEAT; i++) {
		pid_t child;

		/* Each child would print the unwritten output again. */
		fflush(stdout);
		child = fork();
		if (child < 0)
			err(2, "fork");
		if (!child) {
			cost_reads(what);
			exit(0);
		}
		if (waitpid(child, &status, 0) != child || status)
			errx(2, "a repetition failed");
	}
}

int main(void)
{
	measure_start();
	count_elsewhere(COUNT_ONE);
	cost_of("nothing", read_nothing, REPEAT);
	repeat(COUNT_ONE);
	repeat(COUNT_TWO);
	return 0;
}
