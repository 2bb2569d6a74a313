// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file replaces run.c: it takes the results of executions from a test instead of executing
 * commands. FAKE_RUNS names a file that has, for each counted execution, a line "run COUNT
 * COUNT" and then a line "NUMBER ENTERED EXITED COUNT COUNT" for each region. FAKE_LOG names a
 * file, to which each command is appended as a line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../perfex/compat/p5mon/run.h"
#include "util/perfex.h"

#define RUN "run "

static FILE *runs;
static char line[400];

int open_counters(void)
{
	runs = fopen(getenv("FAKE_RUNS"), "re");
	if (!runs)
		abort();
	return 0;
}

const char *never(EVENT number, const struct pair *pair)
{
	(void)pair;
	return number == btb_hits && getenv("FAKE_NEVER") ? "not emulated here"
							  : NULL;
}

static void log_run(const struct words *words, const struct pair *pair,
		    const struct regions *regions)
{
	const char *path = getenv("FAKE_LOG");
	FILE *log = path ? fopen(path, "ae") : NULL;
	unsigned int i;

	if (!log)
		return;
	fprintf(log, "%s%s", words->argv[0], regions ? " regions" : "");
	for (i = 0; i < pair->nr; i++)
		fprintf(log, " 0x%x", (unsigned int)pair->number[i]);
	fprintf(log, "%s%s\n", pair->nr && pair->user ? " user" : "",
		pair->nr && pair->kernel ? " kernel" : "");
	fclose(log);
}

/* Read lines up to the next run, whose line stays in @line. */
static void read_lines(struct regions *regions)
{
	uint64_t numbers[5];

	while (fgets(line, sizeof(line), runs)) {
		if (numbers_in(line, numbers, 5) != 5)
			return;
		if (regions)
			regions->region[numbers[0]] = (struct region_counts){
				.entered = numbers[1],
				.exited = numbers[2],
				.count = { numbers[3], numbers[4] },
			};
	}
}

int run_command(const struct words *words, const struct pair *pair,
		struct regions *regions, struct run *run)
{
	*run = (struct run){ .seconds = 0.25 };
	log_run(words, pair, regions);
	if (!pair->nr)
		return 0;
	if (!line[0])
		read_lines(NULL);
	if (regions)
		*regions = (struct regions){ .fd = regions->fd };
	if (strncmp(line, RUN, strlen(RUN)) != 0 ||
	    numbers_in(line + strlen(RUN), run->count, COUNTERS) != COUNTERS)
		return PERFEX_SYSTEM;
	read_lines(regions);
	return 0;
}
