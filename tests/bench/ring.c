// SPDX-License-Identifier: GPL-2.0-only
/*
 * ring N WHAT: N processes that count WHAT, a word of count.h, and one that
 * does not call sched_yield(2) in turn.
 *
 * Prints the costs of whole rounds, which are N + 1 switches, and by how many
 * bytes the kernel's objects have grown with these processes.
 */
#include <err.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "count.h"
#include "measure.h"

#define REPEAT 7

static void set_threads_max(void)
{
	FILE *file = fopen("/proc/sys/kernel/threads-max", "w");

	if (!file || fprintf(file, "20000\n") < 0 || fclose(file))
		err(2, "threads-max");
}

static long slab_bytes(void)
{
	FILE *file = fopen("/proc/meminfo", "r");
	char line[128];
	long kilobytes = -1;

	if (!file)
		err(2, "/proc/meminfo");
	while (kilobytes < 0 && fgets(line, sizeof(line), file)) {
		if (!strncmp(line, "Slab:", 5))
			kilobytes = strtol(line + 5, NULL, 10);
	}
	fclose(file);
	return 1024 * kilobytes;
}

static void start_member(void)
{
	pid_t child = fork();

	if (child < 0)
		err(2, "fork");
	if (child)
		return;
	if (prctl(PR_SET_PDEATHSIG, SIGKILL))
		err(2, "prctl");
	for (;;)
		measured_call();
}

int main(int argc, char **argv)
{
	enum count what;
	long slab;
	int nr, i;

	if (argc != 3)
		errx(2, "usage: ring N WHAT");
	nr = (int)strtol(argv[1], NULL, 10);
	what = count_named(argv[2]);
	set_threads_max();
	measure_start();
	measure_settle();
	slab = slab_bytes();
	count_start(what);
	measured_set(SYS_sched_yield, 0, 0, 0);
	for (i = 0; i < nr; i++)
		start_member();
	count_stop(what);
	measured_set(SYS_sched_yield, 0, 0, 0);
	measured_call();
	cost_of("round", measured_call, REPEAT);
	printf("slab %ld\n", slab_bytes() - slab);
	return 0;
}
