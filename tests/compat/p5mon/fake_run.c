// SPDX-License-Identifier: GPL-2.0-only
/*
 * In place of run.c: executions that a test prescribes. The file that FAKE_RUNS names has,
 * for each that is counted, a line "run COUNT COUNT" and then one for each region:
 * "NUMBER ENTERED EXITED COUNT COUNT". What is to be executed is appended to the file that
 * FAKE_LOG names, a line each.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "perfex.h"
#include "run.h"

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

/* Up to the next run, which is left in @line. */
static void read_lines(struct regions *regions)
{
	struct region_counts new;
	unsigned int number;

	while (fgets(line, sizeof(line), runs)) {
		if (sscanf(line,
			   "%u %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64,
			   &number, &new.entered, &new.exited, &new.count[0],
			   &new.count[1]) != 5)
			return;
		if (regions)
			regions->region[number] = new;
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
	if (sscanf(line, "run %" SCNu64 " %" SCNu64, &run->count[0],
		   &run->count[1]) != 2)
		return PERFEX_SYSTEM;
	read_lines(regions);
	return 0;
}
