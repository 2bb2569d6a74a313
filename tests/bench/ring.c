// SPDX-License-Identifier: GPL-2.0-only
/*
 * ring N WHAT HOW: measure switches in a ring of N processes that count WHAT, a word of
 * count.h, and one process that does not count. They call sched_yield(2) in turn. If HOW is
 * "inherited", the processes are children of a process that counts and sleeps. If it is "own",
 * each has started its own count.
 *
 * The program prints the costs of whole rounds, which are N + 1 switches, and the growth of the
 * kernel's objects in bytes.
 */
#include <err.h>
#include <limits.h>
#include <linux/futex.h>
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

/*
 * This memory is shared. It has the number of members that are ready, and a flag that lets all
 * of them begin.
 */
static struct {
	volatile int nr_ready;
	volatile int begin;
} * shared;

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

/* Fork, and return true in the child. The child ends with its parent. */
static int become_child(void)
{
	pid_t child = fork();

	if (child < 0)
		err(2, "fork");
	if (!child && prctl(PR_SET_PDEATHSIG, SIGKILL))
		err(2, "prctl");
	return !child;
}

/*
 * Sleep while waiting, because the first event of perf_event needs threads of the kernel, which
 * have a lower priority.
 */
static void wait_for_members(int nr)
{
	while (shared->nr_ready < nr)
		measure_align();
	shared->begin = 1;
	syscall(SYS_futex, &shared->begin, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static void wait_for_begin(void)
{
	++shared->nr_ready;
	while (!shared->begin)
		syscall(SYS_futex, &shared->begin, FUTEX_WAIT, 0, NULL, NULL,
			0);
}

static void start_members(int nr, enum count own)
{
	while (nr--) {
		if (!become_child())
			continue;
		count_start(own);
		wait_for_begin();
		measured_set(SYS_sched_yield, 0, 0, 0);
		for (;;)
			measured_call();
	}
}

/*
 * Start the parent, whose children inherit its events. Events of perf_event end when their
 * descriptors are closed, so the parent keeps them.
 */
static void start_parent(int nr, enum count what)
{
	if (!become_child())
		return;
	count_start(what);
	start_members(nr, COUNT_NOTHING);
	for (;;)
		pause();
}

int main(int argc, char **argv)
{
	enum count what;
	long slab;
	int nr;

	if (argc != 4)
		errx(2, "usage: ring N WHAT inherited|own");
	nr = (int)strtol(argv[1], NULL, 10);
	what = count_named(argv[2]);
	shared = measure_memory(sizeof(*shared));
	set_threads_max();
	measure_start();
	measure_settle();
	slab = slab_bytes();
	if (!strcmp(argv[3], "own"))
		start_members(nr, what);
	else
		start_parent(nr, what);
	wait_for_members(nr);
	measured_set(SYS_sched_yield, 0, 0, 0);
	measured_call();
	cost_of("round", measured_call, REPEAT);
	printf("slab %ld\n", slab_bytes() - slab);
	return 0;
}
