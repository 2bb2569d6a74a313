// SPDX-License-Identifier: GPL-2.0-only
/*
 * timelines: measure the costs of a command with 100,000 empty regions under perfex, with
 * --regions and with --timeline. This program is also the command, and prints the costs of the
 * regions without perfex. It also prints the size of the timeline.
 */
#include <err.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vpmc_region.h>

#include "measure.h"

#define REGIONS	 100000
#define TIMELINE "timeline.json"

/* With this last argument, the program is the command. */
static char *with_regions[] = { "./perfex",  "-o",	    "/dev/null",
				"--regions", "./timelines", "regions-program",
				NULL };
static char *with_timeline[] = { "./perfex",	     "-o",     "/dev/null",
				 "--timeline",	     TIMELINE, "./timelines",
				 "timeline-program", NULL };

static char *const *command;

static int run(void)
{
	const pid_t child = fork();
	int status;

	if (!child) {
		execv(command[0], command);
		_exit(127);
	}
	return waitpid(child, &status, 0) == child && !status ? 0 : -1;
}

static void cost(const char *name, char *const *argv)
{
	command = argv;
	/* The child would print the unwritten output again. */
	fflush(stdout);
	cost_of(name, run, 1);
}

static int regions(void)
{
	int i;

	for (i = 0; i < REGIONS; i++) {
		vpmc_region_begin("region");
		vpmc_region_end("region");
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct stat status;

	measure_start();
	if (argc > 1) {
		cost_of(argv[1], regions, 1);
		return 0;
	}
	cost("regions", with_regions);
	cost("timeline", with_timeline);
	if (stat(TIMELINE, &status))
		err(2, TIMELINE);
	printf("bytes %ld\n", (long)status.st_size);
	return 0;
}
